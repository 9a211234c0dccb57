// SPDX-License-Identifier: Apache-2.0
#include "fst_file.h"

#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>

#include <algorithm>
#include <sstream>

namespace nvmearb::system {

FstFile::FstFile(const std::string& path) : reader_(fstReaderOpen(path.c_str())) {
  EXPECT_NE(reader_, nullptr) << path;
  if (reader_ != nullptr) ReadHierarchy();
}

FstFile::~FstFile() {
  if (reader_ != nullptr) fstReaderClose(reader_);
}

std::uint64_t FstFile::begin() const { return fstReaderGetStartTime(reader_); }
std::uint64_t FstFile::end() const { return fstReaderGetEndTime(reader_); }

void FstFile::ReadHierarchy() {
  std::vector<std::string> scopes;
  while (const fstHier* item = fstReaderIterateHier(reader_)) {
    if (item->htyp == FST_HT_SCOPE) {
      scopes.emplace_back(item->u.scope.name);
    } else if (item->htyp == FST_HT_UPSCOPE) {
      scopes.pop_back();
    } else if (item->htyp == FST_HT_VAR) {
      std::string name;
      for (const std::string& scope : scopes) name += scope + ".";
      name += item->u.var.name;
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      handles_[name] = item->u.var.handle;
    } else if (item->htyp == FST_HT_ATTRBEGIN && item->u.attr.subtype == FST_MT_ENUMTABLE &&
               item->u.attr.name_length > 0) {
      // "type count name name ... value value ..."
      std::istringstream words(item->u.attr.name);
      std::string word;
      int count = 0;
      words >> word >> count;
      for (int i = 0; i < count && words >> word; ++i) enum_names_.insert(word);
    }
  }
}

void FstFile::Changes(
    const std::vector<std::string>& signals,
    const std::function<void(std::uint64_t, std::size_t, std::uint64_t)>& on_change) {
  struct Context {
    std::map<std::uint32_t, std::size_t> index;
    const std::function<void(std::uint64_t, std::size_t, std::uint64_t)>* on_change;
  } context{{}, &on_change};
  fstReaderClrFacProcessMaskAll(reader_);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ASSERT_TRUE(Has(signals[i])) << signals[i];
    context.index[handles_[signals[i]]] = i;
    fstReaderSetFacProcessMask(reader_, handles_[signals[i]]);
  }
  const auto callback = [](void* user, std::uint64_t time, fstHandle handle,
                           const unsigned char* value) {
    auto* const self = static_cast<Context*>(user);
    std::uint64_t number = 0;
    for (; *value != '\0'; ++value) number = number << 1 | (*value == '1' ? 1u : 0u);
    (*self->on_change)(time, self->index.at(handle), number);
  };
  fstReaderIterBlocks(reader_, callback, &context, nullptr);
}

}  // namespace nvmearb::system
