// SPDX-License-Identifier: Apache-2.0
//
// NaiveArbiter: a second reading of docs/decisions/0002-arbitration-rules.md, for tests only. Slow
// and literal: one command per call, vectors searched from the front, eligibility worked out anew
// each time. It shares no code with Arbiter, so that a misreading has to be made twice to go
// unseen.
#ifndef NVMEARB_MODELS_ARBITER_NAIVE_ARBITER_H_
#define NVMEARB_MODELS_ARBITER_NAIVE_ARBITER_H_

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::arbiter {

class NaiveArbiter {
 public:
  enum class Answer { kAccepted, kNoQueue, kBadValue, kNothing };
  struct Step {
    int sqid;
    int head;
    bool first;
  };

  NaiveArbiter(bool wrr, int ab, std::vector<int> weight_counts);

  void CreateCq(int cqid, long size);
  void DeleteCq(int cqid) { cqs_.erase(cqid); }
  void CreateSq(int sqid, int cqid, long size, SqClass sq_class);
  void DeleteSq(int sqid);
  void SetArbitration(int ab, std::vector<int> weight_counts);
  Answer RingSq(int sqid, long value);
  Answer RingCq(int cqid, long value);
  void GiveSlots(long count) { slots_ += count; }
  void Hold(bool io, bool all) {
    hold_io_ = io;
    hold_all_ = all;
  }
  std::optional<Step> Decide();
  void Fetch(int sqid) { ++sqs_.at(sqid).fetched; }
  void Complete(int cqid, bool posted);

  std::vector<int> credit;

 private:
  // All pointers count up for ever; a slot is the remainder by the size.
  struct Sq {
    int cqid;
    long size;
    SqClass sq_class;
    long tail = 0;
    long issued = 0;
    long fetched = 0;
    bool halted = false;
  };
  struct Cq {
    long size;
    long consumed = 0;
    long posted = 0;
    long room;
    std::deque<int> parked;
  };
  struct Ring {
    std::deque<int> waiting;
    int visited = -1;
    long left = 0;
  };

  int RingOf(int sqid) const { return wrr_ ? static_cast<int>(sqs_.at(sqid).sq_class) : 0; }
  bool HasRoom(int sqid) const { return cqs_.at(sqs_.at(sqid).cqid).room > 0; }
  bool IsInRing(int ring, int sqid) const;
  std::vector<int> Candidates(int ring) const;
  void EndVisit(int ring);
  void Leave(int sqid);
  std::optional<int> ChooseRing(bool* reload);

  bool wrr_;
  int ab_;
  std::vector<int> weights_;
  std::map<int, Sq> sqs_;
  std::map<int, Cq> cqs_;
  std::map<int, Ring> rings_;
  int current_level_ = -1;
  long slots_ = 0;
  bool hold_io_ = false;
  bool hold_all_ = false;
};

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_NAIVE_ARBITER_H_
