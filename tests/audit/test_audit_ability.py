"""Tasks whose verdicts go against ability, tried on models of a known ability."""

import numpy as np
import pytest

from evalplus_run.audit.ability import FALSE_FINDINGS, against_ability, can_tell, discriminations


def simulated(models, tasks, seed, reverse=()):
    """Verdicts after Rasch's model; on the tasks in `reverse` the able fail."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-2, 2, models)
    chances = 1 / (1 + np.exp(-(ability - rng.normal(0, 1, (tasks, 1)))))
    for task in reverse:
        chances[task] = 1 / (1 + np.exp(3 * ability))
    return {f"T/{i}": row.tolist() for i, row in enumerate((rng.random(chances.shape) < chances).astype(float))}


def test_the_tasks_on_which_the_able_fail_are_found_and_no_others():
    found = against_ability(discriminations(simulated(40, 60, 1, reverse=(7, 30))))
    assert [each.task_id for each in sorted(found, key=lambda each: each.task_id)] == ["T/30", "T/7"]


def test_where_no_task_is_wrong_hardly_any_is_found():
    found = [against_ability(discriminations(simulated(12, 40, seed))) for seed in range(20)]
    assert sum(map(bool, found)) / 20 <= 2 * FALSE_FINDINGS


def test_a_p_value_is_the_share_of_ways_to_deal_out_the_scores_that_are_as_low():
    scores = {"T/0": [0, 0, 1, 1], "T/1": [1, 1, 0, 0], "T/2": [0, 0.5, 0.6, 1], "T/3": [0, 0.2, 0.9, 1]}
    by_task = {each.task_id: each for each in discriminations(scores)}
    # Of the six ways, the one in which the two best fail alone is as low.
    assert by_task["T/1"].p_value == pytest.approx(1 / 6)
    assert by_task["T/1"].correlation < -0.8
    assert by_task["T/0"].p_value == 1


def test_few_models_can_tell_nothing_and_many_can():
    assert not can_tell(discriminations(simulated(4, 60, 1)))
    assert not can_tell(discriminations({}))
    assert can_tell(discriminations(simulated(40, 60, 1)))


def test_two_models_have_no_correlation():
    assert not discriminations({"T/0": [1, 0], "T/1": [0, 1]})
