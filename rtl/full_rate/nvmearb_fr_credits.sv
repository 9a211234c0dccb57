// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_credits: arbitration settings, credits of the weighted levels, and the level in turn.
//
// Purpose: weighted round robin between the levels high, medium and low (decision 0002, rules 3, 5,
//  9).
// Behaviour:
//  1. set_arb_i takes burst and weights; all credits become weight + 1; no level is in turn.
//  2. charge_i takes a credit of a level, which is in turn from then on if keep_i and credits are
//     left. With reload_i all credits become weight + 1 first. What is counted is the credits used.
//  3. end_turn_i: the visit of end_level_i ended without a grant; it is not in turn any more.
//  4. clear_i: power-on values, that is all settings 0 (burst 1, weights 1:1:1).
// Guarantees: no more than weight + 1 are used (CreditInRange_A); a level in turn has credits
//  (LevelInTurnHasCredit_A).
// Requires: at most one request per clock (OneRequest_M); a level that is charged has credits
//  (ChargeFits_M).
// Timing: effects are visible after the edge.
// Spec: NVMe Base 2.1, 3.4.4.2 and figure 386.
`default_nettype none
module nvmearb_fr_credits (
    input  wire logic       clk_i,
    input  wire logic       rst_ni,
    // Settings, as in feature 01h.
    input  wire logic       clear_i,
    input  wire logic       set_arb_i,
    input  wire logic [2:0] ab_i,
    input  wire logic [7:0] hpw_zb_i,
    input  wire logic [7:0] mpw_zb_i,
    input  wire logic [7:0] lpw_zb_i,
    // Use of credits, by level: 0 high, 1 medium, 2 low.
    input  wire logic [2:0] charge_i,
    input  wire logic       reload_i,
    input  wire logic [2:0] keep_i,
    input  wire logic       end_turn_i,
    input  wire logic [1:0] end_level_i,
    // Settings, from registers.
    output logic [2:0]      ab_o,
    output logic [2:0][7:0] weight_zb_o,
    // Behind the charge of this clock: credits are left; the level is in turn.
    output logic [2:0]      open_o,
    output logic [2:0]      turn_o
);
  logic [2:0] ab_q;
  logic [2:0][7:0] weight_zb_q;
  logic [2:0][7:0] used_q;  // modulo 256: 256 used is 0, and not open
  logic [2:0] open_q, turn_q, last;
  logic set, charge;

  assign set = clear_i | set_arb_i;
  assign charge = charge_i != '0;
  always_comb begin
    for (int l = 0; l < 3; l++) begin
      // The credit charged is the last one.
      last[l] = reload_i ? weight_zb_q[l] == '0 : used_q[l] == weight_zb_q[l];
      open_o[l] = charge_i[l] ? !last[l] : open_q[l] || (charge && reload_i);
      turn_o[l] = charge_i[l] ? keep_i[l] && !last[l] : turn_q[l] && !charge;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      ab_q <= '0;
      weight_zb_q <= '0;
    end else if (set_arb_i) begin
      ab_q <= ab_i;
      weight_zb_q <= {lpw_zb_i, mpw_zb_i, hpw_zb_i};
    end
  end
  for (genvar l = 0; l < 3; l++) begin : gen_level
    always_ff @(posedge clk_i) begin
      if (!rst_ni || set) begin
        used_q[l] <= '0;
        open_q[l] <= 1'b1;
        turn_q[l] <= 1'b0;
      end else begin
        if (charge && (reload_i || charge_i[l])) begin
          used_q[l] <= reload_i ? 8'(charge_i[l]) : used_q[l] + 8'd1;
        end
        open_q[l] <= open_o[l];
        if (end_turn_i && end_level_i == 2'(l)) turn_q[l] <= 1'b0;
        else turn_q[l] <= turn_o[l];
      end
    end
  end

  assign ab_o = ab_q;
  assign weight_zb_o = weight_zb_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : CreditInRange_A
        assert ((!open_q[0] || used_q[0] <= weight_zb_q[0]) &&
                (!open_q[1] || used_q[1] <= weight_zb_q[1]) &&
                (!open_q[2] || used_q[2] <= weight_zb_q[2]));
      end
      begin : LevelInTurnHasCredit_A
        assert ((turn_q & ~open_q) == '0 && (turn_q & (turn_q - 3'd1)) == '0);
      end
      begin : OneRequest_M
        assert (32'(set) + 32'(charge_i[0]) + 32'(charge_i[1]) + 32'(charge_i[2]) +
                32'(end_turn_i) <= 1);
      end
      begin : ChargeFits_M
        assert (reload_i || (charge_i & ~open_q) == '0);
      end
    end
  end
endmodule
`default_nettype wire
