// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_grant_pipe: what follows from a decision: rows, issue head, CQ room, the grant port.
//
// Purpose: decision 0002, rules 5 to 7, behind the decision and never in its way.
// Behaviour, from the clock in which a decision is carried out (t0):
//  t1 read the rows of the SQ.
//  t2 issue head, as the grant before leaves it; phase of the retirement of an SQ that is let go;
//     the grant goes into the output buffer; read the row of the CQ: limit (entries that may be
//     granted in all, modulo 2^PtrW) and granted so far.
//  t3 next issue head; keep the row of the CQ.
//  t4 room = limit - granted; one more is granted. A CQ whose room falls below NearFull entries is
//     near full until a grant or a look finds more: then decisions are serial (near_full_o).
//     A limit that is written in t2 or t3 was not seen: nothing is said about that CQ. One limit
//     may hide two grants so, and brings room for one at least.
//  probe_i instead of a decision reads the room of the SQ's CQ, look_i that of look_cqid_i; result
//  in t4 (probed_o) and t5 (looked_o). A probe that meets a limit may say either.
// Guarantees: grants leave in the order of the decisions; grant_o stays until it is read
//  (GrantIsHeld_A); a decision has room (RoomIsThere_A).
// Requires: at most Depth grants decided and not read (BufferFits_M); one of decision, probe and
//  look per clock.
// Timing: decision to grant_valid_o three clocks.
`default_nettype none
module nvmearb_fr_grant_pipe
  import nvmearb_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Room below which a CQ is near full: 5 decisions are made before that is known, and one grant
    // may have been hidden. 7..13.
    parameter int NearFull = 7
) (
    input  wire logic            clk_i,
    input  wire logic            rst_ni,
    input  wire logic            clear_i,
    // t0.
    input  wire logic            valid_i,
    input  wire logic            probe_i,
    input  wire logic            ask_i,        // also, or only, read the issue head
    input  wire logic [QidW-1:0] sq_i,
    input  wire logic            phase_i,
    input  wire logic            first_i,
    input  wire logic            retire_i,
    input  wire logic            weighted_i,
    input  wire logic [1:0]      level_i,
    input  wire logic            reload_i,
    // Instead: only let an SQ go; only look at a CQ.
    input  wire logic            drop_i,
    input  wire logic [QidW-1:0] drop_sq_i,
    input  wire logic            drop_phase_i,
    input  wire logic            look_i,
    input  wire logic [QidW-1:0] look_cqid_i,
    input  wire logic            look_forget_i,  // it is deleted: not near full any more
    // t1.
    output logic [QidW:0]        t1_sq_o,      // {phase, id}
    output logic                 t1_ask_o,
    output logic                 sq_re_o,
    output logic [QidW-1:0]      sq_sqid_o,
    input  wire logic [2:0]      sq_class_i,
    input  wire logic [QidW-1:0] sq_cqid_i,
    input  wire logic [PtrW-1:0] sq_size_zb_i,
    input  wire logic [PtrW-1:0] head_i,
    // t2.
    output logic                 t2_ask_o,
    output logic                 t2_grant_o,
    output logic [QidW-1:0]      t2_sqid_o,
    output logic [PtrW-1:0]      t2_head_o,     // before the grant of t2
    // Retirements in t1, t2: t2 writes the phase.
    output logic [1:0]           retire_o,
    output logic [1:0][QidW-1:0] retire_sqid_o,
    output logic [1:0]           retire_phase_o,
    output logic                 cq_re_o,
    output logic                 probe_o,      // for a probe
    output logic [QidW-1:0]      cq_cqid_o,
    // t3. head_o is 0 without a grant.
    output logic                 head_we_o,
    output logic [QidW-1:0]      t3_sqid_o,
    output logic [PtrW-1:0]      head_o,
    input  wire logic [PtrW-1:0] limit_i,
    input  wire logic [PtrW-1:0] granted_i,
    input  wire logic            near_i,
    input  wire logic            limit_we_i,     // a limit is written in this clock
    input  wire logic [QidW-1:0] limit_cqid_i,
    // t4.
    output logic                 granted_we_o,
    output logic [QidW-1:0]      t4_cqid_o,
    output logic [PtrW-1:0]      granted_o,
    output logic                 near_o,
    output logic                 probed_o,
    output logic                 probed_room_o,
    output logic [QidW-1:0]      probed_cqid_o,
    // t5.
    output logic                 looked_o,
    output logic                 near_full_o,
    // Grants.
    output logic                 grant_valid_o,
    input  wire logic            grant_ready_i,
    output grant_t               grant_o,
    output logic                 grant_weighted_o,
    output logic [1:0]           grant_level_o,
    output logic                 grant_reload_o,
    // Nothing in t1 to t5.
    output logic                 idle_o
);
  localparam int Depth = 4;
  localparam int EntryW = $bits(grant_t) + 4;

  logic t1_grant_q, t1_probe_q, t1_look_q, t1_retire_q, t1_first_q, t1_weighted_q, t1_reload_q;
  logic t1_forget_q, t2_forget_q, t3_forget_q, t4_forget_q;
  logic [1:0] t1_level_q, t2_level_q;
  logic [QidW-1:0] t1_sq_q, t2_sq_q, t3_sq_q, t3_cqid_q, t4_cqid_q;
  logic [PtrW-1:0] head, t3_head_q, t3_size_zb_q;
  logic same_head_q;
  logic t2_grant_q, t2_probe_q, t2_look_q, t2_retire_q, t2_first_q, t2_weighted_q, t2_reload_q;
  logic t1_phase_q, t2_phase_q, t3_retire_q;
  logic t3_grant_q, t3_look_q, t3_probe_q, t4_grant_q, t4_look_q, t4_probe_q, t5_look_q;
  logic [QidW-1:0] probed_cqid_q;
  logic t3_hit_q, t4_hit_q, same_q, before_q;
  logic [PtrW-1:0] limit_q, granted_q, stored_q;
  logic near_q, stored_near_q;
  logic little;
  logic [3:0] room;
  logic [3:0] least;
  logic [QidW:0] near_count_q, near_count_d;
  logic t1_ask_q, t2_ask_q;
  logic t1_any, t2_any, late_any, near, near_up, near_down, near_up_q, near_down_q;
  logic near_some_q;

  assign t1_any = t1_grant_q || t1_probe_q || t1_look_q || t1_retire_q || t1_ask_q;
  assign late_any = t3_grant_q || t3_look_q || t3_retire_q || t4_grant_q || t4_look_q ||
      t5_look_q || near_up_q || near_down_q;
  assign t2_any = t2_grant_q || t2_probe_q || t2_look_q || t2_retire_q || t2_ask_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      t1_grant_q <= 1'b0;
      t1_probe_q <= 1'b0;
      t1_ask_q <= 1'b0;
      t1_look_q <= 1'b0;
      t1_retire_q <= 1'b0;
      t2_grant_q <= 1'b0;
      t2_probe_q <= 1'b0;
      t2_ask_q <= 1'b0;
      t2_look_q <= 1'b0;
      t2_retire_q <= 1'b0;
      t3_grant_q <= 1'b0;
      t3_retire_q <= 1'b0;
      t3_look_q <= 1'b0;
      t3_probe_q <= 1'b0;
      t4_grant_q <= 1'b0;
      t4_look_q <= 1'b0;
      t4_probe_q <= 1'b0;
      t5_look_q <= 1'b0;
    end else begin
      t1_grant_q <= valid_i;
      t1_probe_q <= probe_i;
      t1_ask_q <= ask_i;
      t1_look_q <= look_i;
      t1_retire_q <= (valid_i && retire_i) || drop_i;
      t2_grant_q <= t1_grant_q;
      t2_probe_q <= t1_probe_q;
      t2_ask_q <= t1_ask_q;
      t2_look_q <= t1_look_q;
      t2_retire_q <= t1_retire_q;
      t3_retire_q <= t2_retire_q;
      t3_grant_q <= t2_grant_q;
      t3_look_q <= t2_probe_q || t2_look_q;
      t3_probe_q <= t2_probe_q;
      t4_grant_q <= t3_grant_q;
      t4_look_q <= t3_look_q;
      t4_probe_q <= t3_probe_q;
      t5_look_q <= t4_look_q && !t4_probe_q;
    end
  end
  always_ff @(posedge clk_i) begin
    // Nothing else is in t0 while the sequencer lets an SQ go or looks.
    t1_sq_q <= drop_i ? drop_sq_i : look_i ? look_cqid_i : sq_i;
    t1_phase_q <= drop_i ? drop_phase_i : phase_i;
    if (look_i) t1_forget_q <= look_forget_i;
    t1_first_q <= first_i;
    t1_weighted_q <= weighted_i;
    t1_level_q <= level_i;
    t1_reload_q <= reload_i;
    t2_forget_q <= t1_look_q && t1_forget_q;
    t2_sq_q <= t1_sq_q;
    t2_phase_q <= t1_phase_q;
    t2_first_q <= t1_first_q;
    t2_weighted_q <= t1_weighted_q;
    t2_level_q <= t1_level_q;
    t2_reload_q <= t1_reload_q;
    if (t2_probe_q) probed_cqid_q <= sq_cqid_i;
    t3_cqid_q <= cq_cqid_o;
    t3_hit_q <= limit_we_i && limit_cqid_i == cq_cqid_o;
    t3_forget_q <= t2_forget_q;
    t4_cqid_q <= t3_cqid_q;
    t4_hit_q <= t3_hit_q || (limit_we_i && limit_cqid_i == t3_cqid_q);
    t4_forget_q <= t3_forget_q;
  end

  // t1.
  assign t1_sq_o = {t1_phase_q, t1_sq_q};
  assign t1_ask_o = t1_ask_q;
  assign t2_ask_o = t2_ask_q;
  assign sq_re_o = t1_any;
  assign sq_sqid_o = t1_sq_q;
  assign retire_o = {t2_retire_q, t1_retire_q};
  assign retire_sqid_o = {t2_sq_q, t1_sq_q};
  assign retire_phase_o = {t2_phase_q, t1_phase_q};

  // t2.
  assign t2_grant_o = t2_grant_q;
  assign t2_sqid_o = t2_sq_q;
  assign head = same_head_q ? head_o : head_i;
  assign t2_head_o = head;
  assign probe_o = t2_probe_q;
  assign cq_re_o = t2_grant_q || t2_probe_q || t2_look_q;
  assign cq_cqid_o = t2_look_q ? t2_sq_q : sq_cqid_i;

  // t3. The memory shows what t3 writes to a read in t1, not what it writes to one in t2.
  assign head_we_o = t3_grant_q;
  assign t3_sqid_o = t3_sq_q;
  assign head_o = t3_head_q == t3_size_zb_q ? '0 : t3_head_q + PtrW'(1);
  always_ff @(posedge clk_i) begin
    same_head_q <= t2_grant_q && t2_sq_q == t1_sq_q;
    t3_sq_q <= t2_sq_q;
    if (t2_grant_q && rst_ni) begin
      t3_head_q <= head;
      t3_size_zb_q <= sq_size_zb_i;
    end else begin
      t3_head_q <= '0;
      t3_size_zb_q <= '0;
    end
  end

  // What t4 writes is not in the memory yet, nor what it wrote when that was read.
  always_ff @(posedge clk_i) begin
    same_q <= (t3_grant_q || t3_look_q) && t3_cqid_q == cq_cqid_o;
    before_q <= (t4_grant_q || t4_look_q) && t4_cqid_q == cq_cqid_o;
    limit_q <= limit_i;
    // 0 while there is none, for those that initialize a CQ.
    granted_q <= !(t3_grant_q || t3_look_q) ? '0
        : same_q ? granted_o : before_q ? stored_q : granted_i;
    near_q <= same_q ? near_o : before_q ? stored_near_q : near_i;
    stored_q <= granted_o;
    stored_near_q <= near_o;
  end

  // t4.
  nvmearb_fr_room #(.PtrW(PtrW)) u_room (
      .limit_i(limit_q), .granted_i(granted_q), .little_o(little), .room_o(room));
  // Behind a grant there is one less; what is near full stays so with one more than NearFull.
  assign least = 4'(NearFull) + 4'(t4_grant_q) + 4'(near_q);
  assign near = t4_hit_q ? near_q : little && room < least;
  assign granted_we_o = t4_grant_q || t4_look_q;
  assign t4_cqid_o = t4_cqid_q;
  assign granted_o = granted_q + PtrW'(t4_grant_q);
  assign near_o = near && !t4_forget_q;
  assign near_up = granted_we_o && !near_q && near_o;
  assign near_down = granted_we_o && near_q && !near_o;
  // The number of CQs that are near full follows a clock later.
  assign near_full_o = near_some_q || near_up_q;
  assign near_count_d = near_count_q + {{QidW{near_down_q}}, 1'b1};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      near_up_q <= 1'b0;
      near_down_q <= 1'b0;
      near_count_q <= '0;
      near_some_q <= 1'b0;
    end else begin
      near_up_q <= near_up;
      near_down_q <= near_down;
      if (near_up_q || near_down_q) begin
        near_count_q <= near_count_d;
        near_some_q <= near_count_d != '0;
      end
    end
  end
  assign probed_o = t4_probe_q;
  assign probed_room_o = !little || room != '0;
  assign probed_cqid_o = probed_cqid_q;
  assign looked_o = t5_look_q;

  // Output buffer.
  // {grant, weighted, level, reload}.
  logic [EntryW-1:0] new_entry;
  logic [EntryW-1:0] buf_q [Depth];
  logic [EntryW-1:0] out;
  logic [2:0] fill_q;
  logic [1:0] read_q, write_q;
  logic read;
  assign new_entry = {16'(t2_sq_q), 16'(sq_cqid_i), 16'(head), 16'(sq_size_zb_i), 4'd1,
      sq_class_i,
                      t2_first_q, t2_weighted_q, t2_level_q, t2_reload_q};
  assign read = grant_valid_o && grant_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= '0;
      read_q <= '0;
      write_q <= '0;
    end else begin
      if (t2_grant_q != read) fill_q <= t2_grant_q ? fill_q + 3'd1 : fill_q - 3'd1;
      if (read) read_q <= read_q + 2'd1;
      if (t2_grant_q) write_q <= write_q + 2'd1;
    end
  end
  for (genvar i = 0; i < Depth; i++) begin : gen_buf
    always_ff @(posedge clk_i) begin
      if (t2_grant_q && write_q == 2'(i)) buf_q[i] <= new_entry;
    end
  end
  assign out = buf_q[read_q];
  assign grant_valid_o = fill_q != '0;
  assign grant_o = out[EntryW-1:4];
  assign {grant_weighted_o, grant_level_o, grant_reload_o} = out[3:0];
  assign idle_o = !t1_any && !t2_any && !late_any;

  // Implementation checks.
  logic held_q;
  grant_t held_grant_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else if (grant_valid_o || held_q) held_q <= grant_valid_o && !grant_ready_i;
  end
  always @(posedge clk_i) begin
    if (grant_valid_o) held_grant_q <= grant_o;
    if (rst_ni) begin
      begin : GrantIsHeld_A
        assert (!held_q || (grant_valid_o && grant_o == held_grant_q));
      end
      begin : BufferFits_M
        assert (!(t2_grant_q && fill_q == 3'(Depth) && !read));
      end
      begin : RoomIsThere_A
        assert (!t4_grant_q || t4_hit_q || probed_room_o);
      end
    end
  end
endmodule
`default_nettype wire
