// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_credits: arbitration settings, credits of the weighted levels, and the level in turn.
//
// Purpose: weighted round robin between the levels high, medium and low (decision 0002, rules 3, 5,
//  9).
// Behaviour:
//  1. set_arb_i takes burst and weights; all credits become weight + 1; no level is in turn.
//  2. charge_i takes count_i credits of level_i, which is in turn from then on if keep_i and
//     credits are left. With reload_i all credits become weight + 1 first.
//  3. end_turn_i: the visit of level_i ended without a grant; if it was in turn, none is.
//  4. clear_i: power-on values, that is all settings 0 (burst 1, weights 1:1:1).
// Guarantees: 0 <= credit <= weight + 1 (CreditInRange_A); a level in turn has credits
//  (LevelInTurnHasCredit_A).
// Requires: at most one request per clock (OneRequest_M); count_i is not above the credits
//  (ChargeFits_M).
// Timing: effects are visible after the edge.
// Spec: NVMe Base 2.1, 3.4.4.2 and figure 386.
`default_nettype none
module nvmearb_credits (
    input  wire logic       clk_i,
    input  wire logic       rst_ni,
    // Settings, as in feature 01h.
    input  wire logic       clear_i,
    input  wire logic       set_arb_i,
    input  wire logic [2:0] ab_i,
    input  wire logic [7:0] hpw_zb_i,
    input  wire logic [7:0] mpw_zb_i,
    input  wire logic [7:0] lpw_zb_i,
    // Use of credits. level_i: 0 high, 1 medium, 2 low.
    input  wire logic       charge_i,
    input  wire logic       reload_i,
    input  wire logic       keep_i,
    input  wire logic       end_turn_i,
    input  wire logic [1:0] level_i,
    input  wire logic [3:0] count_i,
    // State, from registers. open_o: credits are left.
    output logic [2:0]      ab_o,
    output logic [2:0][7:0] weight_zb_o,
    output logic [2:0][8:0] credit_o,
    output logic [2:0]      open_o,
    output logic            turn_valid_o,
    output logic [1:0]      turn_level_o
);
  logic [2:0] ab_q;
  logic [2:0][7:0] weight_zb_q, weight_zb_d;
  logic [2:0][8:0] credit_q, credit_d;
  logic turn_valid_q;
  logic [1:0] turn_level_q;
  logic set;
  logic [8:0] left;

  assign set = clear_i | set_arb_i;

  function automatic logic [8:0] full(input logic [7:0] weight_zb);
    return {1'b0, weight_zb} + 9'd1;
  endfunction


  always_comb begin
    credit_d = '0;
    weight_zb_d = '0;
    left = '0;
    if (set) begin
      weight_zb_d = clear_i ? '0 : {lpw_zb_i, mpw_zb_i, hpw_zb_i};
      for (int l = 0; l < 3; l++) credit_d[l] = full(weight_zb_d[l]);
    end else if (charge_i) begin
      left = (reload_i ? full(weight_zb_q[level_i]) : credit_q[level_i]) - {5'd0, count_i};
      for (int l = 0; l < 3; l++) begin
        if (level_i == 2'(l)) credit_d[l] = left;
        else credit_d[l] = reload_i ? full(weight_zb_q[l]) : credit_q[l];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ab_q <= '0;
      weight_zb_q <= '0;
      credit_q <= {9'd1, 9'd1, 9'd1};
      turn_valid_q <= 1'b0;
      turn_level_q <= '0;
    end else begin
      if (set) begin
        ab_q <= clear_i ? '0 : ab_i;
        weight_zb_q <= weight_zb_d;
      end
      if (set | charge_i) credit_q <= credit_d;
      if (set) begin
        turn_valid_q <= 1'b0;
      end else if (charge_i) begin
        turn_valid_q <= keep_i && left != '0;
        turn_level_q <= level_i;
      end else if (end_turn_i && level_i == turn_level_q) begin
        turn_valid_q <= 1'b0;
      end
    end
  end

  assign ab_o = ab_q;
  assign weight_zb_o = weight_zb_q;
  assign credit_o = credit_q;
  assign open_o = {credit_q[2] != '0, credit_q[1] != '0, credit_q[0] != '0};
  assign turn_valid_o = turn_valid_q;
  assign turn_level_o = turn_level_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : CreditInRange_A
        assert (credit_q[0] <= full(weight_zb_q[0]) && credit_q[1] <= full(weight_zb_q[1]) &&
                credit_q[2] <= full(weight_zb_q[2]));
      end
      begin : LevelInTurnHasCredit_A
        assert (!turn_valid_q || open_o[turn_level_q]);
      end
      begin : OneRequest_M
        assert (!(set && (charge_i || end_turn_i)) && !(charge_i && end_turn_i));
      end
      begin : ChargeFits_M
        assert (!charge_i ||
                {5'd0, count_i} <= (reload_i ? full(weight_zb_q[level_i]) : credit_q[level_i]));
      end
      begin : ReloadWhileOthersHaveCredit_C
        cover (charge_i && reload_i && open_o != '0);
      end
      begin : TurnEndsWithoutGrant_C
        cover (end_turn_i && turn_valid_q && level_i == turn_level_q);
      end
      begin : GreatestWeight_C
        cover (charge_i && !reload_i && credit_q[level_i] == 9'd256);
      end
      begin : SettingEndsTurn_C
        cover (set_arb_i && turn_valid_q);
      end
    end
  end
endmodule
`default_nettype wire
