"""Reads an iCalendar object as strictly as RFC 5545 is written: whatever bends a rule fails."""

import re
from dataclasses import dataclass, field

LINE = re.compile(
    r"^(?P<name>[A-Z0-9-]+)(?P<parameters>(;[A-Z0-9-]+=[^\x00-\x1f\";:,]+)*):(?P<value>.*)$"
)
ONCE = {
    "UID",
    "DTSTAMP",
    "SEQUENCE",
    "DTSTART",
    "DTEND",
    "STATUS",
    "SUMMARY",
    "DESCRIPTION",
    "LOCATION",
    "URL",
}
OBLIGATORY = {
    "VCALENDAR": ("VERSION", "PRODID"),
    "VEVENT": ("UID", "DTSTAMP", "DTSTART"),
    "VTIMEZONE": ("TZID",),
}
OCTETS = 75


@dataclass
class Component:
    name: str
    properties: list[tuple[str, str, str]] = field(default_factory=list)  # name, parameters, value
    parts: list["Component"] = field(default_factory=list)

    def value(self, name: str) -> str:
        [found] = [value for one, _parameters, value in self.properties if one == name]
        return found

    def text(self, name: str) -> str:
        return unescaped(self.value(name))

    def parameters(self, name: str) -> str:
        [found] = [parameters for one, parameters, _value in self.properties if one == name]
        return found

    @property
    def events(self) -> list["Component"]:
        return [part for part in self.parts if part.name == "VEVENT"]


def read(content: bytes) -> Component:
    lines = iter(unfolded(content))
    assert next(lines) == "BEGIN:VCALENDAR"
    made = component("VCALENDAR", lines)
    assert next(lines, None) is None, "something follows the calendar"
    assert made.parts, "a calendar has one component at least"
    return made


def unfolded(content: bytes) -> list[str]:
    assert content.endswith(b"\r\n")
    physical = content[:-2].split(b"\r\n")
    lines: list[str] = []
    for octets in physical:
        assert b"\n" not in octets
        assert b"\r" not in octets
        assert 0 < len(octets) <= OCTETS, octets
        line = octets.decode()  # a character is never cut
        if line.startswith((" ", "\t")):
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines


def component(name: str, lines) -> Component:
    made = Component(name)
    for line in lines:
        found = LINE.match(line)
        assert found, line
        assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", line), line
        if found["name"] == "BEGIN":
            made.parts.append(component(found["value"], lines))
        elif found["name"] == "END":
            assert found["value"] == name
            complete(made)
            return made
        else:
            made.properties.append((found["name"], found["parameters"], found["value"]))
    raise AssertionError(f"{name} has no end")


def complete(made: Component) -> None:
    names = [name for name, *_rest in made.properties]
    assert not [name for name in OBLIGATORY.get(made.name, ()) if names.count(name) != 1], names
    assert not [name for name in ONCE if names.count(name) > 1], names


def unescaped(value: str) -> str:
    assert not re.search(r"(?<!\\)(\\\\)*[;,]", value), "a comma or semicolon that is not escaped"
    assert re.fullmatch(r"([^\\]|\\[\\;,nN])*", value), "an escape that does not exist"
    signs = {"n": "\n", "N": "\n"}
    return re.sub(r"\\(.)", lambda found: signs.get(found[1], found[1]), value)
