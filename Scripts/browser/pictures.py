"""Draws a page of `digest-query report`, light and dark, with one row open.

    python3 pictures.py CHROMIUM PAGE DIRECTORY
"""

import os
import sys

from browser import Browser


def main(chromium, page, directory):
    with Browser(chromium) as browser:
        browser.device(1280, 1000)
        for scheme in ["light", "dark"]:
            browser.media(scheme)
            browser.open(f"file://{os.path.abspath(page)}")
            browser.evaluate("document.querySelector('.detail details').open = true")
            browser.screenshot(f"{directory}/page-{scheme}.png", whole=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
