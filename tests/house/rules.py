"""The house rules that read code: each takes a syntax tree and gives the lines that break it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_CLOCK = re.compile(r"(^|\.)(datetime\.(now|utcnow|today)|date\.today|time\.(time|time_ns))$")
_CLOCK_NAMES = {"time", "time_ns", "localtime", "gmtime"}
_COLOUR = re.compile(r"(?<![\w&#])#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")


def clock_readings(tree: ast.Module) -> list[int]:
    """Lines that ask the system what time it is. The time comes from a Clock, so that a virtual one can stand in."""
    lines = [node.lineno for node in _calls(tree) if _CLOCK.search(ast.unparse(node.func))]
    return sorted(lines + _imports(tree, "time", _CLOCK_NAMES))


def sleeps(tree: ast.Module) -> list[int]:
    """Lines that let time pass in the hope that something happens meanwhile."""
    lines = [
        node.lineno
        for node in _calls(tree)
        if ast.unparse(node.func) in {"time.sleep", "asyncio.sleep", "qtbot.wait", "QTest.qWait", "QTest.qSleep"}
    ]
    return sorted(lines + _imports(tree, "time", {"sleep"}) + _imports(tree, "asyncio", {"sleep"}))


def hex_colours(tree: ast.Module) -> list[int]:
    """Lines with a colour such as #1a2b3c in a string that is not a docstring."""
    documented = {id(text) for text in _docstrings(tree)}
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documented
        and _COLOUR.search(node.value)
    )


def imported(tree: ast.Module) -> set[str]:
    """The top-level names of everything imported, at the top of the file or later."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _imports(tree: ast.Module, module: str, names: set[str]) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module and names & {alias.name for alias in node.names}
    ]


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value
