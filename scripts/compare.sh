#!/usr/bin/env bash
# Runs godnum and whichever of the programs below is there on the same jobs, best of REPEAT each, and prints how many
# times as long as godnum the other one takes: by the clock, and in seconds of processor time, user and system. None of
# them is needed.
#
#   variable      program                       jobs             what the variable holds
#   TWSEARCH      cubing/twsearch (C++)         exported puzzles the program, if `twsearch` is not on the path
#   DISK_BFS      benwh1/disk-based-bfs         tiles:3x4        a command line
#   PUZZLESEARCH  lightln2/PuzzleSearch         tiles:3x4        a command line
#   KLOTSKI       dnomd343/klotski              klotski:all      a command line
#
# The last three are libraries: the command is a program of yours that walks the job with them. Any
# variable may hold a whole command line with absolute paths; it runs in an empty directory, and
# `{}` in it stands for the definition of the puzzle in twsearch's format, as `godnum export` writes it. Where it prints
# levels (a line for each: its number first, then how many states) they are compared with ours.
#
# twsearch: the program in C++ is in the history of its repository, up to the end of 2024, and is built there by
# `make build/bin/twsearch`. Options: `-g` for God's algorithm, `--nowrite` for no tables on disk; every multiple of a
# move is one move. It does not use symmetry. It starts from one solved state; where we start from several, only the
# totals can be compared. Of the same program in Rust, twips, say TWSEARCH="..." with what it needs.
#
# GODNUM is our program (default: target/release/godnum, built if it is missing), JOBS the puzzles that twsearch
# gets, REPEAT how often each is run (default 3), WORK where files go (default: the system's directory for temporary
# files). Exit code 1 if counts differ or a program fails.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

godnum=${GODNUM:-$PWD/target/release/godnum}
[ -x "$godnum" ] || cargo build --release --locked
repeat=${REPEAT:-3}
work=$(mktemp -d "${WORK:-${TMPDIR:-/tmp}}/godnum-compare-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
bad=0

# The least time in seconds that a command line takes, each time in an empty directory, and the least processor
# time; what it printed is in $work/printed. Fails if it does.
best() {
    local least= least_cpu= start seconds cpu round
    for ((round = 0; round < repeat; round++)); do
        rm -rf "$work/empty"
        mkdir "$work/empty"
        start=$EPOCHREALTIME
        (cd "$work/empty" && TIMEFORMAT='%U %S' && time bash -c "$1" > "$work/printed" 2> "$work/complaint") \
            2> "$work/cpu" < /dev/null || return 1
        seconds=$(awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.3f", to - from }')
        cpu=$(tail -n 1 "$work/cpu" | awk '{ printf "%.3f", $1 + $2 }')
        least=$(smaller "${least:-$seconds}" "$seconds")
        least_cpu=$(smaller "${least_cpu:-$cpu}" "$cpu")
    done
    echo "$least $least_cpu"
}

smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }

# "level states" for each level that a program printed: lines with the numbers 0, 1, 2, ... first. twsearch prints
# other numbers, too.
levels_of() {
    { grep '^Dist [0-9]' "$1" || cat "$1"; } | awk '{
        line = $0
        # Commas between thousands go, unless the line is CSV.
        while (line ~ /[^0-9,]/ && match(line, /[0-9],[0-9][0-9][0-9]/)) line = substr(line, 1, RSTART) substr(line, RSTART + 2)
        gsub(/[^0-9]+/, " ", line)
        if (split(line, number, " ") >= 2 && number[1] == next_level + 0) print next_level++ + 0, number[2]
    }'
}

# Our time and levels for a job; a job that was measured before is not run again.
ours() {
    local name=${1//:/-}
    [ ! -f "$work/$name.seconds" ] || return 0
    best "$(printf '%q enumerate %q --dir job --quiet && cat job/levels.csv' "$godnum" "$1")" > "$work/$name.seconds" ||
        { cat "$work/complaint" >&2; exit 1; }
    sed -n 's/^\([0-9]*\),[0-9]*,\([0-9]*\)$/\1 \2/p' "$work/printed" > "$work/$name.levels"
}

# Whether the levels in two files agree: all of them, or only their totals.
agreement() {
    awk -v totals="$3" '
        NR == FNR { mine[$1] = $2; sum += $2; next }
        { their_sum += $2; levels++; if (mine[$1] + 0 != $2) differ = differ == "" ? $1 : differ }
        END {
            if (levels < 2) print "no counts printed"
            else if (totals) print (sum == their_sum ? "totals agree" : "totals DIFFER")
            else if (differ != "") print "level " differ " DIFFERS"
            else print levels " levels agree"
        }' "$1" "$2"
}

row() { printf '%-16s %9s %9s  %-15s %9s %9s %7s %7s  %s\n' "$@"; }

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / (b > 0 ? b : 0.001) }'; }

# compare JOB PROGRAM VARIABLE "COMMAND LINE, or nothing"
compare() {
    local job=$1 name=${1//:/-} times seconds cpu our_seconds our_cpu counts only_totals=0
    ours "$job"
    read -r our_seconds our_cpu < "$work/$name.seconds"
    if [ -z "$4" ]; then
        row "$job" "$our_seconds" "$our_cpu" "$2" - - - - "not installed: set $3=..."
        return
    fi
    if [[ $4 == *'{}'* ]]; then
        "$godnum" export "$job" --format tws --out "$work/$name.tws" 2> "$work/complaint" ||
            { cat "$work/complaint" >&2; exit 1; }
        grep -q '^0 1$' "$work/$name.levels" || only_totals=1
    fi
    if ! times=$(best "${4//\{\}/$work/$name.tws}"); then
        bad=1
        row "$job" "$our_seconds" "$our_cpu" "$2" - - - - "failed: $(tail -n 1 "$work/complaint")"
        return
    fi
    read -r seconds cpu <<< "$times"
    levels_of "$work/printed" > "$work/their.levels"
    counts=$(agreement "$work/$name.levels" "$work/their.levels" "$only_totals")
    case $counts in *DIFFER*) bad=1 ;; esac
    row "$job" "$our_seconds" "$our_cpu" "$2" "$seconds" "$cpu" \
        "$(ratio "$seconds" "$our_seconds")" "$(ratio "$cpu" "$our_cpu")" "$counts"
}

twsearch=${TWSEARCH:-$(command -v twsearch || true)}
case $twsearch in
    '' | *' '*) ;;
    *) twsearch="$twsearch -g --nowrite {}" ;;
esac

row job "godnum s" "CPU s" other "other s" "CPU s" ratio "by CPU" counts
for job in ${JOBS:-wrapslide:6x6:2 perm:2x2x2 perm:skewb perm:pyraminx}; do
    compare "$job" twsearch TWSEARCH "$twsearch"
done
compare tiles:3x4 disk-based-bfs DISK_BFS "${DISK_BFS:-}"
compare tiles:3x4 PuzzleSearch PUZZLESEARCH "${PUZZLESEARCH:-}"
compare klotski:all klotski KLOTSKI "${KLOTSKI:-}"
exit $bad
