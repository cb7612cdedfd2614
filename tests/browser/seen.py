"""What is seen of the page, and what its user does."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait


def texts(browser, selector):
    """What is seen in the elements, at one moment: the page makes its list anew while it is looked at."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())"
        ".map((one) => (one.innerText ?? one.textContent).trim())",
        selector,
    )


def wait(browser, condition):
    return WebDriverWait(browser, 60).until(lambda _: condition())


def sample_shown(browser, task):
    wait(browser, lambda: texts(browser, "#sample h3")[:1] == [task])


def press(browser, keys):
    ActionChains(browser).send_keys(keys).perform()


def choose(browser, name, value):
    Select(browser.find_element(By.ID, name)).select_by_value(value)


def sort(browser, table, column):
    head = browser.find_elements(By.CSS_SELECTOR, f"table[data-name={table}] .sort")[column - 1]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", head)
    head.click()
