#!/usr/bin/env bash
# Runs every experiment from nothing, verifies every class of its job, and writes results/*.csv
# and the table in results/README.md. Run it from a clean checkout: the table names the commit.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked
godnum=target/release/godnum
commit=$(git rev-parse --short HEAD)
[ -z "$(git status --porcelain -- src Cargo.toml Cargo.lock experiments)" ] || commit="$commit, changed"
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
machine="$(nproc) x ${cpu:-unknown}"

table=$(mktemp)
trap 'rm -f "$table"' EXIT
{
    echo "| file | command | God's number | states | verified | commit | machine | time |"
    echo "|---|---|---:|---:|---|---|---|---:|"
} > "$table"
for experiment in experiments/*.toml; do
    puzzle=$(sed -n 's/^puzzle = "\(.*\)"$/\1/p' "$experiment")
    name=$(basename "$experiment" .toml)
    rm -rf "runs/$name"
    printed=$("$godnum" run "$experiment" --quiet)
    echo "$printed" | tail -n 2
    verified=$("$godnum" verify "runs/$name" --full --quiet)
    echo "$verified"
    god=$(echo "$printed" | sed -n "s/^God's number of $puzzle is \([0-9]*\) .*/\1/p")
    states=$(echo "$printed" | sed -n 's/.*distance [0-9]*; \([0-9,]*\) states in all.*/\1/p')
    time=$(echo "$printed" | sed -n "s/^God's number.*; \([^;]*\)\.$/\1/p")
    checked=$(echo "$verified" | sed -n 's/.*; all of \([0-9,]*\) classes.*/all \1 classes/p')
    echo "| $name.csv | \`godnum run $experiment\` | $god | $states | $checked | $commit | $machine | $time |" >> "$table"
done
awk -v table="$table" '
    /<!-- table -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
    /<!-- end -->/ { skip = 0 }
    !skip { print }
' results/README.md > results/README.md.new
mv results/README.md.new results/README.md
