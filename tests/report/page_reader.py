"""A page as its tests read it, and texts that try to break it."""

import json
import zlib
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page, in order, with their attributes; its texts, a space between them; its blocks of data."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text, self.style, self.scripts, self._inside = [], "", "", [], ""
        self.feed(html)
        self.index = json.loads(next(text for attributes, text in self.scripts if ("id", "index") in attributes))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append([tuple(attrs), ""])

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1][1] += data
        elif self._inside == "style":
            self.style += data
        else:
            self.text += f" {data}"

    @property
    def words(self):
        return " ".join(self.text.split())

    @property
    def script(self):
        (text,) = (text for attributes, text in self.scripts if not attributes)
        return text

    @property
    def samples(self):
        """What the chunks have of each sample, by run/index/task."""
        chunks = [text for attributes, text in self.scripts if ("type", "text/plain") in attributes]
        found = {}
        for chunk in chunks:
            found |= json.loads(zlib.decompress(b64decode(chunk, validate=True)))["samples"]
        return found


def hostile(sample, text):
    """The sample with the text wherever a model, a program or a test can put text."""
    bad = replace(sample.verdict.evalplus.plus, expected=text, got=text, error=text)
    verdict = replace(sample.verdict, evalplus=replace(sample.verdict.evalplus, plus=bad))
    task = replace(sample.task, prompt=f"{text}.", plus_inputs=((text,), (text,)))
    completion = replace(sample.completion, text=text, reasoning=text)
    program = replace(sample.program, solution=text, notes={text: text})
    return replace(sample, task=task, program=program, verdict=verdict, completion=completion)


def noise(seed, length):
    """Text that packs badly."""
    return "".join(sha256(f"{seed} {turn}".encode()).hexdigest() for turn in range(length // 64))
