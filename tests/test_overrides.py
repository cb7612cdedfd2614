import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run import overrides
from evalplus_run.launch import config_dir
from evalplus_run.records import UserError

GRAMMAR = overrides.Grammar(overrides.groups_in([config_dir()]), multirun=False)
SWEEP = overrides.Grammar(GRAMMAR.groups, multirun=True)


def parsed(text):
    """The key and the value as Hydra's own parser then reads them."""
    from hydra.core.override_parser.overrides_parser import OverridesParser

    override = OverridesParser.create().parse_overrides([text])[0]
    return override.key_or_group, override.value()


@pytest.mark.parametrize(
    "value",
    [
        "runs/epoch=3-step=100.ckpt",
        "m#1",
        "1e5",
        "12e4567",
        "/models/x (copy)",
        "a,b",
        "true",
        "[1]",
        "{a: 1}",
        "it's",
        '"',
    ],
)
def test_a_text_arrives_letter_by_letter(value):
    assert parsed(overrides.prepare(f"model.name={value}", GRAMMAR)) == ("model.name", value)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_any_text_without_escapes_survives_quoting(value):
    key, read = parsed(f"model.name={overrides.quote(value)}")
    assert (key, read) == ("model.name", value)


def test_a_text_that_is_quoted_already_is_left_alone():
    assert parsed(overrides.prepare("model.name='1e5'", GRAMMAR)) == ("model.name", "1e5")


def test_a_number_stays_a_number():
    assert parsed(overrides.prepare("sampling.temperature=1e-1", GRAMMAR)) == ("sampling.temperature", 0.1)


@pytest.mark.parametrize("mark", ["", "+", "++"])
def test_a_misspelt_key_is_refused_with_the_nearest_whatever_stands_before_it(mark):
    with pytest.raises(UserError, match=r"no key modle\.name: did you mean model\.name"):
        overrides.prepare(f"{mark}modle.name=x", GRAMMAR)


def test_a_key_of_the_right_section_is_suggested_first():
    with pytest.raises(UserError, match=r"did you mean sampling\.temperature\?"):
        overrides.prepare("sampling.temprature=1", GRAMMAR)


def test_a_misspelt_choice_is_refused_with_the_nearest_and_all():
    with pytest.raises(UserError, match=r"did you mean dataset=mbpp_plus\? The choices are custom, example"):
        overrides.prepare("dataset=mbppplus", GRAMMAR)


@pytest.mark.parametrize("group", ["dataset", "sampling", "sandbox", "evaluate"])
def test_a_group_of_which_one_must_be_chosen_is_not_null(group):
    with pytest.raises(UserError, match=f"There is no {group}=null: .*The choices are"):
        overrides.prepare(f"{group}=null", GRAMMAR)


@pytest.mark.parametrize("group", ["model", "experiment"])
def test_a_group_that_may_be_null_is_taken_out(group):
    assert overrides.prepare(f"{group}=null", GRAMMAR) == f"~{group}"


def test_an_escape_in_a_text_is_refused_and_the_file_named_as_the_way():
    with pytest.raises(UserError, match="escape"):
        overrides.prepare(r"prompt.system=line1\nline2", GRAMMAR)


def test_stop_strings_may_hold_escapes():
    assert parsed(overrides.prepare(r"sampling.stop=['\nclass']", GRAMMAR))[1] == [r"\nclass"]


def test_a_word_without_a_value_is_no_override():
    with pytest.raises(UserError, match="neither a command nor KEY=VALUE"):
        overrides.prepare("sampling.n", GRAMMAR)


def test_commas_make_a_sweep_only_where_one_is_asked_for():
    assert overrides.prepare("model.name=a,b", SWEEP) == "++model.name='a','b'"
    assert overrides.prepare("model.name=a,b", GRAMMAR) == "++model.name='a,b'"


def swept(text):
    """The values that Hydra's own parser then reads, one after another."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import QuotedString

    override = OverridesParser.create().parse_overrides([text])[0]
    values = override.sweep_iterator() if override.is_sweep_override() else [override.value()]
    return [value.text if isinstance(value, QuotedString) else value for value in values]


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("runs/epoch=3-step=100.ckpt,m#1", ["runs/epoch=3-step=100.ckpt", "m#1"]),
        ("12e4567,1e5,7", ["12e4567", "1e5", "7"]),
        ("true,[1],{a}", ["true", "[1]", "{a}"]),
        ("/models/x (copy), y", ["/models/x (copy)", "y"]),
        ("it's,\"", ["it's", '"']),
        ("'a,b',c", ["a,b", "c"]),
        ('"a,b",c', ["a,b", "c"]),
        (r"a\,b,c", ["a,b", "c"]),
        ("a,null", ["a", None]),
        ("choice(a,b)", ["a", "b"]),
        ("12e4567", ["12e4567"]),
    ],
)
def test_each_text_of_a_sweep_arrives_letter_by_letter(value, texts):
    assert swept(overrides.prepare(f"model.name={value}", SWEEP)) == texts


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1), min_size=2))
def test_any_quoted_texts_survive_a_sweep(values):
    assert swept(overrides.prepare(f"model.name={','.join(map(overrides.quote, values))}", SWEEP)) == values


@pytest.mark.parametrize("value", ["a,", ",a", "a,,b", ","])
def test_a_comma_too_many_is_refused(value):
    with pytest.raises(UserError, match="take a comma out"):
        overrides.prepare(f"model.name={value}", SWEEP)


@pytest.mark.parametrize(
    "text", ["sweep.dir=a,b", "sweep.dir='a','b'", "hydra.sweep.dir=a,b", "sweep.fail_fast=true,false"]
)
def test_what_is_the_sweeps_own_cannot_be_swept(text):
    with pytest.raises(UserError, match="not one value for all jobs"):
        overrides.prepare(text, SWEEP)


def test_a_folder_with_a_comma_in_its_name_is_one():
    assert overrides.prepare("sweep.dir='a,b'", SWEEP) == "++sweep.dir='a,b'"


def test_another_sweeper_is_refused():
    with pytest.raises(UserError, match="leave hydra/sweeper out"):
        overrides.prepare("hydra/sweeper=optuna", SWEEP)


def test_the_folder_of_a_sweep_may_name_the_hour_and_no_key_that_jobs_differ_in():
    assert overrides.prepare("sweep.dir=a/${now:%H}", SWEEP) == "++sweep.dir='a/${now:%H}'"
    with pytest.raises(UserError, match="not one value for all jobs"):
        overrides.prepare("sweep.dir=a/${dataset.name}", SWEEP)


@pytest.mark.parametrize("text", ["k=x=1,y (b) it's", r"k=x\=1\,y\ \(b\)\ it's", r"k='x=1,y (b) it\'s'"])
def test_an_override_is_told_without_quotes_and_escapes(text):
    assert overrides.unquoted(text) == "k=x=1,y (b) it's"


def test_each_choice_of_a_sweep_is_looked_up():
    assert overrides.prepare("dataset=humaneval_plus,mbpp_plus", SWEEP) == "dataset=humaneval_plus,mbpp_plus"
    with pytest.raises(UserError, match="no dataset=mbppplus"):
        overrides.prepare("dataset=humaneval_plus,mbppplus", SWEEP)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reproduce/phi3", "reproduce/phi-2"),
        ("phi-2", "reproduce/phi-2"),
        ("phi-3", "reproduce/phi-3-mini-4k-instruct"),
        ("reproduce/gpt-4o", "reproduce/gpt-4o-2024-08-06"),
        ("quickstrat", "quickstart"),
    ],
)
def test_a_choice_in_a_folder_is_found_by_its_beginning_and_without_its_folder(typed, meant):
    with pytest.raises(UserError, match=f"did you mean experiment={meant}\\?"):
        overrides.prepare(f"experiment={typed}", GRAMMAR)


@pytest.mark.parametrize("typed", ["", "zzzz"])
def test_nothing_is_suggested_that_is_not_near(typed):
    with pytest.raises(UserError, match=f"experiment={typed}: The choices are"):
        overrides.prepare(f"experiment={typed}", GRAMMAR)


def test_the_choices_of_a_folder_are_listed_together():
    assert overrides.listed(["f/a", "f/b", "g", "h/i"]) == "g, f/{a, b}, h/{i}"
    assert overrides.listed(["a"]) == "a"


def test_hydras_own_keys_pass_untouched():
    assert overrides.prepare("hydra.run.dir=x", GRAMMAR) == "hydra.run.dir=x"


def test_a_users_folder_adds_choices(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine.yaml").write_text("kind: openai\n")
    groups = overrides.groups_in([config_dir(), tmp_path])
    assert {"mine", "openai"} <= set(groups["model"])
