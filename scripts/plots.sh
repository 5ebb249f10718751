#!/usr/bin/env bash
# Draws the pictures in results/ out of the tables there, with the commands that results/README.md shows
# beside them: lines that begin with `godnum plot`. The same tables give the same bytes.
# GODNUM: the binary to use; without it, a release build.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${GODNUM:-}" ]; then
    cargo build --release --locked
    GODNUM=target/release/godnum
fi
sed -n 's/^godnum plot //p' results/README.md | while read -r arguments; do
    # shellcheck disable=SC2086 # words, none of which has spaces
    "$GODNUM" plot $arguments
done
