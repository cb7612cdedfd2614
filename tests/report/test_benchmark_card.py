from evalplus_run.records import Outcome


def test_the_card_shows_a_task_with_an_accepted_program_and_a_test_that_another_failed(build_several, make_sample):
    page = build_several(
        one=[make_sample("T/0"), make_sample("T/1", solution="def f(x): return 3\n")],
        two=[make_sample("T/0"), make_sample("T/1", plus=Outcome.WRONG)],
    )
    assert "A worked example: T/1" in page.words
    assert "An accepted program, of one def f(x): return 3" in page.words
    assert "A plus test, which another program failed f((3, {4})) # expected: 3" in page.words


def test_results_that_others_judged_are_not_called_verified(build, make_sample):
    own = build(make_sample(), manifest={"identity": "1a2b"}).words
    others = build(make_sample()).words
    assert "Verified results" in own
    assert "ran in a sandbox (namespaces)" in own
    assert "Verified results" not in others
    assert "ran in a sandbox" not in others
    assert "Judged elsewhere, and shown as their files tell it: a-model." in others
