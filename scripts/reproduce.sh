#!/usr/bin/env bash
# Computes every experiment from nothing, verifies every class of its jobs, and writes results/*.csv
# and the tables in results/README.md, and draws the pictures there again. Run it from a clean checkout: the
# tables name the commit.
# With arguments, only those experiments: scripts/reproduce.sh experiments/tiles.toml; the rows of
# the others stay as they are. The large ones, experiments/large/*.toml, which take up to an hour and 60 GB
# of disk, are only run by name, and a sample of their classes is verified.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked
godnum=target/release/godnum
commit=$(git rev-parse --short HEAD)
[ -z "$(git status --porcelain -- src Cargo.toml Cargo.lock experiments)" ] || commit="$commit, changed"
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
machine="$(nproc) x ${cpu:-unknown}"

# One value of a JSON document as godnum prints it: "key": value, on a line of its own.
field() {
    sed -n -e "s/^  \"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" -e "s/^  \"$1\": \([^\",]*\),\{0,1\}\$/\1/p" <<< "$2" | head -n 1
}
thousands() { sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/;ta' <<< "$1"; }
# Replaces the row of a file in results/README.md, or adds it to the table of its kind.
row() {
    awk -v key="| $1 |" -v row="$2" -f scripts/results-tables.awk results/README.md > results/README.md.new
    mv results/README.md.new results/README.md
}

one() {
    local experiment=$1 document=$2 puzzle dir name answer states seconds checked
    seconds=$(printf '%.2f s' "$(field seconds "$document")")
    puzzle=$(field puzzle "$document")
    dir=$(field dir "$document")
    if [ -z "$dir" ]; then
        name=$(tr ':@#/,=' '------' <<< "$puzzle")-count
        row "$name.csv" "| $name.csv | $experiment | $(thousands "$(field solutions "$document")") solutions | | counted in $(field parts "$document") parts | $commit | $machine | $seconds |"
        return
    fi
    name=$(basename "$dir")
    answer=
    for pair in "gods_number:God's number" "eccentricity:eccentricity of the start" "goal_distance:nearest goal" \
        "start_distance:given start" "solutions:solutions" "unreached_states:unreached states"; do
        value=$(field "${pair%%:*}" "$document")
        [ "$value" = null ] || answer="${answer:+$answer, }${pair#*:} $(thousands "$value")"
    done
    states=$(thousands "$(field states "$document")")
    [ "$(field finished "$document")" = true ] || answer="levels 0 to $(($(wc -l < "$dir/levels.csv") - 2))"
    local extent=--full
    [ "$(field classes "$document")" -lt 1000000000 ] || extent="--sample 100000"
    checked=$("$godnum" verify "$dir" $extent --quiet |
        sed -n -e 's/.*; all of \([0-9,]*\) classes.*/all \1 classes/p' -e 's/.*; \(a sample of [0-9,]* classes\) was.*/\1/p')
    echo "$name: $answer; $checked verified"
    row "$name.csv" "| $name.csv | $experiment | $answer | $states | $checked | $commit | $machine | $seconds |"
}

documents=$(mktemp)
trap 'rm -f "$documents"' EXIT
[ $# -gt 0 ] || set -- experiments/*.toml
for experiment in "$@"; do
    if grep -q -e '^survey' -e '^sample' "$experiment"; then
        start=$SECONDS
        # Samples that are done would not be solved again.
        ! grep -q '^sample' "$experiment" || rm -rf runs/*-sample-*
        printed=$("$godnum" run "$experiment" --quiet | tail -n 1)
        name=$(sed -n 's/^Written to results\/\(.*\)\.$/\1/p' <<< "$printed")
        row "$name" "| $name | $experiment | a table | | | $commit | $machine | $((SECONDS - start)) s |"
        continue
    fi
    # From nothing.
    for name in $(grep -o '"[a-z]*:[^"]*"' "$experiment" | tr -d '"' | tr ':@#/,=' '------'); do
        rm -rf "runs/$name" "runs/$name-count"
    done
    # First everything is computed, then verified: neither may slow the other down.
    "$godnum" run "$experiment" --quiet --json > "$documents"
    document=
    while IFS= read -r line; do
        document="$document$line"$'\n'
        [ "$line" != "}" ] || { one "$experiment" "$document"; document=; }
    done < "$documents"
done
GODNUM=$godnum scripts/plots.sh
