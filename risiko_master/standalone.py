"""The draw as one Python file without dependencies: the portal's own modules, unchanged."""

import importlib
import inspect
from functools import cache

MODULES = (  # each after those that it imports
    "pergioco.rulekit.ordering",
    "pergioco.rulekit.paragraph",
    "risiko_master.rules.draw_facts",
    "risiko_master.rules.lower_bounds",
    "risiko_master.rules.seating",
    "risiko_master.rules.optimum",
    "risiko_master.rules.draws",
    "risiko_master.rules.replay",
    "risiko_master.rules.checker",
    "risiko_master.verify",
)
PACKAGES = ("pergioco", "pergioco.rulekit", "risiko_master", "risiko_master.rules")
QUOTES = "'" * 3
HEAD = f"""#!/usr/bin/env python3
# A draw of a RisiKo! Master, run again by anybody: python3 draw.py draw.json (Python 3.11 or later,
# nothing else). Below stand the modules of the portal, unchanged.
import sys
import types

for name in {PACKAGES!r}:
    sys.modules[name] = types.ModuleType(name)


def module(name, text):
    made = sys.modules[name] = types.ModuleType(name)
    setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], made)
    exec(compile(text, name, "exec"), made.__dict__)

"""
TAIL = 'sys.exit(sys.modules["risiko_master.verify"].main(sys.argv[1:]))\n'


@cache
def standalone_script() -> str:
    return HEAD + "".join(map(embed_module, MODULES)) + TAIL


def embed_module(name: str) -> str:
    text = inspect.getsource(importlib.import_module(name))
    return f"\nmodule({name!r}, r{QUOTES}{text}{QUOTES})\n"
