#!/usr/bin/env bash
# Runs godnum and whichever of the programs below is there on the same jobs, best of three each, and
# prints how many times as long as godnum the other one takes. None of them is needed.
#
#   variable      program                       job              what the variable holds
#   TWSEARCH      cubing/twsearch (C++)         wrapslide:6x6:2  the program, if `twsearch` is not on the path
#   DISK_BFS      benwh1/disk-based-bfs         tiles:3x4        a command line
#   PUZZLESEARCH  lightln2/PuzzleSearch         tiles:3x4        a command line
#   KLOTSKI       dnomd343/klotski              klotski:all      a command line
#
# The last three are libraries: the command is a program of yours that walks the job with them. Any
# variable may hold a whole command line with absolute paths; it runs in an empty directory, and
# `{}` in it stands for the definition of the puzzle in twsearch's format. Where it prints levels
# (a line for each: its number first, then how many states) they are compared with ours.
#
# twsearch: options as in the 2023 and 2024 versions, `-g` for God's algorithm, `--nowrite` for no
# tables on disk, every multiple of a move being one move. It starts from one of the four solved
# states, we from all of them, so only the totals can be compared. Of the same program in Rust, twips,
# say TWSEARCH="..." with what it needs.
#
# GODNUM is our program (default: target/release/godnum, built if it is missing), REPEAT how often
# each is run (default 3), WORK where files go (default: the system's directory for temporary files).
# Exit code 1 if counts differ or a program fails.
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

# Wrapslide 6x6 with two colours: nine cells of one kind, 27 of the other; each half slides by one.
definition() {
    awk 'BEGIN {
        print "Name wrapslide6x6\n\nSet CELLS 36 1\n\nSolved\nCELLS"
        line = ""
        for (r = 0; r < 6; r++) for (c = 0; c < 6; c++) line = line (r < 3 && c < 3 ? 1 : 2) " "
        print line "\nEnd"
        split("T B L R", halves, " ")
        for (h = 1; h <= 4; h++) {
            half = halves[h]
            line = ""
            for (r = 0; r < 6; r++) for (c = 0; c < 6; c++) {
                from_r = r; from_c = c
                if (half == "T" && r < 3 || half == "B" && r >= 3) from_c = (c + 1) % 6
                if (half == "L" && c < 3 || half == "R" && c >= 3) from_r = (r + 1) % 6
                line = line (from_r * 6 + from_c + 1) " "
            }
            print "\nMove " half "\nCELLS\n" line "\nEnd"
        }
    }'
}

# The least time in seconds that a command line takes, each time in an empty directory; what it
# printed is in $work/printed, and 1 in place of 0 means that it failed.
best() {
    local least= start seconds round
    for ((round = 0; round < repeat; round++)); do
        rm -rf "$work/empty"
        mkdir "$work/empty"
        start=$EPOCHREALTIME
        (cd "$work/empty" && bash -c "$1") > "$work/printed" 2> "$work/complaint" < /dev/null || return 1
        seconds=$(awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.3f", to - from }')
        least=$(awk -v a="${least:-$seconds}" -v b="$seconds" 'BEGIN { print a < b ? a : b }')
    done
    echo "$least"
}

# "level states" for each level that a program printed: lines with the numbers 0, 1, 2, ... first.
levels_of() {
    awk '{
        line = $0
        # Commas between thousands go, unless the line is CSV.
        while (line ~ /[^0-9,]/ && match(line, /[0-9],[0-9][0-9][0-9]/)) line = substr(line, 1, RSTART) substr(line, RSTART + 2)
        gsub(/[^0-9]+/, " ", line)
        if (split(line, number, " ") >= 2 && number[1] == next_level + 0) print next_level++ + 0, number[2]
    }' "$1"
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

row() { printf '%-16s %10s  %-15s %10s %8s  %s\n' "$@"; }

# compare JOB PROGRAM VARIABLE "COMMAND LINE, or nothing" TOTALS-ONLY
compare() {
    local job=$1 name=${1//:/-} seconds ratio counts
    ours "$job"
    local our_seconds
    our_seconds=$(cat "$work/$name.seconds")
    if [ -z "$4" ]; then
        row "$job" "$our_seconds" "$2" - - "not installed: set $3=..."
        return
    fi
    if ! seconds=$(best "${4//\{\}/$work/wrapslide.tws}"); then
        bad=1
        row "$job" "$our_seconds" "$2" - - "failed: $(tail -n 1 "$work/complaint")"
        return
    fi
    levels_of "$work/printed" > "$work/their.levels"
    counts=$(agreement "$work/$name.levels" "$work/their.levels" "$5")
    case $counts in *DIFFER*) bad=1 ;; esac
    ratio=$(awk -v a="$seconds" -v b="$our_seconds" 'BEGIN { printf "%.2f", a / (b > 0 ? b : 0.001) }')
    row "$job" "$our_seconds" "$2" "$seconds" "$ratio" "$counts"
}

definition > "$work/wrapslide.tws"
twsearch=${TWSEARCH:-$(command -v twsearch || true)}
case $twsearch in
    '' | *' '*) ;;
    *) twsearch="$twsearch -g --nowrite {}" ;;
esac

row job "godnum s" other "other s" ratio counts
compare wrapslide:6x6:2 twsearch TWSEARCH "$twsearch" 1
compare tiles:3x4 disk-based-bfs DISK_BFS "${DISK_BFS:-}" 0
compare tiles:3x4 PuzzleSearch PUZZLESEARCH "${PUZZLESEARCH:-}" 0
compare klotski:all klotski KLOTSKI "${KLOTSKI:-}" 0
exit $bad
