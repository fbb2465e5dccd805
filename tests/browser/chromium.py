"""Find Chromium and its driver, and start them without a network and without a download."""

import shutil
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

WIDTH, HEIGHT = 1280, 1700
MISSING = (
    "The tests in a browser need Chromium and its driver: on Debian and Ubuntu "
    "`sudo apt-get install chromium chromium-driver`; elsewhere put `chromium` and "
    "`chromedriver`, of the same version, on PATH."
)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
    # A page that needs more than the server on this machine does not work for the tests either.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    f"--window-size={WIDTH},{HEIGHT}",
)


def find() -> tuple[str, str] | None:
    """Return the paths of the browser and of its driver, or None if one of them is missing."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


def start(browser: str, driver: str, profile: Path) -> Chrome:
    """Start a headless browser with an empty profile in the folder `profile`."""
    options = ChromeOptions()
    options.binary_location = browser
    for option in (*_OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    chrome = Chrome(options=options, service=Service(executable_path=driver))
    chrome.set_window_size(WIDTH, HEIGHT)
    chrome.set_script_timeout(30)
    chrome.set_page_load_timeout(60)
    return chrome
