"""The browser that every test in this folder opens pages in: one for all."""

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="session")
def browser():
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    assert found, "no Chromium: install it, or name it in CHROMIUM"
    with sync_playwright() as playwright:
        # Without a sandbox, since tests often run as root.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"], timeout=300_000)
        yield browser
        browser.close()
