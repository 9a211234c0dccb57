// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_room: the room of a CQ, limit - granted modulo 2^PtrW, if below 16, without a carry.
//
// Purpose: short paths where only little room matters (decision 0024).
// Behaviour: the upper parts are equal, or that of the limit is one more: then the lower 4 bits say
//  how much room there is; else there is more. Whether a number is one more than another needs no
//  carry: they differ in a bit exactly where the bit below is 0 in it and 1 in the other.
// Guarantees: little_o while the room is below 16; room_o is the room modulo 16.
// Timing: combinational.
`default_nettype none
module nvmearb_fr_room #(
    // Width of the counts, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic [PtrW-1:0] limit_i,
    input  wire logic [PtrW-1:0] granted_i,
    output logic                 little_o,
    output logic [3:0]           room_o
);
  if (PtrW <= 4) begin : gen_short
    logic [PtrW-1:0] room;
    assign room = limit_i - granted_i;
    assign room_o = 4'(room);
    assign little_o = 1'b1;
  end else begin : gen_long
    localparam int W = PtrW - 4;
    logic [W-1:0] limit, granted, differ, carries;
    logic [3:0] below, unlike;
    logic borrow_1, borrow_2, borrow_3, borrow_4, equal, one_more;
    assign below = ~limit_i[3:0] & granted_i[3:0];
    assign unlike = limit_i[3:0] ^ granted_i[3:0];
    assign borrow_1 = below[0];
    assign borrow_2 = below[1] || (!unlike[1] && borrow_1);
    assign borrow_3 = below[2] || (!unlike[2] && borrow_2);
    assign borrow_4 = below[3] || (!unlike[3] && borrow_3);
    assign room_o = unlike ^ {borrow_3, borrow_2, borrow_1, 1'b0};
    assign limit = limit_i[PtrW-1:4];
    assign granted = granted_i[PtrW-1:4];
    assign differ = limit ^ granted;
    assign carries[0] = 1'b1;
    for (genvar i = 1; i < W; i++) begin : gen_bit
      assign carries[i] = granted[i-1] && !limit[i-1];
    end
    assign equal = differ == '0;
    assign one_more = differ == carries;
    assign little_o = borrow_4 ? one_more : equal;
  end
endmodule
`default_nettype wire
