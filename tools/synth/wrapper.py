# SPDX-License-Identifier: Apache-2.0
"""Makes the module that is placed and routed: the device under test between flip-flops.

Every input bit comes from a flip-flop of one long shift register, every output bit goes to a
flip-flop of its own, and a tree of registered XORs brings those to one pin. So a clock period
covers flip-flop to flip-flop only, pins play no role, any port width fits any package, and nothing
of the module is unused. The module itself is a black box here: its netlist is put in afterwards, so
that nothing is optimised across the border.
"""

NAME = "synth_wrapper"


def _slices(ports: dict, direction: str):
    """(name, low bit, width) of each port in the flat vector of that direction, and its width."""
    found, at = [], 0
    for name, port in ports.items():
        if port["direction"] == direction and not name.startswith("clk"):
            width = len(port["bits"])
            found.append((name, at, width))
            at += width
    return found, at


def _xor_tree(width: int) -> list[str]:
    """Registered XORs of four until one bit is left."""
    lines, level = [], 0
    while width > 1:
        after = (width + 3) // 4
        lines.append(f"  reg [{after - 1}:0] x{level + 1};")
        lines.append("  always @(posedge clk) begin")
        for bit in range(after):
            top = min(4 * bit + 3, width - 1)
            lines.append(f"    x{level + 1}[{bit}] <= ^x{level}[{top}:{4 * bit}];")
        lines.append("  end")
        width, level = after, level + 1
    return lines + [f"  assign so = x{level}[0];"]


def verilog(module: str, ports: dict) -> str:
    """ports: as in the JSON netlist of Yosys. Ports whose name begins with clk get the clock."""
    ins, in_width = _slices(ports, "input")
    outs, out_width = _slices(ports, "output")
    clocks = [name for name, port in ports.items()
              if port["direction"] == "input" and name.startswith("clk")]
    stub = [f"(* blackbox *) module {module} ("]
    stub.append(",\n".join(f"  {port['direction']} [{len(port['bits']) - 1}:0] {name}"
                           for name, port in ports.items()))
    stub.append(");\nendmodule")
    pins = [f".{name}(clk)" for name in clocks]
    pins += [f".{name}(in_q[{at + width - 1}:{at}])" for name, at, width in ins]
    pins += [f".{name}(out[{at + width - 1}:{at}])" for name, at, width in outs]
    body = [
        f"module {NAME} (input clk, input si, output so);",
        f"  reg [{in_width - 1}:0] in_q;",
        f"  always @(posedge clk) in_q <= {{in_q[{in_width - 2}:0], si}};",
        f"  wire [{out_width - 1}:0] out;",
        f"  reg [{out_width - 1}:0] x0;",
        "  always @(posedge clk) x0 <= out;",
        *_xor_tree(out_width),
        f"  {module} dut (\n      " + ",\n      ".join(pins) + ");",
        "endmodule",
    ]
    return "\n".join(stub + body) + "\n"
