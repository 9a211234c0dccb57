// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_enable_seq: what CC.EN, the device side and errors make of the controller.
//
// Purpose: brings the arbitration core up and down with CC.EN, owns CSTS, and decides when grants
//  and doorbells are in force.
// Behaviour:
//  1. EN 0 -> 1: copies CC, AQA, ASQ, ACQ, then CfgReset, CfgCreateCq 0, CfgCreateSq 0 (class
//     SqAdmin), CfgSetMech, then enable_valid_o. CSTS.RDY follows device_ready_i from there.
//     AQA with a size of 0, or larger than a pointer holds: CSTS.CFS, nothing else, until EN falls.
//  2. Weighted round robin runs when CC.AMS is 001b and CAP.AMS[0] says so; 000b is round robin.
//     Any other value runs round robin and stays readable, or is CSTS.CFS if UnsupportedAmsIsFatal.
//  3. EN 1 -> 0: holds all grants, waits until drained_i (nothing granted is still on its way),
//     CfgReset, disable_valid_o, then waits for device_ready_i to fall. A fall of EN is remembered,
//     however short.
//  4. fatal_i and fetch_error_i set CSTS.CFS and hold all grants until the next reset.
//  5. SHN other than 00b and SHST other than 00b hold I/O grants; SHST 10b holds all. CSTS shows
//     10b when nothing granted comes on the stream any more (silent_i), and 01b until then. SHST is
//     cleared by the next enable.
// Guarantees: enable_valid_o and disable_valid_o alternate, enable first
//  (EnableDisableAlternate_A); no configuration request while one is under way (see
//  nvmearb_cfg_mux).
// Requires: device_ready_i falls some time after disable_valid_o; drained_i rises some time after
//  hold_all_o, and silent_i, too.
// Timing: no combinational path from device-side inputs; the others reach hold_*_o and db_allow_o
//  through a few gates.
// Spec: NVMe Base 2.1 3.1.4.5 (CC), 3.1.4.6 (CSTS), 3.5.1 (initialisation), 3.7.2 (Controller
//  Reset).
`default_nettype none
module nvmearb_enable_seq
  import nvmearb_pkg::*;
#(
    // Width of queue pointers, 2..16: largest admin queue is 2^PtrW entries.
    parameter int PtrW = 16,
    // 1: an unsupported CC.AMS is fatal (CSTS.CFS); 0: it runs round robin.
    parameter bit UnsupportedAmsIsFatal = 1'b0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_ni,
    // Property values; AMS that CAP offers.
    input  wire logic [31:0] cc_i,
    input  wire logic [31:0] aqa_i,
    input  wire logic [63:0] asq_i,
    input  wire logic [63:0] acq_i,
    input  wire logic        cap_wrr_i,
    // Device side: ready, fatal error (pulse), SHST (written with valid), and a failed SQE read
    // (pulse).
    input  wire logic        device_ready_i,
    input  wire logic        fatal_i,
    input  wire logic        shst_valid_i,
    input  wire logic [1:0]  shst_i,
    input  wire logic        fetch_error_i,
    // CSTS.
    output logic             csts_rdy_o,
    output logic             csts_cfs_o,
    output logic [1:0]       csts_shst_o,
    // Doorbells are in force. Device-side configuration requests are.
    output logic             db_allow_o,
    output logic             cfg_allow_o,
    // Freezes of the core.
    output logic             hold_io_o,
    output logic             hold_all_o,
    // Waiting for what was granted, before a reset.
    output logic             drain_o,
    // The core's queues are those of a running controller: completions are for them.
    output logic             live_o,
    // No grant is in the core's or the fetch side's hands.
    input  wire logic        drained_i,
    // SHST 10b waits for silent_i: no command that was granted is still to come.
    output logic             ending_o,
    input  wire logic        silent_i,
    // Configuration requests to the core.
    output logic             cfg_valid_o,
    input  wire logic        cfg_ready_i,
    output cfg_req_t         cfg_o,
    input  wire logic        cfg_done_i,
    // A reset of the core took effect: forget doorbell values and the fetch error.
    output logic             clear_o,
    input  wire logic        clear_busy_i,
    // To the device side. The copies are those of the last enable.
    output logic             enable_valid_o,
    output logic             disable_valid_o,
    output logic [31:0]      cc_o,
    output logic [31:0]      aqa_o,
    output logic [63:0]      asq_o,
    output logic [63:0]      acq_o,
    // Nothing changes at the next edge unless an input does.
    output logic             quiescent_o
);
  if (PtrW < 2 || PtrW > 16) begin : gen_bad_ptrw
    nvmearb_error_enable_seq_ptrw_has_to_be_in_2_16 u_error ();
  end

  localparam logic [2:0] AmsRr = 3'b000;
  localparam logic [2:0] AmsWrr = 3'b001;
  localparam logic [1:0] ShstOccurring = 2'b01;
  localparam logic [1:0] ShstComplete = 2'b10;

  typedef enum logic [3:0] {
    StOff,       // EN = 0
    StFailed,    // EN = 1 refused: CFS, waits for EN = 0
    StReset,     // bring-up, one configuration request per state
    StClear,     // doorbell values are being cleared
    StCreateCq,
    StCreateSq,
    StSetMech,
    StOn,        // enable reported
    StDrain,     // EN fell: waits for granted commands
    StDown,      // CfgReset
    StWaitDevice // disable reported: waits for the device side to drop ready
  } state_e;

  state_e state_q;
  logic sent_q;  // the request of this state was taken
  logic en_q, fell_q, cfs_q, ready_q;
  logic [1:0] shst_q;
  logic [31:0] cc_q, aqa_q;
  logic [63:0] asq_q, acq_q;
  logic clear_q, enable_q, disable_q;
  // Clocks in a row in which drained_i was seen, and silent_i. A decision that was made before the
  // freeze reached it shows up within these clocks.
  logic [1:0] drained_q, silent_q;
  logic complete_q;  // SHST 10b is shown
  logic en_fall, ask, up, size_bad, ams_bad, wrr;

  assign en_fall = en_q & !cc_i[0];
  assign wrr = (cc_q[13:11] == AmsWrr) & cap_wrr_i;
  assign ams_bad = UnsupportedAmsIsFatal & (cc_i[13:11] != AmsRr) &
                   !((cc_i[13:11] == AmsWrr) & cap_wrr_i);
  assign size_bad = (aqa_i[11:0] == '0) | (aqa_i[27:16] == '0) |
                    (({20'd0, aqa_i[11:0]} >> PtrW) != '0) |
                    (({20'd0, aqa_i[27:16]} >> PtrW) != '0);
  assign ask = (state_q == StReset) | (state_q == StCreateCq) | (state_q == StCreateSq) |
               (state_q == StSetMech) | (state_q == StDown);
  assign up = (state_q == StOn) | (state_q == StDrain) | (state_q == StDown) |
              (state_q == StWaitDevice);

  always_comb begin
    cfg_o = '0;
    if (ask) begin
      cfg_o.op = CfgReset;
      cfg_o.sq_class = SqAdmin;
      cfg_o.base = {asq_q[63:12], 6'd0};
      cfg_o.size_zb = {4'd0, aqa_q[11:0]};
      cfg_o.wrr = wrr;
    end
    case (state_q)
      StCreateCq: begin
        cfg_o.op = CfgCreateCq;
        cfg_o.size_zb = {4'd0, aqa_q[27:16]};
      end
      StCreateSq: cfg_o.op = CfgCreateSq;
      StSetMech: cfg_o.op = CfgSetMech;
      default: ;
    endcase
  end
  assign cfg_valid_o = ask & !sent_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StOff;
      sent_q <= 1'b0;
      en_q <= 1'b0;
      fell_q <= 1'b0;
      cfs_q <= 1'b0;
      ready_q <= 1'b0;
      shst_q <= '0;
      cc_q <= '0;
      aqa_q <= '0;
      asq_q <= '0;
      acq_q <= '0;
      clear_q <= 1'b0;
      enable_q <= 1'b0;
      disable_q <= 1'b0;
      drained_q <= '0;
      silent_q <= '0;
      complete_q <= 1'b0;
    end else begin
      en_q <= cc_i[0];
      ready_q <= device_ready_i;
      if (en_fall) fell_q <= 1'b1;
      if (shst_valid_i) shst_q <= shst_i;
      silent_q <= (ending_o & silent_i) ? silent_q + 1'b1 : '0;
      if (shst_valid_i & (shst_i != ShstComplete)) complete_q <= 1'b0;
      else if (ending_o & silent_i & (&silent_q)) complete_q <= 1'b1;
      if (fatal_i | fetch_error_i) cfs_q <= 1'b1;
      if (cfg_valid_o & cfg_ready_i) sent_q <= 1'b1;
      if (ask & cfg_done_i) sent_q <= 1'b0;
      clear_q <= 1'b0;
      enable_q <= 1'b0;
      disable_q <= 1'b0;
      case (state_q)
        StOff: begin
          fell_q <= 1'b0;
          if (cc_i[0]) begin
            cc_q <= cc_i;
            aqa_q <= aqa_i;
            asq_q <= asq_i;
            acq_q <= acq_i;
            shst_q <= '0;
            complete_q <= 1'b0;
            cfs_q <= size_bad | ams_bad;
            state_q <= (size_bad | ams_bad) ? StFailed : StReset;
          end
        end
        StFailed: begin
          if (en_fall | fell_q) begin
            cfs_q <= 1'b0;
            state_q <= StOff;
          end
        end
        StReset: begin
          if (cfg_done_i) begin
            clear_q <= 1'b1;
            state_q <= StClear;
          end
        end
        StClear: if (!clear_q & !clear_busy_i) state_q <= StCreateCq;
        StCreateCq: if (cfg_done_i) state_q <= StCreateSq;
        StCreateSq: if (cfg_done_i) state_q <= StSetMech;
        StSetMech: begin
          if (cfg_done_i) begin
            enable_q <= 1'b1;
            state_q <= StOn;
          end
        end
        StOn: begin
          if (en_fall | fell_q) begin
            fell_q <= 1'b0;
            drained_q <= '0;
            state_q <= StDrain;
          end
        end
        StDrain: begin
          drained_q <= drained_i ? drained_q + 1'b1 : '0;
          if (drained_i & (&drained_q)) state_q <= StDown;
        end
        StDown: begin
          if (cfg_done_i) begin
            clear_q <= 1'b1;
            disable_q <= 1'b1;
            cfs_q <= 1'b0;
            state_q <= StWaitDevice;
          end
        end
        StWaitDevice: begin
          if (!ready_q & !disable_q & !clear_q & !clear_busy_i) state_q <= StOff;
        end
        default: state_q <= StOff;
      endcase
    end
  end

  assign csts_rdy_o = up & ready_q;
  assign csts_cfs_o = cfs_q;
  assign ending_o = (shst_q == ShstComplete) & !complete_q;
  assign csts_shst_o = ending_o ? ShstOccurring : shst_q;
  assign db_allow_o = (state_q == StOn) & cc_i[0] & !fell_q & ready_q &
                      (shst_q != ShstComplete);
  assign cfg_allow_o = (state_q == StOn) & !fell_q;
  assign hold_io_o = (cc_i[15:14] != '0) | (shst_q != '0);
  assign hold_all_o = (state_q != StOn) | !cc_i[0] | fell_q | cfs_q | (shst_q == ShstComplete);
  assign drain_o = state_q == StDrain;
  assign live_o = (state_q == StOn) | (state_q == StDrain);
  assign clear_o = clear_q;
  assign enable_valid_o = enable_q;
  assign disable_valid_o = disable_q;
  assign cc_o = cc_q;
  assign aqa_o = aqa_q;
  assign asq_o = asq_q;
  assign acq_o = acq_q;

  // A drain or a configuration request is waited for as long as the core works on it, and the core
  // says so.
  always_comb begin
    quiescent_o = !clear_q & !enable_q & !disable_q & (en_q == cc_i[0]);
    if ((state_q == StOn) & !ending_o) begin
      quiescent_o = quiescent_o & !fell_q;
    end else begin
      quiescent_o = quiescent_o & !cfg_valid_o & !(ending_o & silent_i);
      case (state_q)
        StOff: quiescent_o = quiescent_o & !cc_i[0] & !fell_q;
        StFailed, StOn: quiescent_o = quiescent_o & !fell_q;
        StDrain: quiescent_o = quiescent_o & !drained_i;
        StWaitDevice: quiescent_o = quiescent_o & ready_q;
        default: quiescent_o = 1'b0;
      endcase
    end
  end

  // Implementation checks.
  logic reported_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reported_q <= 1'b0;
    end else begin
      if (enable_valid_o | disable_valid_o) reported_q <= enable_valid_o;
      begin : EnableDisableAlternate_A
        assert (!(enable_valid_o & reported_q) &
                                         !(disable_valid_o & !reported_q));
      end
      begin : DisableDuringBringUp_C
        cover (en_fall && ask);
      end
      begin : EnableIsRefused_C
        cover (state_q == StFailed && en_fall);
      end
      begin : DrainWaits_C
        cover (state_q == StDrain && !drained_i);
      end
      begin : EnableAgainDuringDisable_C
        cover (state_q == StWaitDevice && cc_i[0]);
      end
      begin : ShutdownWaits_C
        cover (ending_o && !silent_i);
      end
      begin : FetchErrorWhileOn_C
        cover (state_q == StOn && fetch_error_i);
      end
    end
  end
endmodule
`default_nettype wire
