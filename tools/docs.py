#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/docs.py SOURCE [--check-only]: gathers the pages for the site in SOURCE and checks every
link inside the project: that the file is there, and the heading that it names.

The pages are docs/ as it is, README.md as the first page, CONTRIBUTING.md and CHANGELOG.md. A link
to another file of the project gets a copy of that file. tools/mkdocs.yml makes the site of them.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md",
         "CHANGELOG.md": "CHANGELOG.md"}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.M | re.S)


def slug(heading: str) -> str:
    """The anchor of a heading, as Markdown's table of contents makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[^\w\s-]", "", text).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def pages(root: Path) -> dict[str, str]:
    """Path in the project -> path in the site."""
    found = {name: place for name, place in PAGES.items() if (root / name).exists()}
    for path in sorted((root / "docs").rglob("*")):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            found[name] = path.relative_to(root / "docs").as_posix()
    return found


def relative(to: str, page: str) -> str:
    return "../" * page.count("/") + to


class Site:
    def __init__(self, root: Path):
        self.root = root
        self.pages = pages(root)
        self.problems = []
        self.copies = {}  # path in the project -> path in the site

    def resolve(self, name: str, target: str) -> str:
        """The link of page `name` as the site has it; says what is wrong with it."""
        if re.match(r"[a-z]+:", target):
            return target
        path, _, anchor = target.partition("#")
        full = (self.root / name).parent / path if path else self.root / name
        if not full.exists() or self.root not in full.resolve().parents:
            self.problems.append(f"{name}: ({target}): there is no such file")
            return target
        if full.suffix == ".md" and anchor and anchor not in anchors(full):
            self.problems.append(f"{name}: ({target}): no such heading; there are "
                                 f"{', '.join(sorted(anchors(full)))}")
        inside = full.resolve().relative_to(self.root).as_posix()
        place = self.pages.get(inside)
        if full.is_dir():
            place = self.pages.get(f"{inside}/index.md") or self.pages.get(f"{inside}/README.md")
            if place is None and inside == "docs/decisions":
                place = "decisions/index.md"
        if place is None:
            place = self.copies.setdefault(inside, f"source/{inside}.txt")
        return relative(place, self.pages[name]) + (f"#{anchor}" if anchor else "")

    def page(self, name: str) -> str:
        text = (self.root / name).read_text()
        parts, at = [], 0
        for code in CODE.finditer(text):  # what looks like a link in code is none
            parts.append(self.links(name, text[at:code.start()]))
            parts.append(code.group(0))
            at = code.end()
        return "".join(parts) + self.links(name, text[at:])

    def links(self, name: str, text: str) -> str:
        return LINK.sub(lambda m: f"{m.group(1)}({self.resolve(name, m.group(2))})", text)

    def gather(self, to: Path):
        shutil.rmtree(to, ignore_errors=True)
        for name, place in self.pages.items():
            (to / place).parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".md"):
                (to / place).write_text(self.page(name))
            else:
                shutil.copy(self.root / name, to / place)
        (to / "decisions").mkdir(exist_ok=True)
        titles = [(place, (self.root / name).read_text().splitlines()[0].lstrip("# "))
                  for name, place in self.pages.items() if name.startswith("docs/decisions/")]
        (to / "decisions/index.md").write_text(
            "# Decisions\n\nWhat was decided, why, and what else was considered.\n\n" + "".join(
                f"- [{title}]({Path(place).name})\n" for place, title in sorted(titles)))
        for inside, place in self.copies.items():
            path = self.root / inside
            (to / place).parent.mkdir(parents=True, exist_ok=True)
            (to / place).write_text(
                "\n".join(sorted(entry.name for entry in path.iterdir())) if path.is_dir()
                else path.read_text())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--root", type=Path, default=ROOT)
    args = parser.parse_args()
    site = Site(args.root.resolve())
    site.gather(args.source)
    for problem in site.problems:
        print(problem)
    return 1 if site.problems else 0


if __name__ == "__main__":
    sys.exit(main())
