"""What answers cost, and how a budget is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalplus_run.models.settings import AnthropicSettings, OpenAISettings, Price, ReplaySettings
from evalplus_run.records import Completion, Message, Prompt, Request, Sampling, UserError
from evalplus_run.sampling.costs import Purse, purse_of

PRICE = Price(input=2, output=8)
TABLE = {"m": PRICE}


def answer(prompt_tokens: int | None = 100, completion_tokens: int | None = 50, **more: object) -> Completion:
    return Completion("A/0", 0, "x", prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, **more)  # type: ignore[arg-type]


def test_an_answer_costs_its_tokens_by_the_million() -> None:
    purse = Purse(PRICE)
    assert purse.pay(answer()).cost == pytest.approx((100 * 2 + 50 * 8) / 1e6)
    purse.pay(answer())
    assert purse.paid == pytest.approx(2 * 600 / 1e6)


def test_nothing_is_guessed_where_no_price_or_no_count_is_known() -> None:
    assert Purse().pay(answer()).cost is None
    purse = Purse(PRICE)
    assert purse.pay(answer(completion_tokens=None)).cost is None
    assert purse.paid is None


def test_the_cost_that_an_answer_came_with_is_kept() -> None:
    assert Purse(PRICE).pay(answer(cost=0.5)).cost == 0.5


def test_only_the_models_own_line_of_the_table_counts() -> None:
    assert purse_of(OpenAISettings(name="other", prices=TABLE), []).price is None
    assert purse_of(OpenAISettings(name="m", prices=TABLE), []).price == PRICE
    assert purse_of(ReplaySettings(), [answer(cost=0.5)]).price is None


def test_what_was_paid_before_counts_also_where_it_had_no_price_then() -> None:
    purse = purse_of(OpenAISettings(name="m", prices=TABLE, budget=1), [answer(cost=0.5), answer()])
    assert purse.paid == pytest.approx(0.5 + 600 / 1e6)


def test_a_budget_without_a_price_is_refused_with_the_key_to_set() -> None:
    with pytest.raises(UserError, match=r"'model\.prices=\{qwen\\:7b: \{input: …, output: …\}\}'"):
        purse_of(OpenAISettings(name="qwen:7b", prices=TABLE, budget=1), [])


def test_a_budget_that_cannot_be_kept_for_want_of_counts_is_told() -> None:
    purse = Purse(PRICE, 1.0)
    purse.check(purse.pay(answer()))
    purse.check(purse.pay(answer(None, None, finish_reason="refusal")))
    with pytest.raises(UserError, match="does not tell how many tokens"):
        purse.check(purse.pay(answer(None, None)))
    Purse(PRICE).check(answer(None, None))


@given(
    budget=st.floats(0, 0.2),
    prompts=st.lists(st.tuples(st.text(max_size=50), st.integers(1, 9)), max_size=9),
    max_tokens=st.integers(1, 2000),
)
def test_what_is_asked_at_once_fits_the_budget_however_long_the_answers(
    budget: float, prompts: list[tuple[str, int]], max_tokens: int
) -> None:
    requests = [Request(Prompt(f"A/{i}", text=text), tuple(range(n))) for i, (text, n) in enumerate(prompts)]
    now, later = Purse(PRICE, budget).split(requests, Sampling(max_tokens=max_tokens))
    worst = sum(len(each.indices) * (len(each.prompt.text.encode()) * 2 + max_tokens * 8) / 1e6 for each in now)
    assert worst <= budget * (1 + 1e-9)
    asked = [(each.prompt.task_id, index) for each in (*now, *later) for index in each.indices]
    assert sorted(asked) == sorted((each.prompt.task_id, index) for each in requests for index in each.indices)
    assert all(each.indices for each in (*now, *later))


def test_without_a_budget_everything_is_asked_at_once() -> None:
    requests = [Request(Prompt("A/0", text="x"), tuple(range(1000)))]
    assert Purse(PRICE).split(requests, Sampling()) == (requests, [])


def test_the_forecast_counts_prompts_answers_and_tokens_and_prices_them() -> None:
    prompt = Prompt("A/0", messages=(Message("system", "a" * 100), Message("user", "b" * 300)))
    requests = [Request(prompt, (0, 1, 2)), Request(Prompt("A/1", text="c" * 400), (1,))]
    purse = Purse(PRICE, 0.001)
    forecast = purse.forecast(requests, Sampling(max_tokens=200))
    assert (forecast.prompts, forecast.answers) == (2, 4)
    assert (forecast.prompt_tokens, forecast.new_tokens) == (400, 800)
    assert forecast.cost == pytest.approx((400 * 2 + 800 * 8) / 1e6)
    words = purse.words(forecast)
    assert "4 answers to 2 prompts, about 400 prompt tokens and at most 800 new ones" in words
    assert "at most about 0.0072 in the currency of model.prices; model.budget=0.001 may end it" in words


def test_a_forecast_without_a_price_names_no_cost() -> None:
    purse = Purse()
    forecast = purse.forecast([Request(Prompt("A/0", text="c" * 400), (0,))], Sampling())
    assert forecast.cost is None
    assert "1 answer to 1 prompt" in purse.words(forecast)
    assert "the cost is not known" in purse.words(forecast)


def test_a_forecast_with_a_price_and_without_a_budget_names_the_cost_alone() -> None:
    purse = Purse(PRICE)
    words = purse.words(purse.forecast([Request(Prompt("A/0", text="c" * 400), (0,))], Sampling()))
    assert "in the currency of model.prices" in words
    assert "model.budget" not in words


def test_the_end_of_the_budget_tells_what_was_paid_and_how_to_go_on() -> None:
    purse = Purse(PRICE, 0.5)
    purse.pay(answer(cost=0.4998))
    told = str(purse.reached(3))
    assert "model.budget=0.5" in told
    assert "0.4998 was paid for 1 answer" in told
    assert "3 answers to go" in told
    assert "higher model.budget goes on" in told


def test_tokens_for_thinking_are_reckoned_with_before_they_are_paid_for() -> None:
    requests = [Request(Prompt("A/0", messages=(Message("user", "x"),)), (0, 1))]
    settings = {"prices": {"claude-opus-4-8": PRICE}, "name": "claude-opus-4-8", "thinking_tokens": 2000}
    thinking = purse_of(AnthropicSettings(**settings, budget=0.03), [], "on")
    assert thinking.forecast(requests, Sampling(max_tokens=500)).new_tokens == 2 * 2500
    assert [request.indices for request in thinking.split(requests, Sampling(max_tokens=500))[0]] == [(0,)]
    silent = purse_of(AnthropicSettings(**settings), [], "off")
    assert silent.forecast(requests, Sampling(max_tokens=500)).new_tokens == 2 * 500
