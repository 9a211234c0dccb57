// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_pick: rules 2, 3, 8 and 14 of decision 0002, as sentences.
`default_nettype none
module fr_pick_props
  import nvmearb_fr_pkg::*;
#(
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic                 clk_i,
    input wire logic                 wrr_i,
    input wire logic [RingCount-1:0] has_i,
    input wire logic [2:0]           open_i,
    input wire logic [2:0]           turn_i,
    input wire logic                 allow_admin_i,
    input wire logic                 allow_first_i,
    input wire logic                 allow_levels_i
);
  logic [RingCount-1:0] ring;
  logic reload;
  nvmearb_fr_pick u_dut (.wrr_i, .has_i, .open_i, .turn_i, .allow_admin_i, .allow_first_i,
                         .allow_levels_i, .ring_o(ring), .reload_o(reload));

  // Who may be chosen below admin, and who among the levels.
  logic strict, level_allowed;
  logic [2:0] served, open;
  logic [1:0] chosen, highest;
  assign strict = has_i[RingAdmin] || has_i[RingUrgent];
  assign level_allowed = wrr_i && !strict && allow_levels_i;
  assign open = has_i[3:1] & open_i;
  assign served = ring[3:1];
  assign chosen = served[0] ? 2'd0 : served[1] ? 2'd1 : 2'd2;
  // Of the levels that may be served: the open ones, or after a reload all.
  always_comb begin
    highest = 2'd3;
    for (int l = 2; l >= 0; l--) begin
      if (open != '0 ? open[l] : has_i[l+1]) highest = 2'(l);
    end
  end

  always @(posedge clk_i) begin
    // A level in turn goes on with a visit: it is one, has that SQ and credits. Round robin has
    // none.
    begin : TurnIsOneOpenLevel_M
      assume ((turn_i & (turn_i - 3'd1)) == '0 && (turn_i & ~open) == '0);
    end
    begin : RoundRobinHasNoLevels_M assume (wrr_i || (has_i[3:1] | turn_i) == '0); end
    begin : AtMostOneRing_A assert ((ring & (ring - RingCount'(1))) == '0); end
    begin : RingHasAnSq_A assert ((ring & ~has_i) == '0); end
    begin : AdminFirst_A assert (ring[RingAdmin] == (has_i[RingAdmin] && allow_admin_i)); end
    begin : AdminIsNotOvertaken_A assert (!has_i[RingAdmin] || ring[RingAdmin-1:0] == '0); end
    begin : UrgentNext_A
      assert (ring[RingUrgent] == (has_i[RingUrgent] && !has_i[RingAdmin] && allow_first_i));
    end
    begin : LevelsOnlyBelow_A assert (served == '0 || level_allowed); end
    begin : SomeLevelIsServed_A
      assert ((served != '0) == (level_allowed && has_i[3:1] != '0));
    end
    if (served != '0 && turn_i != '0) begin : TurnGoesOn_A assert (served == turn_i); end
    if (served != '0 && turn_i == '0) begin : HighestOfThose_A assert (chosen == highest); end
    if (served != '0) begin : ReloadOnlyWhenNoneIsOpen_A assert (reload == (open == '0)); end
    begin : LowAfterReload_C cover (served[2] && reload); end
    begin : MediumInTurn_C cover (served[1] && open[0]); end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // Forgets the level in turn.
      if (served[1]) begin : False_A assert (!open[0]); end
    end
  end
endmodule
`default_nettype wire
