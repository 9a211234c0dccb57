// SPDX-License-Identifier: Apache-2.0
//
// obs_probe: shows where each field of the packed structs lies: all ones in the field that field_i
// names. The order is that of obs_layout_test.cc.
`default_nettype none
module obs_probe
  import nvmearb_pkg::*;
(
    input  wire logic [5:0] field_i,
    output obs_t            obs_o,
    output sqe_user_t       user_o
);
  always_comb begin
    obs_o = '0;
    user_o = '0;
    case (field_i)
      6'd0: obs_o.cfg_valid = '1;
      6'd1: obs_o.cfg.op = cfg_op_e'(3'b111);
      6'd2: obs_o.cfg.id = '1;
      6'd3: obs_o.cfg.cqid = '1;
      6'd4: obs_o.cfg.size_zb = '1;
      6'd5: obs_o.cfg.sq_class = sq_class_e'(3'b111);
      6'd6: obs_o.cfg.base = '1;
      6'd7: obs_o.cfg.wrr = '1;
      6'd8: obs_o.cfg.ab = '1;
      6'd9: obs_o.cfg.hpw_zb = '1;
      6'd10: obs_o.cfg.mpw_zb = '1;
      6'd11: obs_o.cfg.lpw_zb = '1;
      6'd12: obs_o.db_valid = '1;
      6'd13: obs_o.db_reject = '1;
      6'd14: obs_o.db_error = '1;
      6'd15: obs_o.db.is_cq = '1;
      6'd16: obs_o.db.qid = '1;
      6'd17: obs_o.db.value = '1;
      6'd18: obs_o.grant_valid = '1;
      6'd19: obs_o.grant.sqid = '1;
      6'd20: obs_o.grant.cqid = '1;
      6'd21: obs_o.grant.head = '1;
      6'd22: obs_o.grant.size_zb = '1;
      6'd23: obs_o.grant.count = '1;
      6'd24: obs_o.grant.sq_class = sq_class_e'(3'b111);
      6'd25: obs_o.grant.first = '1;
      6'd26: obs_o.fetch_valid = '1;
      6'd27: obs_o.fetch_sqid = '1;
      6'd28: obs_o.fetch_count = '1;
      6'd29: obs_o.fetch_head = '1;
      6'd30: obs_o.complete_valid = '1;
      6'd31: obs_o.complete.sqid = '1;
      6'd32: obs_o.complete.cqid = '1;
      6'd33: obs_o.complete.posted = '1;
      6'd34: obs_o.credit_h = '1;
      6'd35: obs_o.credit_m = '1;
      6'd36: obs_o.credit_l = '1;
      6'd37: user_o.sqid = '1;
      6'd38: user_o.cqid = '1;
      6'd39: user_o.sqhd = '1;
      6'd40: user_o.sq_class = sq_class_e'(3'b111);
      default: ;
    endcase
  end
endmodule
`default_nettype wire
