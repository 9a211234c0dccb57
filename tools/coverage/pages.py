# SPDX-License-Identifier: Apache-2.0
"""build/coverage/index.html: one page of figures, what is missing, exclusions and the plan; the
sources with their counts are pages of gcovr behind it, functional.html has every combination."""
from html import escape
from pathlib import Path

NAMES = {
    "rtl_line": "RTL lines", "rtl_branch": "RTL branches",
    "rtl_toggle": "RTL signal bits that change",
    "rtl_cover": "RTL cover points", "functional": "functional combinations",
    "cxx_line": "C++ lines of models/ and host_driver/",
    "cxx_branch": "C++ branches (reported only)",
}
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 1rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem; text-align: left; }
td, th { border-bottom: 1px solid #8886; vertical-align: top; } td.n { text-align: right; }
.bad { font-weight: bold; color: light-dark(#b00020, #ff8a80); }
.wide { overflow-x: auto; } code { overflow-wrap: anywhere; }
"""


def document(title: str, body: str) -> str:
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
            f"<h1>{escape(title)}</h1>{body}</body></html>\n")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Cells are HTML; those that begin with a digit stand on the right."""
    def row(cells):
        return "<tr>" + "".join(
            f'<td class="n">{c}</td>' if c[:1].isdigit() else f"<td>{c}</td>"
            for c in cells) + "</tr>"
    return ('<div class="wide"><table><thead><tr>' + "".join(f"<th>{h}</th>" for h in heads) +
            "</tr></thead><tbody>" + "".join(map(row, rows)) + "</tbody></table></div>")


def mark(good: bool, text: str) -> str:
    return escape(text) if good else f'<span class="bad">{escape(text)}</span>'


def figures(measures: dict) -> str:
    rows = [[NAMES[name], f"{m['hit']} of {m['total']}",
             f"{m['percent']:.2f} %", f"{m['goal']} %" if m["goal"] else "-",
             mark(100 * m["hit"] >= m["goal"] * m["total"] > 0 or not m["goal"],
                  "holds" if 100 * m["hit"] >= m["goal"] * m["total"] > 0 or not m["goal"]
                  else "missed"),
             str(m["excluded"])] for name, m in measures.items()]
    return table(["measure", "hit", "share", "goal", "", "excluded"], rows)


def missing(data: dict) -> str:
    parts = []
    for name, places in data["missing"].items():
        if places:
            parts.append(f"<details><summary>{NAMES[name]}: {len(places)}</summary><ul>" +
                         "".join(f"<li><code>{escape(p)}</code></li>" for p in places) +
                         "</ul></details>")
    return "".join(parts) or "<p>Nothing.</p>"


def plan(joined: list) -> str:
    rows = []
    for goal in joined:
        items = ", ".join(f"<code>{escape(i['name'])}</code> {mark(i['good'], i['result'])}"
                          for i in goal["items"])
        rows.append([escape(goal["id"]), escape(goal["goal"]),
                     mark(goal["good"], "shown" if goal["good"] else "not shown"),
                     f"<details><summary>{len(goal['items'])} items</summary>{items}</details>"])
    return table(["goal", "what has to be shown", "", "evidence"], rows)


def functional(crosses: list) -> str:
    parts = []
    for cross in crosses:
        rows = [[*map(escape, row["bins"]),
                 str(row["count"]) if row["count"] else
                 escape(f"impossible: {row['impossible']}") if row["impossible"] else
                 mark(False, "never")] for row in cross["rows"]]
        parts.append(f"<h2>{escape(cross['name'])}</h2><p>{escape(cross['goal'])}</p>" +
                     table([*map(escape, cross["points"]), "times"], rows))
    return "".join(parts)


def write(output: Path, data: dict, crosses: list, joined: list):
    problems = "".join(f"<li>{escape(p)}</li>" for p in data["problems"])
    excluded = [[e["kind"], f"<code>{escape(e['file'])}</code>",
                 f"<code>{escape(e['text'])}</code>", escape(e["reason"]), str(e["points"])]
                for e in data["exclusions"]]
    body = (
        f"<p>{mark(data['good'], 'All goals hold.' if data['good'] else 'Goals are missed.')}</p>"
        f"{figures(data['measures'])}"
        '<p>Detail: <a href="source/index.html">sources with counts, RTL and C++</a>, '
        '<a href="functional.html">functional coverage</a>; for tools: '
        '<a href="coverage.info">lcov</a>, <a href="cobertura.xml">Cobertura</a>.</p>'
        + (f'<h2>Missed</h2><ul class="bad">{problems}</ul>' if problems else "") +
        f"<h2>Verification plan</h2>{plan(joined)}"
        f"<h2>Not covered</h2>{missing(data)}"
        f"<h2>Exclusions</h2>{table(['kind', 'file', 'what', 'why', 'points'], excluded)}")
    (output / "index.html").write_text(document("Coverage of nvmearb", body))
    (output / "functional.html").write_text(
        document("Functional coverage of nvmearb", functional(crosses)))
