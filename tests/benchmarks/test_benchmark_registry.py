import pytest

from evalplus_run.benchmarks import DatasetSettings
from evalplus_run.benchmarks.registry import CODE_STOPS, DOCSTRING_STOPS, RELEASES, find_release, identify, stop_strings
from evalplus_run.records import Task, UserError


def task(prompt):
    return Task(task_id="Own/1", prompt=prompt, entry_point="f", reference="", base_inputs=(), plus_inputs=())


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_every_release_is_found_by_its_settings_and_by_its_content(release):
    settings = DatasetSettings(name=release.name, version=release.version, variant=release.variant)
    assert find_release(settings) is release
    assert identify(release.sha256) is release


def test_no_version_means_the_current_one():
    assert find_release(DatasetSettings()).version == "v0.1.10"
    assert find_release(DatasetSettings(name="mbpp_plus")).version == "v0.2.0"


@pytest.mark.parametrize(
    ("settings", "choices"),
    [
        (DatasetSettings(name="mbpp_plus", variant="mini"), "v0.2.0 full, v0.2.0 noextreme, v0.1.0 full"),
        (
            DatasetSettings(version="v0.1.9", variant="mini"),
            "v0.1.10 full, v0.1.10 mini, v0.1.10 noextreme, v0.1.9 full",
        ),
        (DatasetSettings(name="humaneval", version="v0.1.10"), "1.0.3 full"),
    ],
)
def test_a_release_that_does_not_exist_is_refused_with_those_that_do(settings, choices):
    with pytest.raises(UserError, match=rf"to one of {choices}\.$"):
        find_release(settings)


def test_unknown_content_is_no_release():
    assert identify("0" * 64) is None


def test_files_of_all_releases_can_lie_in_one_cache():
    names = [release.file_name for release in RELEASES]
    assert len(set(names)) == len(names)


def test_the_release_page_is_asked_before_the_repository():
    for release in RELEASES:
        hosts = [url.split("/")[2] for url in release.urls]
        assert hosts in ([], ["github.com"], ["github.com", "raw.githubusercontent.com"])
    assert find_release(DatasetSettings(variant="mini")).urls[0] == (
        "https://github.com/evalplus/humanevalplus_release/releases/download/v0.1.10/HumanEvalPlus-Mini.jsonl.gz"
    )


def test_stop_strings_never_cut_the_function_that_the_model_has_yet_to_begin():
    begun, asked = task("def f(x):\n"), task('"""Write f. assert f(1) == 2"""\n')
    assert stop_strings([begun, begun]) == CODE_STOPS
    assert stop_strings([begun, asked]) == DOCSTRING_STOPS
    assert stop_strings([task("def ff(x):\n")]) == DOCSTRING_STOPS
