# SPDX-License-Identifier: Apache-2.0
"""Counts odd turns of English in comments, messages and pages.

usage: words.py [--root TREE] [--since REVISION] [--lower] [PATH...]

Without a PATH: hits per pattern and per folder, also for each 10 000 words.
With paths (files or folders, from the root of the tree): each hit as FILE:LINE: pattern: text (write this instead).
--since REVISION: only hits on lines that are in the working tree and not in that revision of git.
--lower: lowers the counts of words.debts to what there is. Where words.debts names no folder lint allows no hit.
"""
import argparse
import bisect
import collections
import functools
import io
import pathlib
import re
import subprocess
import sys
import tokenize

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tree import Tree  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORD = re.compile(r"[A-Za-z][A-Za-z']*(?:-[A-Za-z]+)*")
SOURCES = {".c", ".h", ".inc", ".cpp", ".hpp", ".cc"}


PEOPLE = (r"users?|people|persons?|readers?|authors?|developers?|those|anyone|everyone|someone|anybody|"
          r"somebody|everybody|nobody|one|he|she|you|we|they|others|him|her|owner|O'Connor|Perkins")
IS = r"(?:is|are|was|were|be|been|being)"
HAS = r"(?:is|are|has|have|had|was|were|may|can|cannot|could|would|will|must|do|does|did|needs?|comes?)"


class Pattern:
    """An odd turn: `regex` finds it, unless `before` matches what ends there; `write` is the plain way."""

    def __init__(self, name, regex, write, before=None):
        self.name, self.regex, self.write = name, re.compile(regex), write
        self.before = re.compile(f"(?:{before})$") if before else None

    def hits(self, words):
        for found in self.regex.finditer(words):
            if not (self.before and self.before.search(words[max(0, found.start() - 60):found.start()])):
                yield found


PATTERNS = [
    Pattern("is no X", rf"\b{IS} no (?!(?:more|less|longer|doubt|need|way|better|worse|other|later|sooner|"
            r"fewer|larger|greater|smaller|faster|slower|one|reason|point|room)\b)\w+",
            "is not a ...", r"(?<!not )\b[Tt]here (?:\w+ )?"),
    Pattern("X alone", r"(?<![\w-])alone\b(?!-)", "only ... before the noun",
            r"\b(?:(?:let|lets|leaves?|left|leaving) (?:[\w`.]+ ){0,4}|(?:stands?|(?<!the )runs?|compiles?|working) )"),
    Pattern("tell", r"\b(?:[Tt]ells?|[Tt]old|[Tt]elling)\b(?! to(?! (?:the|a|an|its)\b)| (?:\w+ ){0,4}(?:apart|from)\b)",
            "report, print, warn, say"),
    Pattern("stand", r"\b(?:stands?|stood)\b(?!-| (?:for|in for|still|alone|out|up|apart)\b)", "is, is written"),
    Pattern("anew", r"\banew\b", "again, re-..."),
    Pattern("beside", r"\b[Bb]eside\b", "next to, compared with, besides"),
    Pattern("is wanted", rf"\b{IS} wanted\b|\bwanted, not\b", "expected X, got Y"),
    Pattern("is none", rf"\b{IS} none\b(?! of (?:the|these|those|its|their)\b)", "is not one, is missing, is invalid",
            r"\b[Tt]here (?:\w+ )?"),
    Pattern("What ... .", r"(?:(?<=^)|(?<=[.!] )|(?<=[.!]  ))What (?!(?:if|about)\b)(?=[^.?]*(?:\.|$))", "name the thing"),
    Pattern("what of", r"\b[Ww]hat of (?:a|an|the|it|its|them|this|that|these|each)\b", "which part of"),
    Pattern("what comes", r"\b[Ww]hat (?:comes?|came|goes|went|stays|stood|stands|is there|there is|there was)\b",
            "name the thing"),
    Pattern(", for it", rf"[,;] for (?:(?:it|they|there|he|we|nobody|nothing|otherwise) \w+|"
            rf"(?!(?:what|which|whom|whose)\b)(?:(?!(?:that|which|whose|where|when|whom|if|as)\b)[\w'-]+ ){{1,4}}"
            r"(?:is|are|has|have|was|were|cannot|would|will)\b)", "because"),
    Pattern("of before", r"\bof (?:before|now|then)\b(?! and)", "previous, current"),
    Pattern("of theirs", r"\bof (?:theirs|ours|yours|hers|mine)\b", "their ..., our ..."),
    Pattern("who", r"\bwho(?:ever|m)?\b", "the caller, an observer, which",
            rf"\b(?:{PEOPLE})(?:,| [\w.]+)? "),
    Pattern("has not the", r"\b(?:has|have|had) (?:not (?:the|a|an|its|any|their)|no say)\b", "does not have"),
    Pattern("lies", r"\b(?:files?|folders?|programs?|plugins?|libraries|library|arrays?|bytes?|rows?|"
            r"checkpoints?|keys?|names?) (?:\w+ )?(?:lies|lie|lay)\b(?! outside)"
            r"|\b(?:lies|lie|lay) (?:at|in|beside|next to) (?:the|a|its|this) (?:path|file|folder|memory|cache|build|PATH)\b",
            "is"),
    Pattern("is said", rf"\b{IS} said\b(?! to\b)", "is reported, is printed"),
    Pattern("all is", r"\b[Aa]ll (?:is|was|stays|stayed|goes)\b", "everything is, name the things"),
    Pattern("that there are", r"\b\w+ that there (?:is|are|was|were)(?=\s*(?:[.,;:)]|$)| (?:now|before|at|in)\b)",
            "the current ...",
            r"\b(?:so|say|says|know|knows|see|sees) "),
    Pattern("Of each", r"(?:(?<=^)|(?<=[.!] ))Of (?!course\b)[a-z]+", "subject first"),
    Pattern("in the place of", r"\bin the place of\b", "in place of, instead of"),
    Pattern("nothing of", r"\b[Nn]othing of (?:it|that|this|them|the|ours|a|an|its)\b(?! (?:kind|sort)\b)", "none of, nothing in"),
    Pattern("as ever", r"\bas ever\b", "as always, as before"),
    Pattern("archaic", r"\b(?:foretold|whence|albeit|lest|thereof|therein|wherein|ere|unto|hereby|goes by the)\b",
            "a plain word"),
    Pattern("mend", r"\bmend(?:s|ed|ing)?\b", "fix, correct, repair"),
    Pattern("home-made", r"\b(?:crews?|heirs?|keepers?|pasts|(?:whose|a|the|no|its|their|with|without) past)\b"
            r"(?! (?:the|a|an|\d)\b)", "see docs/explanation/glossary.md"),
    Pattern("be had", r"\bbe had\b", "is missing, cannot be made, can be opened"),
    Pattern("no more.", r"\bno more\b(?=\s*(?:[.,;:)]|$))", "no longer, only ...", r"\b[Tt]here (?:is|are) "),
    Pattern("bears", r"\b(?:bears?|bore|borne)\b(?! (?:on|out)\b)", "supports, allows, has"),
]


class Text:
    """A passage and the lines that its characters come from; kind: "comment", "string" or "page"."""

    def __init__(self, kind):
        self.kind = kind
        self.parts, self.starts, self.lines, self.length = [], [], [], 0

    def add(self, words, line):
        self.starts.append(self.length)
        self.lines.append(line)
        self.parts.append(words)
        self.length += len(words)

    @functools.cached_property
    def words(self):
        return "".join(self.parts)

    def line(self, at):
        return self.lines[bisect.bisect_right(self.starts, at) - 1]


def passage(pieces, kind, gap=" "):
    """One passage of (line, text) pairs, with a gap after each."""
    text = Text(kind)
    for line, words in pieces:
        text.add(words + gap, line)
    return text


C_TOKEN = re.compile(r"""(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*")"""
                     r"""|'(?:\\.|[^'\\\n])*'""", re.S)


def clean_comment(line):
    """A line of a comment without its marks, code in backquotes and indented tables."""
    return re.sub(r"`[^`]*`", "X", re.sub(r"^\s*(?:/\*+|\*+/|\*|//+!?|#+)?[<!]?\s?", "",
                                          line.replace("*/", "")))


def paragraphs(lines, kind="comment"):
    """(line, text) pairs cut at empty lines and at the line of the licence."""
    group = []
    for number, words in lines:
        if words.strip() and "SPDX-License" not in words:
            group.append((number, words))
        elif group:
            yield passage(group, kind)
            group = []
    if group:
        yield passage(group, kind)


TEST_NAME = re.compile(r"/?[a-z0-9_]+(?:/[a-z0-9_]+)*(?:-[a-z0-9_]+)+(?:/[a-z0-9_-]+)*")


def spoken(literal):
    """A string literal; the name of a test, "/pool/edges-stay-where-they-are", in words."""
    return re.sub("[-/]", " ", literal) if TEST_NAME.fullmatch(literal) else literal


def c_texts(code):
    """Comments and messages of a C file. Line comments on successive lines are one passage, and so are
    string literals with nothing but blanks and macros of formats between them."""
    group, kind, end = [], None, 0

    def flush():
        nonlocal group
        found = list(paragraphs(group)) if kind == "line" else [passage(group, "string", "")] if group else []
        group = []
        return found

    for token in C_TOKEN.finditer(code):
        line = code.count("\n", 0, token.start()) + 1
        between = code[end:token.start()]
        what = token.lastgroup
        if what is None:
            continue
        joined = what == kind and (re.fullmatch(r"\s*\n?[ \t]*", between) if what == "line" else
                                   re.fullmatch(r"\s*(?:[A-Z][A-Za-z0-9_]*\s*)?", between))
        if not joined or what == "block":
            yield from flush()
        kind, end = what, token.end()
        if what == "block":
            yield from paragraphs((line + k, clean_comment(words))
                                  for k, words in enumerate(token.group(0).split("\n")))
            kind = None
        elif what == "line":
            group.append((line, clean_comment(token.group(0))))
        elif not re.search(r"#\s*include\s*$", code[max(0, token.start() - 12):token.start()]):
            macro = "X" if joined and between.strip() else ""  # the compiler joins literals without a gap
            group.append((line, macro + re.sub(r"\\[nt]", " ", spoken(token.group(0)[1:-1]))))
    yield from flush()


def python_texts(code):
    group, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield from paragraphs(group)
                group = []
            group.append((token.start[0], clean_comment(token.string)))
            last = token.start[0]
        elif token.type == tokenize.STRING:
            inside = re.sub(r"^\w*(\"\"\"|'''|\"|')(.*)\1$", r"\2", token.string, flags=re.S)
            kind = "comment" if token.string.lstrip("rbf").startswith('"""') else "string"
            yield from paragraphs([(token.start[0] + k, re.sub(r"`[^`]*`", "X", words))
                                   for k, words in enumerate(inside.split("\n"))], kind)
    yield from paragraphs(group)


def hash_texts(code):
    """Comments of a meson.build."""
    yield from paragraphs((k, clean_comment(line[line.index("#"):]) if re.match(r"(?:.*\s)?#", line)
                           else "") for k, line in enumerate(code.split("\n"), 1))


def shell_texts(code):
    """Comments of a shell script, what it echoes, and its here-documents."""
    yield from hash_texts(code)
    end = None
    for line, words in enumerate(code.split("\n"), 1):
        start = re.search(r"(?<!<)<<-?'?(\w+)'?\s*$", words)
        printed = [words] if end and words != end else re.findall(r'"([^"]*)"', words)
        end = start.group(1) if start else None if words == end else end
        yield from (passage([(line, text)], "string", "") for text in printed)


def list_texts(code):
    """Comments of a list of the lint rules, and the reasons after its colons."""
    yield from hash_texts(code)
    for line, words in enumerate(code.split("\n"), 1):
        if not words.startswith("#") and ": " in words:
            yield passage([(line, words.split(": ", 1)[1])], "comment", "")


def fortran_texts(code):
    yield from c_texts(re.sub(r"(?m)(^|\s)!", r"\1//", code))


def cfg_texts(code):
    yield from c_texts(re.sub(r"(?m)(^|\s)#", r"\1//", code))


def page_texts(code):
    """Prose of a Markdown page: no code blocks, no addresses of links."""
    fence, lines = False, []
    for number, line in enumerate(code.split("\n"), 1):
        mark = re.match(r"\s*(```|~~~)", line)
        fence = fence != bool(mark)
        prose = "" if fence or mark or line.startswith("    ") and not lines[-1][1].strip() else line
        if re.match(r"\s*(?:[-*+] |\d+\. |#|\|)", prose):
            lines.append((number, ""))
        lines.append((number, re.sub(r"\]\([^)]*\)", "]", re.sub(r"[*_]{1,2}(?=\w)|(?<=\w)[*_]{1,2}", "",
                                                                prose))))
    for text in paragraphs(lines, "page"):
        yield passage([(line, re.sub(r"`[^`]*`", "X", words)) for line, words in
                       zip(text.lines, text.parts)], "page")


def man_texts(code):
    lines = [(k, re.sub(r"\\f[A-Z]|\\&|^\.(?:B|I|BR|IR|RB|BI)\s", "", line).replace("\\-", "-"))
             for k, line in enumerate(code.split("\n"), 1)]
    yield from paragraphs([(k, "" if line.startswith((".", "'")) else line) for k, line in lines], "page")


READERS = {".py": python_texts, ".md": page_texts, ".md.in": page_texts, ".cfg": cfg_texts, ".1": man_texts,
           ".rs": c_texts, ".f90": fortran_texts, ".sh": shell_texts, "run": shell_texts, "bootstrap": shell_texts,
           "meson.build": hash_texts, "circles": list_texts, "exceptions": list_texts}
ALSO = ("*.md", "meson.build", "bootstrap", ".ci/run", ".ci/*.py")  # at the root
FOLDERS = ("abi", "core", "plugins", "tests", "contrib", "docs", "configs")
LEFT_OUT = {"fixtures", "corpus", "__pycache__", "words.py", "rules_words.py"}


def reader_of(name):
    path = pathlib.PurePosixPath(name)
    return c_texts if path.suffix in SOURCES else READERS.get(path.name) or READERS.get("".join(path.suffixes[-2:])) \
        or READERS.get(path.suffix)


@functools.lru_cache(maxsize=None)
def texts(reader, content):
    """The passages of a file."""
    return [text for text in reader(content) if len(WORD.findall(text.words)) > 1]


@functools.lru_cache(maxsize=None)
def odd_turns(reader, content):
    """(line, pattern, text around it) of each odd turn of a file."""
    found = []
    for text in texts(reader, content):
        for pattern in PATTERNS:
            for hit in pattern.hits(text.words):
                near = text.words[max(0, hit.start() - 35):hit.end() + 35]
                found.append((text.line(hit.start()), pattern, " ".join(near.split())))
    return sorted(found, key=lambda hit: hit[0])


def files(tree):
    """Names of what is read, in order."""
    names = [name for pattern in ALSO for name in tree.glob(pattern)]
    for folder in FOLDERS:
        names += tree.glob(f"{folder}/**/*")
    return [n for n in sorted(set(names)) if reader_of(n) and not LEFT_OUT & set(n.split("/"))]


def hits(tree, name):
    return odd_turns(reader_of(name), tree.text(name))


def read_debts(tree):
    """Folder or file -> most odd turns that it may have."""
    name = "tests/lint/words.debts"
    lines = tree.text(name).splitlines() if tree.exists(name) else []
    return {place: int(most) for place, most in
            (line.split() for line in lines if line.strip() and line[0] != "#")}


def above_debts(tree):
    """(file or folder, complaint): odd turns where there may be none, and folders with more than their debt."""
    debts, counts = read_debts(tree), collections.Counter()
    for name in files(tree):
        places = [name] + [str(p) for p in pathlib.PurePosixPath(name).parents]
        owner = next((p for p in places if p in debts), None)
        tree.look()
        for line, pattern, near in hits(tree, name):
            if owner:
                counts[owner] += 1
            else:
                yield name, f"line {line}: {pattern.name}: ...{near}... ({pattern.write})"
    for place, most in debts.items():
        if counts[place] > most:
            yield place, f"{counts[place]} odd turns, at most {most}: tests/lint/words.py --since main {place}"


def lower_debts(tree):
    """Rewrites words.debts: no count grows, what has none left goes."""
    counts = collections.Counter()
    debts = read_debts(tree)
    for name in files(tree):
        places = [name] + [str(p) for p in pathlib.PurePosixPath(name).parents]
        counts[next((p for p in places if p in debts), None)] += len(hits(tree, name))
    path = tree.root / "tests/lint/words.debts"
    head = "".join(line + "\n" for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    kept = {place: min(most, counts[place]) for place, most in debts.items() if counts[place]}
    path.write_text(head + "".join(f"\n{place} {most}\n" for place, most in kept.items()), encoding="utf-8")


def added_lines(root, revision):
    """(file, line) of what the working tree has and the revision, or where the branch left it, has not."""
    base = subprocess.run(["git", "-C", root, "merge-base", revision, "HEAD"], capture_output=True, text=True,
                          check=True).stdout.strip()
    said = subprocess.run(["git", "-C", root, "diff", "-U0", "--no-color", base, "--"],
                          capture_output=True, text=True, check=True).stdout
    new, name = set(), None
    for line in said.splitlines():
        part = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if line.startswith("+++ "):
            name = line[6:]
        elif part:
            first, n = int(part.group(1)), int(part.group(2) or 1)
            new |= {(name, first + k) for k in range(n)}
    return new


def print_hits(tree, places, since):
    new = added_lines(tree.root, since) if since else None
    n = 0
    for name in files(tree):
        if "." in places or any(name == place or name.startswith(place + "/") for place in places):
            for line, pattern, near in hits(tree, name):
                if new is None or (name, line) in new:
                    print(f"{name}:{line}: {pattern.name}: ...{near}... ({pattern.write})")
                    n += 1
    print(f"{n} hits")


def folder_of(name):
    """core/engine for a file below it; a file's own name at the root."""
    inside = name.split("/")
    return "/".join(inside[:2]) if len(inside) > 2 else inside[0]


def print_table(tree):
    of_pattern, of_folder, of_words = (collections.Counter() for _ in range(3))
    for name in files(tree):
        folder = folder_of(name)
        of_words[folder] += sum(len(WORD.findall(text.words)) for text in texts(reader_of(name), tree.text(name)))
        of_pattern.update(pattern.name for _, pattern, _ in hits(tree, name))
        of_folder[folder] += len(hits(tree, name))
    print(f"{'pattern':24}{'hits':>7}  write instead")
    for pattern in PATTERNS:
        print(f"{pattern.name:24}{of_pattern[pattern.name]:7}  {pattern.write}")
    print(f"\n{'folder':24}{'words':>8}{'hits':>7}{'per 10 000':>12}")
    for folder, n in [*sorted(of_words.items()), ("all", sum(of_words.values()))]:
        found = of_folder[folder] if folder != "all" else sum(of_folder.values())
        if n:
            print(f"{folder:24}{n:8}{found:7}{1e4 * found / n:12.1f}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--since")
    parser.add_argument("--lower", action="store_true")
    parser.add_argument("path", nargs="*")
    options = parser.parse_args()
    tree = Tree(options.root.resolve())
    if options.lower:
        lower_debts(tree)
    elif options.path or options.since:
        print_hits(tree, [p.rstrip("/") for p in options.path] or ["."], options.since)
    else:
        print_table(tree)


if __name__ == "__main__":
    main()
