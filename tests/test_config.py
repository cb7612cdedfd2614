import pytest
import yaml

from evalplus_run import config
from evalplus_run.records import UserError


def test_an_empty_configuration_is_all_defaults():
    parsed = config.parse({})
    assert parsed.dataset.name == "humaneval_plus"
    assert parsed.sampling.n == 1
    assert parsed.model is None


def test_every_settings_class_is_frozen_and_every_key_is_described():
    kinds = [*config.GROUPS.values(), config.RunSettings, *config.MODEL_SETTINGS.values()]
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind
    keys = [*config.fixed_keys(), *(key for kind in config.MODEL_SETTINGS for key in config.model_keys(kind))]
    undescribed = [key.path for key in keys if not key.description]
    assert undescribed == []


def test_an_unknown_key_in_a_file_is_refused_as_one_on_the_command_line():
    with pytest.raises(UserError, match=r"no key sampling\.temprature: did you mean sampling\.temperature"):
        config.parse({"sampling": {"temprature": 1}})
    with pytest.raises(UserError, match="no key modle"):
        config.parse({"modle": {"name": "x"}})


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        (
            "dataset",
            "variant",
            "minni",
            r"dataset\.variant=minni is not one of full, mini, noextreme; did you mean mini",
        ),
        ("sampling", "n", 0, r"sampling\.n=0 does not fit"),
        ("sampling", "n", "many", r"sampling\.n='many' does not fit"),
        ("sampling", "n", 1.5, r"sampling\.n=1\.5 does not fit"),
        ("sampling", "temperature", -1, r"sampling\.temperature=-1 does not fit"),
        ("dataset", "tasks", "Own/0", r"dataset\.tasks takes a list, as in dataset\.tasks=\[Own/0\]"),
        ("sandbox", "tier", "docker", r"sandbox\.tier=docker is not one of auto"),
        ("dataset", "tasks", ["a", 1], r"dataset\.tasks\[1\]=1 does not fit"),
        ("sampling", "stop", [["x" * 200]], r"sampling\.stop\[0\]=\['x{78}… does not fit"),
        ("prompt", "system", "\udcff", r"prompt\.system holds bytes that are not UTF-8"),
        ("sampling", "stop", ["\udcff"], r"sampling\.stop holds bytes that are not UTF-8"),
        ("dataset", "variant", "\udcff", r"dataset\.variant holds bytes that are not UTF-8"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_name(section, key, value, message):
    with pytest.raises(UserError, match=message):
        config.parse({section: {key: value}})


def test_a_number_given_as_text_is_a_number():
    assert config.parse({"evaluate": {"min_time_limit": "30"}}).evaluate.min_time_limit == 30.0


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), "nan", "1e300", 10**30, 16**4400],
    ids=["nan", "inf", "text", "far", "big", "huge"],
)
def test_every_number_has_bounds_that_are_told(value):
    kinds = {**config.GROUPS, **config.MODEL_SETTINGS}
    numbers = [
        (name, kind, key.path)
        for name, kind in kinds.items()
        for key in config._keys_of(kind, "")
        if not isinstance(key.default, bool) and {int, float} & {*config._alternatives(key.type)}
    ]
    assert len(numbers) > 12
    for name, kind, key in numbers:
        with pytest.raises(UserError, match=rf"{name}\.{key}=.* does not fit: (expected (int|float)|number out)"):
            config.section(name, kind, {key: value})


def test_a_path_may_hold_bytes_that_are_not_text():
    assert config.parse({"samples": "\udcff", "dataset": {"path": "\udcfe"}}).dataset.path == "\udcfe"


def test_null_goes_back_to_the_default():
    assert config.parse({"sampling": {"max_tokens": None}}).sampling.max_tokens == 768


def test_the_models_keys_are_those_of_its_kind():
    model = config.parse({"model": {"kind": "openai", "name": "m", "base_url": "http://127.0.0.1:1/v1"}}).model
    assert model.base_url == "http://127.0.0.1:1/v1"
    with pytest.raises(UserError, match=r"model\.base_url is no key of model\.kind=replay: its keys are kind, name"):
        config.parse({"model": {"kind": "replay", "base_url": "x"}})
    with pytest.raises(UserError, match=r"no key model\.nmae: did you mean model\.name"):
        config.parse({"model": {"kind": "replay", "nmae": "x"}})
    with pytest.raises(UserError, match="No model is chosen: begin with model=replay"):
        config.parse({"model": {"name": "x"}})
    with pytest.raises(UserError, match=r"model\.kind is 'gpt'"):
        config.parse({"model": {"kind": "gpt"}})


@pytest.mark.parametrize(
    ("prices", "message"),
    [
        ({"m": 3}, r"model\.prices.* does not fit: expected object"),
        (
            {"m": {"input": 1}},
            r"model\.prices\[\.\.\.\]\.output must be given, as in 'model\.prices={NAME: {input: 2, ",
        ),
        ({"m": {"input": -1, "output": 1}}, r"model\.prices\[\.\.\.\]\.input=.* does not fit: expected float >= 0"),
        ({"m": {"input": 1, "output": 1, "cached": 1}}, "unknown field cached"),
    ],
)
def test_a_price_that_is_not_whole_is_refused(prices, message):
    with pytest.raises(UserError, match=message):
        config.parse({"model": {"kind": "openai", "name": "m", "prices": prices}})


def test_a_published_share_is_refused_with_the_percent_that_it_may_mean():
    with pytest.raises(UserError, match=r"percent: 74\.4 in the place of 0\.744"):
        config.parse({"published": {"humaneval_plus": {"base": 0.744, "plus": 0.7, "source": "a"}}})
    with_nothing = {"example": {"base": 0, "plus": 0, "source": "a"}}
    assert config.parse({"published": with_nothing}).published["example"].base == 0


@pytest.mark.parametrize("published", [61, {"example": 61}, {"example": {"base": 61}}, {"example": {"bas": 1}}])
def test_a_published_score_that_is_not_whole_is_refused_with_an_example_that_would_do(published):
    with pytest.raises(UserError, match=r"published.* as in 'published={humaneval_plus: {base: 61") as refused:
        config.parse({"published": published})
    example = str(refused.value).partition("as in 'published=")[2].removesuffix("'.")
    assert config.parse({"published": yaml.safe_load(example)}).published["humaneval_plus"].plus == 57.3


def test_a_mapping_is_passed_on_as_it_is():
    quantization = {"quant_method": "bitsandbytes", "load_in_4bit": True}
    assert (
        config.parse({"model": {"kind": "transformers", "quantization": quantization}}).model.quantization
        == quantization
    )
    with pytest.raises(UserError, match=r"model\.quantization='4bit' does not fit"):
        config.parse({"model": {"kind": "transformers", "quantization": "4bit"}})


def test_given_samples_are_judged_as_they_are_unless_a_sanitizer_is_chosen():
    assert config.parse({"samples": "f", "sanitizer": {"name": "auto"}}).sanitizer.name == "auto"
    assert config.parse({"sanitizer": {"name": "auto"}}).sanitizer.name == "default"
    assert config.parse({"samples": "f", "sanitizer": {"name": "default"}}).sanitizer.name == "default"


def test_stop_strings_read_newline_and_tab():
    assert config.parse({"sampling": {"stop": [r"\nclass ", r"\t"]}}).sampling.stop == ("\nclass ", "\t")


def test_the_defaults_make_a_configuration_that_parses():
    raw = {name: config.defaults_of(kind) for name, kind in config.GROUPS.items()}
    assert config.parse(raw) == config.parse({})


def test_a_key_that_several_kinds_of_models_have_takes_the_same_in_all_of_them():
    # A value is read before the kind is known.
    kinds = {}
    for kind in config.MODEL_SETTINGS:
        for key in config.model_keys(kind):
            if key.path != "model.kind":
                kinds.setdefault(key.path, set()).add(config.accepts_text(key))
    assert {path for path, found in kinds.items() if len(found) > 1} == set()


def test_a_member_of_a_list_that_is_none_of_the_choices_is_named_with_them():
    assert config.parse({"report": {"to": ["wandb", "mlflow"]}}).report.to == ("wandb", "mlflow")
    with pytest.raises(UserError, match=r"report\.to\[1\]=wand is not one of wandb, .*; did you mean wandb"):
        config.parse({"report": {"to": ["mlflow", "wand"]}})
