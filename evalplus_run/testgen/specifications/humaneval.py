"""What each task of HumanEval promises to handle, said by its text: signature, docstring and examples.

An input that passes has exactly one answer that follows from the text, so no right program can fail on it. An `assert`
without a message is the text's own word: types and what it says of its arguments. One with a message refuses what the
text lets in and yet settles nothing:
- "open": forms that it does not name, case and alphabet outside of ASCII, ties and roundings
- "slow": numbers so large that a plain right program takes too long
- "reference": inputs on which the reference itself errs
What the text leaves open and the task's own tests settle is let through.

This file is read, not imported (`contract_of`): a function's body becomes a contract, with the helpers that it names.

Tests of HumanEval that go against the text of their task, and are refused here:
- HumanEval/75, "a is less than 100": 125, 105, 126, 729, 891, 1001
- HumanEval/78, "a hexadecimal number as a string": []
- HumanEval/103, "round to the nearest integer", which does not say where a half goes: (560, 851), (185, 546)
- HumanEval/116, "an array of non-negative integers": [-2, -3, -4, -5, -6]
- HumanEval/129, "every integer in the range [1, N * N] appears exactly once": [[1, 3], [3, 2]]
"""


def _is_real(x):
    """Beyond the bound floats are no longer exact to one, and soon overflow; NaN and infinity fail it too."""
    return type(x) in (int, float) and -(10**15) < x < 10**15


def _reals(values):
    return type(values) is list and all(_is_real(x) for x in values)


def _numbers(values):
    """To be compared only: whole numbers of any size, or others too."""
    return _ints(values) or _reals(values)


def _ints(values):
    return type(values) is list and all(type(x) is int for x in values)


def _texts(values):
    return type(values) is list and all(type(x) is str for x in values)


def _is_line(text):
    """Where the space is the only whitespace that the text of the task speaks of."""
    return type(text) is str and text.isascii() and text.isprintable()


def _is_made_of(text, characters):
    return type(text) is str and all(each in characters for each in text)


def _is_lower(text):
    return _is_made_of(text, "abcdefghijklmnopqrstuvwxyz")


def _is_word(text):
    return type(text) is str and text.isascii() and text.isalpha()


def _is_numeral(text):
    """A whole number, as people write it."""
    return _is_made_of(text, "0123456789") and text != "" and (text == "0" or text[0] != "0")


def _is_decimal(text):
    """A number in decimals, short enough for a float to hold it."""
    parts = text.removeprefix("-").split(".")
    return len(text) < 16 and len(parts) <= 2 and all(part and _is_made_of(part, "0123456789") for part in parts)


def _is_balanced(text):
    depths = [text[:end].count("(") - text[:end].count(")") for end in range(len(text) + 1)]
    return min(depths) == 0 and depths[-1] == 0


def _is_prime(number):
    return number > 1 and all(number % each for each in range(2, int(number**0.5) + 1))


def _is_clear(first, second):
    """Whether two numbers are equal, or differ by more than the rounding of floats: both ways to compare agree."""
    return first == second or abs(first - second) > 1e-9 * max(1, abs(first), abs(second))


def _last_inner_vowel(word, vowels):
    inner = zip(word, word[1:], word[2:])
    return [x for before, x, after in inner if x in vowels and before not in vowels and after not in vowels][-1:]


def HumanEval_0_has_close_elements(numbers, threshold):
    assert _reals(numbers) and _is_real(threshold)
    gaps = [b - a for a, b in zip(sorted(numbers), sorted(numbers)[1:])]
    assert not gaps or _is_clear(min(gaps), threshold), "open"


def HumanEval_1_separate_paren_groups(paren_string):
    assert _is_made_of(paren_string, "() ")
    assert "(" in paren_string and _is_balanced(paren_string)


def HumanEval_2_truncate_number(number):
    assert type(number) is float and _is_real(number) and number > 0


def HumanEval_3_below_zero(operations):
    assert _ints(operations)


def HumanEval_4_mean_absolute_deviation(numbers):
    assert _reals(numbers) and numbers


def HumanEval_5_intersperse(numbers, delimeter):
    assert _ints(numbers) and type(delimeter) is int


def HumanEval_6_parse_nested_parens(paren_string):
    assert _is_made_of(paren_string, "() ")
    assert all(group and _is_balanced(group) for group in paren_string.split(" "))
    # '()()' may be taken for one group or for two.
    assert all(_is_balanced(group[1:-1]) for group in paren_string.split(" ")), "open"


def HumanEval_7_filter_by_substring(strings, substring):
    assert _texts(strings) and type(substring) is str


def HumanEval_8_sum_product(numbers):
    assert _ints(numbers)


def HumanEval_9_rolling_max(numbers):
    assert _ints(numbers)


def HumanEval_10_make_palindrome(string):
    assert type(string) is str


def HumanEval_11_string_xor(a, b):
    assert _is_made_of(a, "01") and _is_made_of(b, "01")
    assert len(a) == len(b) > 0


def HumanEval_12_longest(strings):
    assert _texts(strings)


def HumanEval_13_greatest_common_divisor(a, b):
    assert type(a) is int and type(b) is int and (a or b)
    assert a >= 0 and b >= 0, "reference"  # it takes the sign of one of them
    assert a <= 10**6 and b <= 10**6, "slow"  # trying all divisors is a right way


def HumanEval_14_all_prefixes(string):
    assert type(string) is str


def HumanEval_15_string_sequence(n):
    assert type(n) is int and n >= 0


def HumanEval_16_count_distinct_characters(string):
    assert type(string) is str
    assert string.isascii(), "open"


def HumanEval_17_parse_music(music_string):
    assert type(music_string) is str
    assert music_string == "" or all(note in ("o", "o|", ".|") for note in music_string.split(" "))


def HumanEval_18_how_many_times(string, substring):
    assert type(string) is str and type(substring) is str and substring


def HumanEval_19_sort_numbers(numbers):
    names = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    assert type(numbers) is str
    assert numbers == "" or all(each in names for each in numbers.split(" "))


def HumanEval_20_find_closest_elements(numbers):
    assert _reals(numbers) and len(numbers) >= 2
    ordered = sorted(numbers)
    pairs = sorted(set(zip(ordered, ordered[1:])), key=lambda pair: pair[1] - pair[0])
    # No two different pairs are the closest.
    assert len(pairs) == 1 or pairs[1][1] - pairs[1][0] > pairs[0][1] - pairs[0][0] + 1e-6, "open"


def HumanEval_21_rescale_to_unit(numbers):
    assert _reals(numbers) and len(numbers) >= 2 and max(numbers) > min(numbers)
    # Nearly equal numbers lose their digits when they are rescaled.
    assert max(numbers) - min(numbers) > 1e-6 * max(abs(max(numbers)), abs(min(numbers))), "open"


def HumanEval_22_filter_integers(values):
    assert type(values) is list
    # Is 2.0 an integer, is True?
    assert not any(type(x) is bool or (type(x) is float and x.is_integer()) for x in values), "open"


def HumanEval_23_strlen(string):
    assert type(string) is str


def HumanEval_24_largest_divisor(n):
    # Far enough that a loop over all numbers does not end in time, and one that stops at the root does.
    assert type(n) is int and n >= 2
    assert n <= 2 * 10**8, "slow"


def HumanEval_25_factorize(n):
    assert type(n) is int and n >= 2
    assert n <= 10**6, "slow"  # trying all numbers is a right way


def HumanEval_26_remove_duplicates(numbers):
    assert _ints(numbers)


def HumanEval_27_flip_case(string):
    assert type(string) is str
    assert string.isascii(), "open"


def HumanEval_28_concatenate(strings):
    assert _texts(strings)


def HumanEval_29_filter_by_prefix(strings, prefix):
    assert _texts(strings) and type(prefix) is str


def HumanEval_30_get_positive(l):
    assert _numbers(l)


def HumanEval_31_is_prime(n):
    assert type(n) is int
    assert n <= 2 * 10**8, "slow"


def HumanEval_32_find_zero(xs):
    assert _reals(xs) and xs and len(xs) % 2 == 0 and xs[-1] != 0
    # So that a zero lies within 11, and that floats can tell it from its neighbours.
    assert len(xs) <= 8 and all(abs(x) <= 10 * abs(xs[-1]) and abs(x) <= 100 for x in xs) and abs(xs[-1]) >= 1, "open"


def HumanEval_33_sort_third(l):
    assert _numbers(l)


def HumanEval_34_unique(l):
    assert _numbers(l)


def HumanEval_35_max_element(l):
    assert _numbers(l) and l


def HumanEval_36_fizz_buzz(n):
    assert type(n) is int and n >= 0
    assert n <= 10**6, "slow"  # looking at all numbers is the plain way


def HumanEval_37_sort_even(l):
    assert _numbers(l)


def HumanEval_38_decode_cyclic(s):
    assert type(s) is str


def HumanEval_39_prime_fib(n):
    assert type(n) is int and n >= 1
    assert n <= 11, "slow"  # the next one has seventeen digits, too many to try divisors


def HumanEval_40_triples_sum_to_zero(l):
    assert _ints(l)
    assert len(l) <= 150, "slow"  # trying all triples is a right way


def HumanEval_41_car_race_collision(n):
    assert type(n) is int and n >= 0


def HumanEval_42_incr_list(l):
    assert _reals(l)


def HumanEval_43_pairs_sum_to_zero(l):
    assert _ints(l)
    assert l.count(0) < 2, "open"  # are two zeros two distinct elements?


def HumanEval_44_change_base(x, base):
    assert type(x) is int and x >= 0
    assert x > 0, "reference"  # it gives '' for 0
    assert type(base) is int and 2 <= base < 10


def HumanEval_45_triangle_area(a, h):
    assert _is_real(a) and _is_real(h) and a > 0 and h > 0


def HumanEval_46_fib4(n):
    assert type(n) is int and n >= 0


def HumanEval_47_median(l):
    # The second example is wrong, as the task's tests have it: the median there is 8.
    assert _reals(l) and l


def HumanEval_48_is_palindrome(text):
    assert type(text) is str


def HumanEval_49_modp(n, p):
    assert type(n) is int and type(p) is int and n >= 0 and p >= 1
    assert n <= 10**6, "slow"  # doubling n times is a right way
    assert p > 1, "reference"  # it gives 1 for (0, 1)


def HumanEval_50_decode_shift(s):
    assert type(s) is str
    assert _is_lower(s), "open"


def HumanEval_51_remove_vowels(text):
    assert type(text) is str
    assert text.isascii(), "open"


def HumanEval_52_below_threshold(l, t):
    assert _numbers(l) and type(t) is int


def HumanEval_53_add(x, y):
    assert type(x) is int and type(y) is int


def HumanEval_54_same_chars(s0, s1):
    assert type(s0) is str and type(s1) is str
    assert all(_is_line(word) and word and " " not in word for word in (s0, s1)), "open"  # are these words?


def HumanEval_55_fib(n):
    assert type(n) is int and n >= 0
    assert n <= 25, "slow"  # a recursion is a right way


def HumanEval_56_correct_bracketing(brackets):
    assert _is_made_of(brackets, "<>")


def HumanEval_57_monotonic(l):
    assert _numbers(l)


def HumanEval_58_common(l1, l2):
    assert _numbers(l1) and _numbers(l2)


def HumanEval_59_largest_prime_factor(n):
    assert type(n) is int and n > 1 and not _is_prime(n)
    assert n <= 10**6, "slow"  # trying all numbers is a right way


def HumanEval_60_sum_to_n(n):
    assert type(n) is int and n >= 1
    assert n <= 10**6, "slow"  # adding them up is the plain way


def HumanEval_61_correct_bracketing(brackets):
    assert _is_made_of(brackets, "()")


def HumanEval_62_derivative(xs):
    assert _reals(xs) and xs


def HumanEval_63_fibfib(n):
    assert type(n) is int and n >= 0
    assert n <= 20, "slow"  # the reference is a recursion


def HumanEval_64_vowels_count(s):
    assert type(s) is str
    assert _is_word(s), "open"


def HumanEval_65_circular_shift(x, shift):
    assert type(x) is int and x >= 0
    assert type(shift) is int and shift >= 0


def HumanEval_66_digitSum(s):
    assert type(s) is str
    assert s.isascii(), "open"


def HumanEval_67_fruit_distribution(s, n):
    assert type(s) is str and type(n) is int
    apples, _, oranges = s.removesuffix(" oranges").partition(" apples and ")
    assert s == f"{apples} apples and {oranges} oranges" and _is_numeral(apples) and _is_numeral(oranges)
    assert int(apples) + int(oranges) <= n


def HumanEval_68_pluck(arr):
    assert _ints(arr) and all(node >= 0 for node in arr)


def HumanEval_69_search(lst):
    assert _ints(lst) and lst and all(x > 0 for x in lst)


def HumanEval_70_strange_sort_list(lst):
    assert _ints(lst)


def HumanEval_71_triangle_area(a, b, c):
    assert all(_is_real(side) and side > 0 for side in (a, b, c))
    assert max(a, b, c) <= 10**4, "open"
    short, middle, long = sorted((a, b, c))
    assert _is_clear(short + middle, long), "open"
    # No half hundredth, nor nearly one, to round.
    half = (a + b + c) / 2
    area = max(0, half * (half - a) * (half - b) * (half - c)) ** 0.5
    assert abs(area * 100 % 1 - 0.5) > 1e-3, "open"


def HumanEval_72_will_it_fly(q, w):
    assert _reals(q) and _is_real(w)
    assert _ints(q) and type(w) is int, "open"


def HumanEval_73_smallest_change(arr):
    assert _ints(arr)


def HumanEval_74_total_match(lst1, lst2):
    assert _texts(lst1) and _texts(lst2)


def HumanEval_75_is_multiply_prime(a):
    assert type(a) is int and a < 100


def HumanEval_76_is_simple_power(x, n):
    assert type(x) is int and type(n) is int
    # It does not know the powers of negative numbers; 0 to the 0 is a matter of taste.
    assert n >= 1, "reference"


def HumanEval_77_iscube(a):
    assert type(a) is int
    assert abs(a) <= 10**6, "slow"  # trying all numbers is a right way


def HumanEval_78_hex_key(num):
    assert _is_made_of(num, "0123456789ABCDEF")


def HumanEval_79_decimal_to_binary(decimal):
    assert type(decimal) is int and decimal >= 0


def HumanEval_80_is_happy(s):
    assert type(s) is str
    assert s == "" or _is_word(s), "open"
    # Are 'a' and 'A' distinct letters?
    threes = [s[start : start + 3] for start in range(len(s) - 2)]
    assert all(len(set(three)) == len(set(three.lower())) for three in threes), "open"


def HumanEval_81_numerical_letter_grade(grades):
    assert _reals(grades) and all(0 <= grade <= 4 for grade in grades)


def HumanEval_82_prime_length(string):
    assert type(string) is str


def HumanEval_83_starts_one_ends(n):
    assert type(n) is int and n >= 1
    assert n <= 6, "slow"  # looking at all numbers of n digits is a right way


def HumanEval_84_solve(N):
    assert type(N) is int and 0 <= N <= 10000


def HumanEval_85_add(lst):
    assert _ints(lst) and lst


def HumanEval_86_anti_shuffle(s):
    assert type(s) is str
    assert _is_line(s), "open"


def HumanEval_87_get_row(lst, x):
    assert type(lst) is list and all(_ints(row) for row in lst)
    assert type(x) is int


def HumanEval_88_sort_array(array):
    assert _ints(array) and all(x >= 0 for x in array)


def HumanEval_89_encrypt(s):
    assert type(s) is str
    assert _is_lower(s), "open"


def HumanEval_90_next_smallest(lst):
    assert _ints(lst)


def HumanEval_91_is_bored(S):
    assert type(S) is str
    assert _is_line(S) and S[:1] != " ", "open"
    for sentence in S.replace("?", ".").replace("!", ".").split("."):
        start = sentence.strip()[:2]
        # An "I" with nothing after it, or as in "I'm", may be the word or not.
        assert start in ("", "I ") or (start[0].isalnum() and (start[0] != "I" or start[1:].isalnum())), "open"


def HumanEval_92_any_int(x, y, z):
    # The task's tests take 3.0 for no integer.
    assert _is_real(x) and _is_real(y) and _is_real(z)


def HumanEval_93_encode(message):
    # The second example has spaces.
    assert type(message) is str and message.isascii() and all(each.isalpha() or each == " " for each in message)


def HumanEval_94_skjkasdkd(lst):
    assert _ints(lst)
    assert max(lst, default=0) <= 10**6, "slow"  # trying all divisors of each is a right way
    assert any(_is_prime(x) for x in lst)


def HumanEval_95_check_dict_case(dict):
    assert type(dict) is type({}) and all(type(key) in (str, int) for key in dict)
    # A text without letters is in no case, or in both.
    assert all(key.isascii() and key.lower() != key.upper() for key in dict if type(key) is str), "open"
    # The reference looks at no more than two keys that agree.
    cases = [type(key) is str and (key.islower(), key.isupper()) for key in dict]
    assert len(cases) < 3 or cases[0] != cases[1] or len(set(cases)) == 1, "reference"


def HumanEval_96_count_up_to(n):
    assert type(n) is int and n >= 0
    assert n <= 10**4, "slow"  # trying all divisors of each is a right way


def HumanEval_97_multiply(a, b):
    assert type(a) is int and type(b) is int
    # It takes the unit digit of a negative number from ten.
    assert all(x >= 0 or x % 5 == 0 for x in (a, b)), "reference"


def HumanEval_98_count_upper(s):
    assert type(s) is str
    assert s.isascii(), "open"


def HumanEval_99_closest_integer(value):
    assert type(value) is str and _is_decimal(value)


def HumanEval_100_make_a_pile(n):
    assert type(n) is int and n > 0


def HumanEval_101_words_string(s):
    assert type(s) is str
    assert _is_line(s), "open"


def HumanEval_102_choose_num(x, y):
    assert type(x) is int and type(y) is int and x > 0 and y > 0
    assert max(x, y) <= 10**6, "slow"  # looking at all numbers of the range is a right way


def HumanEval_103_rounded_avg(n, m):
    assert type(n) is int and type(m) is int and n > 0 and m > 0
    assert max(n, m) < 10**15, "open"
    # The last example has 26.5 become 26: towards zero, or to the even neighbour. Both agree on halves over an even.
    assert (n + m) % 4 != 3 or n > m, "open"


def HumanEval_104_unique_digits(x):
    assert _ints(x) and all(each > 0 for each in x)


def HumanEval_105_by_length(arr):
    assert _ints(arr)


def HumanEval_106_f(n):
    assert type(n) is int and n >= 0


def HumanEval_107_even_odd_palindrome(n):
    assert type(n) is int and 1 <= n <= 10**3


def HumanEval_108_count_nums(arr):
    assert _ints(arr)


def HumanEval_109_move_one_ball(arr):
    assert _ints(arr) and len(arr) == len(set(arr))


def HumanEval_110_exchange(lst1, lst2):
    assert _ints(lst1) and _ints(lst2) and lst1 and lst2


def HumanEval_111_histogram(test):
    assert type(test) is str
    assert test == "" or all(len(letter) == 1 and _is_lower(letter) for letter in test.split(" "))


def HumanEval_112_reverse_delete(s, c):
    assert type(s) is str and type(c) is str


def HumanEval_113_odd_count(lst):
    assert _texts(lst) and all(each and _is_made_of(each, "0123456789") for each in lst)


def HumanEval_114_minSubArraySum(nums):
    assert _ints(nums) and nums
    assert len(nums) <= 150, "slow"  # adding up each sub-array is a right way


def HumanEval_115_max_fill(grid, capacity):
    assert type(grid) is list and 1 <= len(grid) <= 100 and all(_ints(row) for row in grid)
    assert 1 <= len(grid[0]) <= 100 and all(len(row) == len(grid[0]) for row in grid)
    assert all(well in (0, 1) for row in grid for well in row)
    assert type(capacity) is int and 1 <= capacity <= 10


def HumanEval_116_sort_array(arr):
    # The examples are wrong, as the task's tests have it: [1, 2, 4, 3, 5] follows from the rule.
    assert _ints(arr) and all(x >= 0 for x in arr)


def HumanEval_117_select_words(s, n):
    assert type(s) is str and s.isascii() and all(each.isalpha() or each == " " for each in s)
    assert type(n) is int and n > 0


def HumanEval_118_get_closest_vowel(word):
    assert _is_word(word)
    # Whether y is a vowel is not said.
    assert _last_inner_vowel(word, "aeiouAEIOU") == _last_inner_vowel(word, "aeiouyAEIOUY"), "open"


def HumanEval_119_match_parens(lst):
    assert _texts(lst) and len(lst) == 2 and all(each and _is_made_of(each, "()") for each in lst)


def HumanEval_120_maximum(arr, k):
    assert _ints(arr) and 1 <= len(arr) <= 1000 and all(-1000 <= x <= 1000 for x in arr)
    assert type(k) is int and 0 <= k <= len(arr)


def HumanEval_121_solution(lst):
    assert _ints(lst) and lst


def HumanEval_122_add_elements(arr, k):
    assert _ints(arr) and 1 <= len(arr) <= 100
    assert type(k) is int and 1 <= k <= len(arr)
    # It counts the sign as a digit.
    assert not any(-100 < x < -9 for x in arr[:k]), "reference"


def HumanEval_123_get_odd_collatz(n):
    assert type(n) is int and n >= 1
    assert n <= 10**7, "reference"  # it halves floats: up to here they are exact


def HumanEval_124_valid_date(date):
    assert type(date) is str
    assert _is_made_of(date, "0123456789-/"), "open"
    parts = date.split("-")
    if len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts):
        month, day = int(parts[0]), int(parts[1])
        # A number with too few or too many digits makes a date wrong; some other rule must say so too.
        assert [len(part) for part in parts] == [2, 2, 4] or not (1 <= month <= 12 and 1 <= day <= 31), "open"
        # It refuses the 30th and 31st of all months.
        is_last = day in (30, 31) and month != 2 and (day, month) not in ((31, 4), (31, 6), (31, 9), (31, 11))
        assert not 1 <= month <= 12 or not is_last, "reference"


def HumanEval_125_split_words(txt):
    assert type(txt) is str
    assert _is_line(txt), "open"
    # No empty words, which may be kept or not.
    assert all(txt.split(" ")) if " " in txt else all(txt.split(",")) if "," in txt else True, "open"


def HumanEval_126_is_sorted(lst):
    assert _ints(lst) and all(x >= 0 for x in lst)


def HumanEval_127_intersection(interval1, interval2):
    for interval in (interval1, interval2):
        assert type(interval) in (list, tuple) and len(interval) == 2 and all(type(end) is int for end in interval)
        assert interval[0] <= interval[1]
    # Trying all divisors of the length is a right way.
    assert min(interval1[1], interval2[1]) - max(interval1[0], interval2[0]) <= 10**6, "slow"


def HumanEval_128_prod_signs(arr):
    assert _ints(arr)


def HumanEval_129_minPath(grid, k):
    assert type(grid) is list and len(grid) >= 2
    assert all(_ints(row) and len(row) == len(grid) for row in grid)
    assert sorted(x for row in grid for x in row) == list(range(1, len(grid) ** 2 + 1))
    assert type(k) is int and k >= 1
    assert k <= 12, "slow"  # trying all paths is a right way


def HumanEval_130_tri(n):
    assert type(n) is int and n >= 0
    assert n <= 1000, "slow"  # a recursion is a right way


def HumanEval_131_digits(n):
    assert type(n) is int and n > 0


def HumanEval_132_is_nested(string):
    assert _is_made_of(string, "[]")
    # A subsequence may have gaps, or be meant as a stretch of the string: both say the same here.
    has_gaps = any(string[:i].count("[") >= 2 and string[i:].count("]") >= 2 for i in range(len(string)))
    joined = string
    while "[][]" in joined:
        joined = joined.replace("[][]", "[]")
    assert has_gaps == ("[[]]" in joined), "open"


def HumanEval_133_sum_squares(lst):
    assert _reals(lst)


def HumanEval_134_check_if_last_char_is_a_letter(txt):
    assert type(txt) is str
    assert _is_line(txt), "open"


def HumanEval_135_can_arrange(arr):
    assert _numbers(arr) and len(arr) == len(set(arr))


def HumanEval_136_largest_smallest_integers(lst):
    assert _ints(lst)


def HumanEval_137_compare_one(a, b):
    for each in (a, b):
        assert _is_real(each) or (type(each) is str and _is_decimal(each.replace(",", ".")))


def HumanEval_138_is_equal_to_sum_even(n):
    assert type(n) is int
    assert n <= 100, "slow"  # trying all sums is a right way


def HumanEval_139_special_factorial(n):
    assert type(n) is int and n > 0
    assert n <= 75, "slow"  # thousands of digits, which Python does not even write


def HumanEval_140_fix_spaces(text):
    assert type(text) is str
    # It makes one underscore of two spaces at the end.
    assert len(text) - len(text.rstrip(" ")) != 2, "reference"


def HumanEval_141_file_name_check(file_name):
    assert type(file_name) is str
    assert file_name.isascii(), "reference"  # it takes all letters for latin ones


def HumanEval_142_sum_squares(lst):
    assert _ints(lst)


def HumanEval_143_words_in_sentence(sentence):
    assert type(sentence) is str and 1 <= len(sentence) <= 100
    assert all(_is_word(word) for word in sentence.split(" "))


def HumanEval_144_simplify(x, n):
    for each in (x, n):
        assert type(each) is str and each.count("/") == 1
        assert all(_is_numeral(part) and part != "0" for part in each.split("/"))
        assert all(int(part) <= 10**6 for part in each.split("/")), "open"  # floats are exact enough


def HumanEval_145_order_by_points(nums):
    assert _ints(nums)


def HumanEval_146_specialFilter(nums):
    assert _ints(nums)


def HumanEval_147_get_max_triples(n):
    assert type(n) is int and n >= 1
    assert n <= 150, "slow"  # trying all triples is a right way


def HumanEval_148_bf(planet1, planet2):
    planets = ("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune")
    for planet in (planet1, planet2):
        assert type(planet) is str
        # 'earth' may be a correct name or not.
        assert planet in planets or planet.strip().capitalize() not in planets, "open"


def HumanEval_149_sorted_list_sum(lst):
    assert _texts(lst) and all(_is_word(each) for each in lst)
    # Alphabetical order with and without regard to case is the same here.
    ordered = sorted(lst, key=lambda word: (len(word), word))
    assert ordered == sorted(lst, key=lambda word: (len(word), word.lower(), word)), "open"


def HumanEval_150_x_or_y(n, x, y):
    assert type(n) is int and type(x) is int and type(y) is int
    assert n >= 1, "reference"  # it takes numbers below 1 for primes
    assert n <= 10**6, "slow"  # trying all divisors is a right way


def HumanEval_151_double_the_difference(lst):
    assert _reals(lst)
    assert not any(type(x) is float and x.is_integer() for x in lst), "open"  # is 3.0 an integer?
    # It knows other numbers by the point in them, which 1e-06 has not.
    assert all(type(x) is int or "." in str(x) for x in lst), "reference"


def HumanEval_152_compare(game, guess):
    assert _ints(game) and _ints(guess) and len(game) == len(guess)


def HumanEval_153_Strongest_Extension(class_name, extensions):
    assert type(class_name) is str and _texts(extensions) and extensions
    assert all(_is_line(each) and each for each in (class_name, *extensions)), "open"


def HumanEval_154_cycpattern_check(a, b):
    assert type(a) is str and type(b) is str
    assert _is_word(a) and _is_word(b), "open"


def HumanEval_155_even_odd_count(num):
    assert type(num) is int


def HumanEval_156_int_to_mini_roman(number):
    assert type(number) is int and 1 <= number <= 1000


def HumanEval_157_right_angle_triangle(a, b, c):
    assert all(_is_real(side) and side > 0 for side in (a, b, c))
    assert all(type(side) is int for side in (a, b, c)), "open"  # floats seldom square to what they should


def HumanEval_158_find_max(words):
    assert _texts(words) and words and all(_is_word(word) for word in words)
    # With and without regard to case the same word comes first, alone.
    first = min(words, key=lambda word: (-len(set(word)), word))
    rank = (-len(set(first.lower())), first.lower())
    assert all(word == first or (-len(set(word.lower())), word.lower()) > rank for word in words), "open"


def HumanEval_159_eat(number, need, remaining):
    assert all(type(each) is int and 0 <= each <= 1000 for each in (number, need, remaining))


def HumanEval_160_do_algebra(operator, operand):
    assert _texts(operator) and operator and all(each in ("+", "-", "*", "//", "**") for each in operator)
    assert _ints(operand) and all(x >= 0 for x in operand) and len(operand) == len(operator) + 1
    assert not any(sign == "//" and by == 0 for sign, by in zip(operator, operand[1:]))
    # One power at a time, small enough to be written out, and not 0 to the 0.
    powers = [(x, y) for x, sign, y in zip(operand, operator, operand[1:]) if sign == "**"]
    assert all(y <= 100 and (x or y) for x, y in powers), "open"
    assert not any(sign == after == "**" for sign, after in zip(operator, operator[1:])), "slow"


def HumanEval_161_solve(s):
    assert type(s) is str
    assert s.isascii(), "open"


def HumanEval_162_string_to_md5(text):
    assert type(text) is str
    assert text.isascii(), "open"  # elsewhere the hash hangs on the encoding


def HumanEval_163_generate_integers(a, b):
    assert type(a) is int and type(b) is int and a > 0 and b > 0
