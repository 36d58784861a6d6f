#!/bin/sh
# A report in a headless browser: tests/long/report_browser.py.
command -v python3 >/dev/null || { echo "1..0 # skip python3 is not there"; exit 0; }
exec python3 tests/long/report_browser.py
