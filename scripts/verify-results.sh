#!/usr/bin/env bash
# Holds the committed results to new jobs: enumerates each experiment's puzzles again in a temporary
# directory, compares levels.csv with results/NAME.csv byte by byte, and verifies every class of the job.
# With arguments, only those: scripts/verify-results.sh tiles-3x4 wrapslide-6x6-2.
# Of the large ones (experiments/large/) only the first levels are made again, up to about 10^8 classes,
# and 100,000 classes of each level are verified.
# GODNUM: the binary to use; without it, a release build. JOBS: where the jobs go meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${GODNUM:-}" ]; then
    cargo build --release --locked
    GODNUM=target/release/godnum
fi
jobs=$(mktemp -d "${JOBS:-${TMPDIR:-/tmp}}/verify-results.XXXXXX")
trap 'rm -rf "$jobs"' EXIT
trap 'exit 130' INT TERM

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
printf '%-46s %-12s %15s %15s %9s %9s\n' result verified classes neighbours made checked

made=0
one() {
    local name=$1 puzzle=$2 memory=$3 last=${4:-} begun
    local job=$jobs/$name extent=--full how=all levels=() seconds printed numbers
    if [ -n "$last" ]; then
        extent="--sample 100000"
        how="to level $last"
        levels=(--max-level "$last")
    fi
    begun=$(now)
    "$GODNUM" enumerate "$puzzle" --dir "$job" --memory "$memory" --quiet ${levels[@]+"${levels[@]}"} > "$jobs/log"
    seconds=$(since "$begun")
    # The first levels of a large result are its first lines.
    if ! head -n "$(wc -l < "$job/levels.csv")" "results/$name.csv" | cmp -s - "$job/levels.csv" ||
        { [ -z "$last" ] && ! cmp -s "results/$name.csv" "$job/levels.csv"; }; then
        echo "$name: levels.csv is not what results/$name.csv says" >&2
        return 1
    fi
    begun=$(now)
    printed=$("$GODNUM" verify "$job" $extent --memory 4G --quiet)
    numbers=$(sed -n 's/.*; \(all\|a sample\) of \([0-9,]*\) classes.* their \([0-9,]*\) neighbours.*/\2 \3/p' <<< "$printed")
    if [ -z "$numbers" ]; then
        echo "$name: verify did not say what it checked: $printed" >&2
        return 1
    fi
    printf '%-46s %-12s %15s %15s %9s %9s\n' "$name" "$how" $numbers "$seconds" "$(since "$begun")"
    rm -rf "$job"
    made=$((made + 1))
}

wanted() {
    local name=$1
    shift
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]]
}

for experiment in experiments/*.toml experiments/large/*.toml; do
    ! grep -q -e '^survey' -e '^sample' -e '^count *= *"' "$experiment" || continue
    memory=$(sed -n 's/^memory = "\(.*\)"/\1/p' "$experiment")
    for puzzle in $(grep -v '^about' "$experiment" | grep -o '"[a-z]*:[^"]*"' | tr -d '"'); do
        name=$(tr ':@#/,=' '------' <<< "$puzzle")
        wanted "$name" "$@" || continue
        case $name in
            wrapslide-6x6-3) one "$name" "$puzzle" 4G 9 ;;
            wrapslide-6x6-4-fixed) one "$name" "$puzzle" 4G 13 ;;
            wrapslide-8x8-2) one "$name" "$puzzle" 4G 8 ;;
            *) one "$name" "$puzzle" "$memory" ;;
        esac
    done
done
echo "$made results are what new jobs give, and those jobs are intact."
[ "$made" -ge "$#" ] && [ "$made" -gt 0 ] || { echo "some of the names are no results of an enumeration" >&2; exit 2; }
