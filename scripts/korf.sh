#!/usr/bin/env bash
# Solves the hundred instances of the fifteen puzzle that Korf published in 1985, and compares the
# lengths with those in the tests. With a fresh XDG_CACHE_HOME the time includes building the tables.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked
instances=src/puzzles/tiles/tests/korf.csv
start=$SECONDS
tail -n +2 "$instances" | cut -d , -f 2 | target/release/godnum solve tiles:4x4 - --quiet --json |
    sed -n 's/.*"length":\([0-9]*\).*/\1/p' |
    paste -d ' ' - <(tail -n +2 "$instances" | cut -d , -f 3) |
    awk '$1 != $2 { wrong++ } { sum += $1 } END { print NR " solved, mean length " sum / NR ", " wrong + 0 " unlike the tests" }'
echo "$((SECONDS - start)) s"
