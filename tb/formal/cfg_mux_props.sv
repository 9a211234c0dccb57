// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_cfg_mux: one request at a time, as asked, answered to who asked.
`default_nettype none
module cfg_mux_props
  import nvmearb_pkg::*;
#(
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic     clk_i,
    input wire logic     rst_ni,
    input wire logic     seq_valid_i,
    input wire cfg_req_t seq_cfg_i,
    input wire logic     dev_allow_i,
    input wire logic     dev_valid_i,
    input wire cfg_req_t dev_cfg_i,
    input wire logic     core_ready_i,
    input wire logic     core_done_i,
    input wire logic [1:0] sqe_count_i,
    input wire logic     sqe_take_i
);
  logic seq_ready, seq_done, dev_ready, dev_done, core_valid, busy, pending;
  cfg_req_t core_cfg;
  nvmearb_cfg_mux u_dut (
      .clk_i, .rst_ni, .seq_valid_i, .seq_ready_o(seq_ready), .seq_cfg_i, .seq_done_o(seq_done),
      .dev_allow_i, .dev_valid_i, .dev_ready_o(dev_ready), .dev_cfg_i, .dev_done_o(dev_done),
      .core_valid_o(core_valid), .core_ready_i, .core_cfg_o(core_cfg), .core_done_i,
      .sqe_count_i, .sqe_take_i, .busy_o(busy), .pending_o(pending));

  typedef enum logic [1:0] {Nobody, Shown, AtCore, Late} state_e;
  logic started_q = 1'b0;
  state_e state_q;
  logic is_dev_q;
  cfg_req_t cfg_q;
  logic seq_fire, dev_fire;
  assign seq_fire = seq_valid_i && seq_ready;
  assign dev_fire = dev_valid_i && dev_ready;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      state_q <= Nobody;
    end else if (seq_fire || dev_fire) begin
      state_q <= Shown;
      is_dev_q <= dev_fire;
      cfg_q <= dev_fire ? dev_cfg_i : seq_cfg_i;
    end else if (seq_done || dev_done) begin
      state_q <= Nobody;
    end else if (core_done_i) begin
      state_q <= Late;
    end else if (core_valid && core_ready_i) begin
      state_q <= AtCore;
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni && core_done_i) begin : CoreAnswersOnce_M assume (state_q == AtCore); end
    if (rst_ni) begin
      begin : OneAtATime_A
        assert (!(seq_fire && dev_fire) && (state_q == Nobody || !(seq_fire || dev_fire)));
      end
      begin : ShownAsAsked_A
        assert (core_valid == (state_q == Shown) && (!core_valid || core_cfg == cfg_q));
      end
      begin : DoneToItsOwner_A
        assert ((!seq_done || (!is_dev_q && state_q == AtCore)) &&
                (!dev_done || (is_dev_q && (state_q == AtCore || state_q == Late))));
      end
      begin : NoDoneIsLost_A
        assert (!core_done_i || seq_done || dev_done || (is_dev_q && cfg_q.op == CfgDeleteSq));
      end
      begin : DeviceOnlyWhenAllowed_A assert (!dev_fire || (dev_allow_i && !seq_valid_i)); end
      begin : Busy_A assert (busy == (state_q != Nobody)); end
      begin : LateDone_C cover (dev_done && state_q == Late); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) if (rst_ni && core_done_i) begin : False_A assert (seq_done); end
  end

  logic unused;
  assign unused = pending;
endmodule
`default_nettype wire
