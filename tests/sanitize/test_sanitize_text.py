"""Which piece of a text is the program."""

# ruff: noqa: E501 - a text in one line is easier to compare

import pytest

FENCE = "```"
SCALE = '''from typing import List


def scale(value: int, by: int) -> int:
    """Multiply.
    >>> scale(2, 3)
    6
    """
'''

DRAFT = f"""Let me think. A draft:
{FENCE}python
def f(x):
    total = 0
    for item in [x, x]:
        total += item
    # surely not
    return total - 1000
{FENCE}
No, that's not it.
"""
ANSWER = f"\n{FENCE}python\ndef f(x):\n    return 2\n{FENCE}\n"

PIECES = {
    "a longer usage block": f"""Here it is:

{FENCE}python
def f(x):
    return 2
{FENCE}

Use it so:

{FENCE}python
numbers = [4, 5, 6]
total = numbers[0]
for number in numbers[1:]:
    total = total + number
print(total)
print("ready")
text = "sum"
print(text, total)
{FENCE}
""",
    "a corrected second block": (
        f"First:\n{FENCE}python\ndef f(x):\n    return 1\n{FENCE}\nWrong, rather:\n{FENCE}python\ndef f(x):\n    return 2\n"
        + FENCE
    ),
    "a test block that imports the solution": f"""{ANSWER}
Tests:
{FENCE}python
import unittest
from solution import f

class TestF(unittest.TestCase):
    def test_it(self):
        self.assertEqual(f(1), 2)

unittest.main()
{FENCE}""",
    "a stub after the answer": ANSWER + f'Your turn:\n{FENCE}python\ndef f(x):\n    """Fill in."""\n    pass\n{FENCE}',
    "a stub before the answer": f'def f(x):\n    """Two."""\n{ANSWER}',
    "a repetition that is cut": ANSWER + f"Once more:\n{FENCE}python\ndef f(x):\n    y = [",
    "a repetition that is cut where it parses": (
        f"{FENCE}\ndef f(x):\n    y = 2\n    return y\n{FENCE}\nOnce more:\n{FENCE}\ndef f(x):\n    y = 2"
    ),
    "a repetition without fences that is cut": "def f(x):\n    y = 2\n    return y\n\ndef f(x):\n    y = 2\n    return (",
    "imports and helpers in blocks of their own": f"""{FENCE}python
import math
{FENCE}
and
{FENCE}python
def half(x):
    return math.floor(x / 2)
{FENCE}
then
{FENCE}python
def f(x):
    return half(4 + x * 0)
{FENCE}""",
    "tilde fences": "~~~~ python3\ndef f(x):\n    return 2\n~~~~\n",
    "a short label": f"{FENCE}py\ndef f(x):\n    return 2\n{FENCE}",
    "a label with attributes": f'{FENCE}python title="f.py"\ndef f(x):\n    return 2\n{FENCE}',
    "a label in braces": f"{FENCE}{{.python .numberLines}}\ndef f(x):\n    return 2\n{FENCE}",
    "an indented fence": f"1. So:\n\n   {FENCE}python\n   def f(x):\n       return 2\n   {FENCE}\n2. Done.",
    "an unclosed fence": f"So:\n{FENCE}python\ndef f(x):\n    return 2\n",
    "a first fence that the prefilled answer opened": f"def f(x):\n    return 2\n{FENCE}\n\nFor f:\n\n{FENCE}\nf(1)\n{FENCE}",
    "a fence glued to the last line": f"So {FENCE}python\ndef f(x):\n    return 2{FENCE} and that's it.",
    "a fence within a line": f"It is {FENCE}def f(x): return 2{FENCE}, isn't it?",
    "one line in a fence": f"It's short:\n{FENCE}python\ndef f(x): return 2\n{FENCE}\nBye!",
    "a lambda in a fence": f"{FENCE}python\nf = lambda x: 2\n{FENCE}",
    "nested fences": f"````markdown\n{FENCE}python\ndef f(x):\n    return 2\n{FENCE}\n````",
    "a fence in a docstring": f'{FENCE}python\ndef f(x):\n    """Two.\n\n    {FENCE}\n    >>> f(1)\n    2\n    {FENCE}\n    """\n    return 2\n{FENCE}',
    "a fence in a string": f'{FENCE}python\ndef f(x):\n    return len("a{FENCE}".replace("{FENCE}", "b"))\n{FENCE}\nThat is it.',
    "html": "<pre><code>def f(x):\n    if x &lt; 5 and x &gt;= 0:\n        return 2\n    return &#x27;&quot;&#x27;\n</code></pre>",
    "html that happens to parse": "def f(x):\n    return x &lt; 9 and 2",
    "an entity inside a string": f'{FENCE}\ndef f(x):\n    return "&lt;".count(";") + 1\n{FENCE}',
    "html by numbers": f"{FENCE}\ndef f(x):\n    return 2 if x &#60; 9 &#x3e; 1 else len(&#39;&#39;)\n{FENCE}",
    "an ampersand before a number": "Here:\n\ndef f(x):\n    k = 3 &12; return 2\n",
    "html around the answer": '<div class="x"><pre>def f(x):\n    return 2\n</pre></div>',
    "tags around the answer": "<answer>\ndef f(x):\n    return 2\n</answer>",
    "inline code": "You can write `f = lambda x: 2` and call `f(1)`.",
    "interpreter prompts": ">>> def f(x):\n...     return 2\n...\n>>> f(1)\n2\n",
    "quoted lines": "As said:\n> def f(x):\n>     return 2\n",
    "an indented block of markdown": "It is\n\n    def f(x):\n        return 2\n\nThat's all.",
    "role prefixes": "Assistant: Here you are\ndef f(x):\n    return 2\nUser: thanks",
    "a role prefix on the line of the code": "assistant: def f(x):\n    return 2\nuser: ok",
    "another role on the line of the code": "Claude: from math import floor\ndef f(x):\n return floor(2.5)\n",
    "prose on the line of the code": "Sure! Here's my code: import math\ndef f(x):\n    return math.floor(2.5)\n",
    "a bold role on the line of the code": "**Assistant:** from math import floor\n\ndef f(x):\n  return floor(2.5)",
    "a narrow indentation after a role": "### Assistant: def f(x):\n return 2\nOk.",
    "a narrow indentation after a token": "<|assistant|> def f(x):\n return 2\n",
    "a comment that looks like a role": f"{FENCE}\ndef two():\n    return 2\n# User: gives x\ndef f(x):\n    return two()\n{FENCE}",
    "an instruction that the model made up": f"{ANSWER}\n### Instruction:\nThree.\n\n### Response:\n{FENCE}\ndef f(x):\n    return 3\n{FENCE}",
    "a user's turn that the model made up": "def f(x):\n    return 2\n\nUser: now with three\n\nAssistant: def f(x):\n    return 3\n",
    "prose between helper and function": "def two():\n    return 2\n\nNow it's easy:\n\ndef f(x):\n    return two()\n\nThat is all.",
    "terminal colours": "\x1b[32mdef f(x):\x1b[0m\n    return 2",
    "a byte order mark": "\ufeffdef f(x):\n    return 2",
    "carriage returns": f"{FENCE}python\r\ndef f(x):\r\n    return 2\r\n{FENCE}\r\n",
    "a null character": "def f(x):\n    return 2\0",
    "a lone surrogate": "def f(x):\n    return 2\n# \ud83d oh\n",
    "no-break spaces": "def f(x):\n\xa0\xa0\xa0\xa0return 2",
    "typographic quotes": "def f(x):\n    return len(“ab”)",
    "tabs and spaces mixed": "def f(x):\n    y = 2\n\treturn y",
    "tabs of eight columns": "def f(x):\n    if x:\n\treturn 2\n    else:\n\treturn 1\n",
    "line separators": "def f(x):\n\u2028\n    return 2\n",
    "marks of direction": "\u202bimport math\ndef f(x):\n    return math.isqrt(4)\n\u202c",
    "an open string before the code": 'I would say """ and then:\n\ndef f(x):\n    return 2\n',
    "special tokens in a string": f'{FENCE}\ndef f(x):\n    s = "a </s> b<|im_end|> c"\n    return 2 if s else 0\n{FENCE}\nDone.',
    "special tokens in a docstring": f'{FENCE}\ndef f(x):\n    """Up to </s>,\n    <s> or <eos>.\n    """\n    return 2\n{FENCE}\nDone.',
    "its name given to a result": ANSWER + f"By hand:\n{FENCE}\nxs = [3, 1]\nf = sorted(xs)[1]\nprint(f)\n{FENCE}",
    "its name given to a module's result": ANSWER + f"By hand:\n{FENCE}\nimport math\nf = math.sqrt(9)\n{FENCE}",
    "its name given to a sum": ANSWER + f"By hand:\n{FENCE}\nn = 3\nf: int = n + 1\n{FENCE}",
    "a later function made of another": ANSWER.replace("2", "3")
    + f"Rather:\n{FENCE}\ndef g(x):\n    return 2\nf = g\n{FENCE}",
    "a function that takes too many arguments": ANSWER
    + f"In general:\n{FENCE}\ndef f(x, y, z):\n    return 3\n{FENCE}",
}


@pytest.mark.parametrize("text", PIECES.values(), ids=PIECES.keys())
def test_the_piece_that_is_meant_is_found(text, sanitized, fault_of):
    program = sanitized(text, prompt='def f(x):\n    """Two."""\n')
    assert program.outcome is None
    assert fault_of(program.solution, "assert f(1) == 2, f(1)") == ""


REASONING = {
    "think": f"<think>{DRAFT}</think>{ANSWER}",
    "only the closing tag": f"{DRAFT}</think>{ANSWER}",
    "thinking": f"<thinking>\n{DRAFT}</thinking>{ANSWER}",
    "capitals": f"<Think>{DRAFT}</Think>{ANSWER}",
    "brackets": f"[THINK]{DRAFT}[/THINK]{ANSWER}",
    "special tokens": f"<|begin_of_thought|>{DRAFT}<|end_of_thought|><|begin_of_solution|>{ANSWER}<|end_of_solution|>",
    "channels": f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
    "channels without special tokens": f"analysis{DRAFT}assistantfinal{ANSWER}",
    "twice": f"<think>{DRAFT}</think>So.<think>{DRAFT}</think>{ANSWER}",
    "an answer before reasoning that does not end": f"{ANSWER}<think>{DRAFT}",
    "an attribute": f'<think time="3">{DRAFT}</think>{ANSWER}',
    "a longer name": f"<thought_process>{DRAFT}</thought_process>{ANSWER}",
    "a prefixed name": f"<longcat_think>{DRAFT}</longcat_think>{ANSWER}",
    "tokens of sentencepiece": f"<｜begin▁of▁thought｜>{DRAFT}<｜end▁of▁thought｜>{ANSWER}",
    "tokens by name": f"<|reasoning_start|>{DRAFT}<|reasoning_end|>{ANSWER}",
    "prefix and suffix": f"<|inner_prefix|>{DRAFT}<|inner_suffix|>{ANSWER}",
    "only words after it": f"<think>{DRAFT}{ANSWER}</think>\nThat is it.",
    "no answer after it": f"<think>{DRAFT}{ANSWER}</think>",
}


@pytest.mark.parametrize("text", REASONING.values(), ids=REASONING.keys())
def test_a_draft_in_the_reasoning_is_not_the_answer(text, sanitized, fault_of):
    program = sanitized(text)
    assert fault_of(program.solution, "assert f(1) == 2, f(1)") == ""
    assert "reasoning" in program.notes


def test_tags_inside_strings_are_code(sanitized, fault_of):
    text = f'{FENCE}\ndef f(x):\n    return x.replace("<think>", "").replace("</think>", "")\n{FENCE}\nDone.'
    assert fault_of(sanitized(text).solution, 'assert f("<think>a</think>") == "a"') == ""


TOKENS = ["<|endoftext|>", "<|im_end|>", "</s>", "<|eot_id|>", "<│end│of│sentence│>", "<｜end▁of▁sentence｜>"]
TOKENS += ["<end_of_turn>", "<|EOT|>", "<eos>", "<|end|>", "<|return|>", "<|fim_pad|>", "[/INST]", "<|endof"]
TOKENS += ["<unk>", "<fim_suffix>", "<file_sep>", "<end_of_utterance>", "[end of text]", "[|endofturn|]", "[/s]"]


@pytest.mark.parametrize("token", TOKENS)
def test_a_special_token_ends_the_answer(token, sanitized, fault_of):
    glued = f"def f(x):\n    y = 2\n    return y{token}"
    assert fault_of(sanitized(glued).solution, "assert f(1) == 2") == ""
    followed = sanitized(f"{glued}\n\ndef f(x):\n    return 3\n")
    assert token == "<|endof" or fault_of(followed.solution, "assert f(1) == 2") == ""


def test_a_turn_that_begins_with_special_tokens_is_read(sanitized, fault_of):
    text = "<s><|im_start|>assistant\ndef f(x):\n    return 2<|im_end|>\n<|im_start|>user\ndef f(x): return 3"
    assert fault_of(sanitized(text).solution, "assert f(1) == 2") == ""


BODIES = {
    "in a fence": f"{FENCE}python\n    return value * by\n{FENCE}",
    "indented after prose": "The body is:\n\n    product = value * by\n    return product\n",
    "in the first column": "product = value * by\nreturn product",
    "its first line stripped": "for _ in range(1):\n        product = value * by\n    return product",
    "after prose in the first column": "The body is:\n\nreturn value * by\n",
    "with loops": f"{FENCE}\nproduct = 0\nfor _ in range(by):\n    product += value\nreturn product\n{FENCE}",
    "with typographic quotes": f"{FENCE}\n    def times():\n        return value * int(“1”) * by\n    return times()\n{FENCE}",
    "with HTML": f"{FENCE}\n    return value * by if by &gt; 0 else 0\n{FENCE}",
}


@pytest.mark.parametrize("text", BODIES.values(), ids=BODIES.keys())
def test_a_body_alone_gets_the_prompt_in_front(text, sanitized, fault_of):
    program = sanitized(text, "scale", SCALE)
    assert fault_of(program.solution, "assert scale(2, 3) == 6") == ""
    assert program.notes["prompt_prepended"] == "true"


def test_the_body_of_another_function_is_no_body(sanitized):
    program = sanitized("def other(value, by):\n    return value * by\n", "scale", SCALE)
    assert "def scale" not in program.solution


CONTINUATIONS = {
    "a body": "    return value * by\n",
    "a body and a broken line": "    return value * by\n\n    return value * (by\n",
    "a body without indentation": "return value * by\n",
    "a body by tabs": "\treturn value * by\n",
    "the whole function again": "\ndef scale(value, by):\n    return value * by\n",
    "a fence with the whole function": f"\n{FENCE}python\ndef scale(value: int, by: int) -> int:\n    return value * by\n{FENCE}",
    "a body that a fence closes": f"    return value * by\n{FENCE}\n\nIt multiplies.\n",
    "a body and another document": "    return value * by<|endoftext|>def scale(value, by):\n    return 0\n",
    "a body and tests": "    return value * by\n\nassert scale(1, 1) == 1\nprint(scale(2, 2))\n",
}


@pytest.mark.parametrize("text", CONTINUATIONS.values(), ids=CONTINUATIONS.keys())
def test_a_completion_goes_on_from_the_prompt(text, sanitized, fault_of):
    program = sanitized(text, "scale", SCALE, front=True)
    assert fault_of(program.solution, "assert scale(2, 3) == 6") == ""


def test_what_the_answer_leaves_out_comes_from_the_prompt(sanitized, fault_of):
    prompt = 'from typing import List\n\n\ndef twice(x: int):\n    return x * 2\n\n\ndef f(xs: List[int]):\n    """Twice."""\n'
    text = f"{FENCE}python\ndef f(xs: List[int]):\n    return [twice(x) for x in xs]\n{FENCE}"
    assert fault_of(sanitized(text, prompt=prompt).solution, "assert f([1]) == [2]") == ""


def test_the_prompt_is_not_put_in_front_of_a_whole_answer(sanitized):
    assert "typing" not in sanitized("def scale(value, by):\n    return value * by\n", "scale", SCALE).solution


METHODS = {
    "an instance's": "class Solution:\n    def f(self, x):\n        return self.two()\n    def two(self):\n        return 2\n",
    "a static one": "class Solution:\n    @staticmethod\n    def f(x):\n        return 2\n",
    "one without self": "class Solution:\n    def f(x):\n        return 2\n",
    "with a demonstration": "class Solution:\n    def f(self, x):\n        return 2\n\ns = Solution()\nprint(s.f(1))\n",
    "with a constructor of defaults": "class Solution:\n    def __init__(self, k=2):\n        self.k = k\n    def f(self, x):\n        return self.k\n",
}


@pytest.mark.parametrize("text", METHODS.values(), ids=METHODS.keys())
def test_a_method_is_called_where_the_answer_is_a_class(text, sanitized, fault_of):
    program = sanitized(f"{FENCE}python\n{text}{FENCE}")
    assert fault_of(program.solution, "assert f(1) == 2") == ""
    assert "lifted" in program.notes


def test_the_object_is_known_by_the_number_of_arguments(sanitized, fault_of):
    text = "class Solution:\n    def scale(this, value, by):\n        return value * by\n"
    assert fault_of(sanitized(text, "scale", SCALE).solution, "assert scale(2, 3) == 6") == ""


def test_an_answer_that_parses_is_read_in_no_other_way(sanitized, fault_of):
    text = (
        'class Solution:\n    def scale(self, value, by):\n        """A table:\n            1\n        > 1    A\n        """\n\n'
        "        def times(x):\n            return x * by\n\n        return times(value)\n\nprint(Solution().scale(1, 2))\n"
    )
    program = sanitized(f"{FENCE}python\n{text}{FENCE}", "scale", SCALE)
    assert fault_of(program.solution, "assert scale(2, 3) == 6") == ""
    assert "> 1    A" in program.solution


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("class Solution:\n    def f(self, x):\n        return 2\n", {"lift_methods": False}),
        (
            "class Solution:\n    def __init__(self, k):\n        self.k = k\n    def f(self, x):\n        return 2\n",
            {},
        ),
    ],
)
def test_a_method_that_is_not_called_is_told(text, settings, sanitized):
    program = sanitized(text, **settings)
    assert program.outcome is None
    assert program.notes["entry_point"] == "only a method of class Solution"


def test_the_text_stays_as_it_is_without_a_sanitizer(sanitized):
    assert sanitized(" x <|im_end|>\n", name="none").solution == " x <|im_end|>\n"
    assert sanitized("    return 1", prompt="def f():\n", name="none", front=True).solution == "def f():\n    return 1"


BROKEN_HELPERS = {
    "a table in typographic quotes": "T = “a2”\n\ndef f(x):\n    return int(T[1])\n",
    "a table made of another": "K = 1\nT = [K, “2”]\n\ndef f(x):\n    return int(T[1]) * K\n",
    "a helper with no-break spaces": "def h(x):\n\xa0\xa0\xa0\xa0return 2\n\ndef f(x):\n    return h(x)\n",
    "an import with a no-break space": "from\xa0math import gcd\n\ndef f(x):\n    return gcd(4, 2)\n",
    "a helper with another minus": "def h(x):\n    return x \u2212 1\n\ndef f(x):\n    return h(3)\n",
    "a helper with tabs and spaces": "def h(x):\n\tif x:\n        return 1\n\treturn 2\n\ndef f(x):\n    return h(0)\n",
    "a helper that is indented": "    def h(x):\n        return 2\n\ndef f(x):\n    return h(x)\n",
    "a helper in a block of its own": (
        f"First:\n{FENCE}\ndef h(x):\n\xa0\xa0return 2\n{FENCE}\nThen:\n{FENCE}\ndef f(x):\n    return h(x)\n{FENCE}"
    ),
    "a helper in a block of prompts": (
        f"{FENCE}\n>>> def h(x):\n...     return 2\n{FENCE}\nThen:\n{FENCE}\ndef f(x):\n    return h(x)\n{FENCE}"
    ),
}


@pytest.mark.parametrize("text", BROKEN_HELPERS.values(), ids=BROKEN_HELPERS)
def test_what_the_entry_point_needs_is_read_as_it_would_be_itself(text, sanitized, fault_of):
    program = sanitized(text)
    assert not fault_of(program.solution, "assert f(0) == 2")
    assert "missing" not in program.notes


def test_typographic_characters_stay_in_a_program_that_lacks_a_name(sanitized):
    text = 'def f(x):\n    return g("“2”") - x  # g = “x”\n'
    assert sanitized(text).solution == text
    assert sanitized(f"{text}\nHere g = h is not “defined”.\n").solution == text
