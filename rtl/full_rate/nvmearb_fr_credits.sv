// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_credits: arbitration settings, credits of the weighted levels, and the level in turn.
//
// Purpose: weighted round robin between the levels high, medium and low (decision 0002, rules 3, 5,
//  9).
// Behaviour:
//  1. set_arb_i takes burst and weights; all credits become weight + 1 in the clock behind it; no
//     level is in turn.
//  2. charge_i takes a credit of a level, which is in turn from then on if keep_i and credits are
//     left. With reload_i all credits become weight + 1 first. What is counted is the credits
//     behind the next one; that this is the last is known ahead.
//  3. end_turn_i: the visit of end_level_i ended without a grant; it is not in turn any more.
//  4. clear_i: power-on values, that is all settings 0 (burst 1, weights 1:1:1).
// Guarantees: never more than weight + 1 (CreditInRange_A); a level in turn has credits
//  (LevelInTurnHasCredit_A).
// Requires: at most one request per clock, and no charge in the clock behind set_arb_i or clear_i
//  (OneRequest_M); a level that is charged has credits (ChargeFits_M).
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
    // Behind the charge of this clock: credits are left; the level is in turn (one, none).
    output logic [2:0]      open_o,
    output logic [2:0]      turn_o
);
  logic [2:0] ab_q;
  logic [2:0][7:0] weight_zb_q;
  logic [2:0][7:0] left_q;  // less one; means nothing unless open
  logic [2:0] open_q, turn_q, last, last_q, weight_one_q, weight_two_q;
  logic set, set_q, charge;

  assign set = clear_i | set_arb_i;
  assign charge = charge_i != '0;
  always_comb begin
    for (int l = 0; l < 3; l++) begin
      // The credit charged is the last one.
      last[l] = reload_i ? weight_one_q[l] : last_q[l];
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
  always_ff @(posedge clk_i) begin
    if (!rst_ni) set_q <= 1'b1;
    else set_q <= set;
  end
  for (genvar l = 0; l < 3; l++) begin : gen_level
    logic [7:0] base;
    assign base = set_q || reload_i ? weight_zb_q[l] : left_q[l];
    always_ff @(posedge clk_i) begin
      weight_one_q[l] <= weight_zb_q[l] == '0;
      weight_two_q[l] <= weight_zb_q[l] == 8'd1;
      if (set_q || (charge && (reload_i || charge_i[l]))) begin
        left_q[l] <= base - 8'(charge_i[l]);
        if (set_q) last_q[l] <= weight_zb_q[l] == '0;
        else if (!charge_i[l]) last_q[l] <= weight_one_q[l];
        else last_q[l] <= reload_i ? weight_two_q[l] : left_q[l] == 8'd1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || set) begin
        open_q[l] <= 1'b1;
        turn_q[l] <= 1'b0;
      end else begin
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
        for (int l = 0; l < 3; l++) begin
          assert (set_q || !open_q[l] ||
                  (left_q[l] <= weight_zb_q[l] && last_q[l] == (left_q[l] == '0)));
        end
      end
      begin : LevelInTurnHasCredit_A
        assert ((turn_q & ~open_q) == '0 && (turn_q & (turn_q - 3'd1)) == '0);
      end
      begin : OneRequest_M
        assert (32'(set) + 32'(charge_i[0]) + 32'(charge_i[1]) + 32'(charge_i[2]) +
                32'(end_turn_i) <= 1 && !(set_q && charge));
      end
      begin : ChargeFits_M
        assert (reload_i || (charge_i & ~open_q) == '0);
      end
    end
  end
endmodule
`default_nettype wire
