// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_credits: credits left, counted down, beside the credits used that it
// counts up.
`default_nettype none
module fr_credits_props #(
    // Weights are below 2^WeightW; wider ones take the same paths.
    parameter int WeightW = 8,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic       clk_i,
    input wire logic       rst_ni,
    input wire logic       clear_i,
    input wire logic       set_arb_i,
    input wire logic [2:0] ab_i,
    input wire logic [2:0][WeightW-1:0] weight_i,
    input wire logic [2:0] charge_i,
    input wire logic       reload_i,
    input wire logic [2:0] keep_i,
    input wire logic       end_turn_i,
    input wire logic [1:0] end_level_i
);
  logic [2:0] ab, open, turn;
  logic [2:0][7:0] weight;
  nvmearb_fr_credits u_dut (
      .clk_i, .rst_ni, .clear_i, .set_arb_i, .ab_i,
      .hpw_zb_i(8'(weight_i[0])), .mpw_zb_i(8'(weight_i[1])), .lpw_zb_i(8'(weight_i[2])),
      .charge_i, .reload_i, .keep_i, .end_turn_i, .end_level_i,
      .ab_o(ab), .weight_zb_o(weight), .open_o(open), .turn_o(turn));

  logic started_q = 1'b0;
  logic [2:0] ab_q, turn_q, turn_d;
  logic [2:0][7:0] weight_q;
  logic [2:0][8:0] left_q, left_d;
  logic charge, set, set_q;
  assign charge = charge_i != '0;
  assign set = clear_i || set_arb_i;
  always_comb begin
    left_d = left_q;
    turn_d = turn_q;
    for (int l = 0; l < 3; l++) begin
      if (charge && reload_i) left_d[l] = 9'(weight_q[l]) + 9'd1;
      if (charge_i[l]) left_d[l] = left_d[l] - 9'd1;
      if (charge) turn_d[l] = charge_i[l] && keep_i[l] && left_d[l] != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    set_q <= !rst_ni || set;
    left_q <= left_d;
    turn_q <= turn_d;
    if (end_turn_i && end_level_i != 2'd3) turn_q[end_level_i] <= 1'b0;
    if (!rst_ni || clear_i) begin
      ab_q <= '0;
      weight_q <= '0;
      left_q <= {3{9'd1}};
      turn_q <= '0;
    end else if (set_arb_i) begin
      ab_q <= ab_i;
      turn_q <= '0;
      for (int l = 0; l < 3; l++) begin
        weight_q[l] <= 8'(weight_i[l]);
        left_q[l] <= 9'(weight_i[l]) + 9'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    begin : NoChargeBehindASetting_M assume (!started_q || !set_q || !charge); end
    if (rst_ni) begin
      begin : Settings_A assert (ab == ab_q && weight == weight_q); end
      begin : NeverMoreThanWeight_A
        assert (left_q[0] <= 9'(weight_q[0]) + 9'd1 && left_q[1] <= 9'(weight_q[1]) + 9'd1 &&
                left_q[2] <= 9'(weight_q[2]) + 9'd1);
      end
      begin : OpenWhileCreditsAreLeft_A
        assert (open == {left_d[2] != '0, left_d[1] != '0, left_d[0] != '0});
      end
      begin : TurnAsKept_A assert (turn == turn_d); end
      begin : AllSpent_C cover (!set && left_q == '0); end
      begin : ReloadInTurn_C cover (charge && reload_i && turn != '0); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // A level that was reloaded may be charged to the end at once.
      if (rst_ni) begin : False_A assert (!(charge && reload_i) || open == '1); end
    end
  end
endmodule
`default_nettype wire
