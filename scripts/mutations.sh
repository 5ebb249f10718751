#!/usr/bin/env bash
# Makes the mistakes of tests/mutations.txt in a copy of the tree, one at a time, and prints who notices:
# the walk itself, `verify --full` by the mistaken program, `verify --full` by the sound one, the levels
# that tests/golden/ knows, the tests. Fails if neither the walk, nor `verify` in the mistaken program,
# nor a test does.
# With arguments, only mutants whose names contain one of them: scripts/mutations.sh verify: tiles:
# MUTANTS: a directory for the copy and its build, kept for the next time; without it, a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${MUTANTS:-}" ]; then
    mkdir -p "$MUTANTS"
    work=$(cd "$MUTANTS" && pwd)
    trap 'rm -rf "$work/jobs"' EXIT
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
trap 'exit 130' INT TERM
tree=$work/tree job=$work/jobs/job log=$work/log
rm -rf "$tree" "$work/jobs"
mkdir -p "$tree" "$work/jobs"
# With their times, so that what did not change is not built again.
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -p --parents -t "$tree"
export CARGO_TARGET_DIR=$work/target
# Quick to build; and no mistake is to be noticed by checks that a release build has not.
cargo=(cargo)
for setting in opt-level=1 debug=false debug-assertions=false overflow-checks=false; do
    cargo+=(--config "profile.dev.package.godnum.$setting")
done
godnum=$CARGO_TARGET_DIR/debug/godnum

# Reads the next mutant from file descriptor 3: name, file, old, new, steps.
mutant() {
    local line
    name='' file='' old='' new=''
    steps=()
    while IFS= read -r line <&3; do
        case $line in
            '== '*) name=${line#== } ;;
            'in '*) file=${line#in } ;;
            '- '*) old=$old${old:+$'\n'}${line#- } ;;
            '+ '*) new=$new${new:+$'\n'}${line#+ } ;;
            'job '* | 'killed '* | 'test '*) steps+=("$line") ;;
            '#'*) ;;
            '') [ -z "$name" ] || return 0 ;;
            *) echo "tests/mutations.txt: what is '$line'?" >&2; exit 2 ;;
        esac
    done
    [ -n "$name" ]
}

# Puts a mistake into the copy; the piece must be in the source exactly once.
insert() {
    local text rest
    text=$(< "$tree/$file")
    rest=${text//"$old"/}
    if [ $((${#text} - ${#rest})) -ne ${#old} ]; then
        echo "$file does not contain exactly once: $old" >&2
        exit 2
    fi
    new=${new//WRONG/"crate::mistake($1)"}
    printf '%s\n' "${text/"$old"/"$new"}" > "$tree/$file"
}

wanted() {
    local mutant=$1 part
    shift
    for part in "$@"; do [[ $mutant != *"$part"* ]] || return 0; done
    [ $# -eq 0 ]
}

# What an exit code says of who noticed; nothing if all is well.
said() {
    case $1 in
        0) ;;
        4) echo wrong ;;
        5) echo damaged ;;
        101) echo panic ;;
        124 | 137) echo hangs ;;
        *) echo "exit $1" ;;
    esac
}

# Runs a command; prints what it said.
ended() {
    local code=0
    timeout -k 5 300 "$@" > "$log" 2>&1 || code=$?
    said $code
}

# Kills a walk after longer and longer times until one comes to its end; prints what it said.
killed() {
    local code=137 hundredths=10
    while [ $code -eq 137 ] && [ $hundredths -lt 30000 ]; do
        code=0
        timeout -s KILL "$((hundredths / 100)).$(printf %02d $((hundredths % 100)))" "$@" > "$log" 2>&1 || code=$?
        hundredths=$((hundredths * 5 / 4))
    done
    said $code
}

# Adds a word to the list in a variable, once.
add() {
    local -n list=$1
    [ -z "$2" ] || [[ ", $list, " == *", $2, "* ]] || list=${list:+$list, }$2
}

# The names of the tests that failed, out of the log.
failed() {
    local names
    names=$(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log" | sed 's/.*:://' | paste -sd, | sed 's/,/, /g')
    echo "${names:-ended or hanged}"
}

# Everything in `steps` with a mistake, 0 for none: sets walk, check, truth, levels, tests.
run() {
    local step words golden how
    export GODNUM_MISTAKE=$1
    walk='' check='' truth='' levels='' tests=''
    for step in "${steps[@]}"; do
        read -ra words <<< "$step"
        if [ "${words[0]}" = test ]; then
            (cd "$tree" && timeout -k 5 900 "${cargo[@]}" test --offline "${words[@]:1}") > "$log" 2>&1 ||
                add tests "$(failed)"
            continue
        fi
        how=ended
        [ "${words[0]}" = job ] || how=killed
        rm -rf "$job"
        add walk "$($how "$godnum" enumerate "${words[@]:1}" --quiet --dir "$job")"
        add check "$(ended "$godnum" verify "$job" --full --quiet --memory 256M)"
        add truth "$(GODNUM_MISTAKE=0 ended "$godnum" verify "$job" --full --quiet --memory 256M)"
        golden=tests/golden/$(tr ':@#/,=' '------' <<< "${words[1]}").csv
        cmp -s "$golden" "$job/levels.csv" || add levels differ
        rm -rf "$job"
    done
}

number=0
declare -A needed
# The program itself is built with any of the tests that run it.
declare -A targets=([--test=suite]=1)
exec 3< tests/mutations.txt
while mutant; do
    number=$((number + 1))
    insert $number
    wanted "$name" "$@" || continue
    for step in "${steps[@]}"; do
        needed[$step]=1
        case $step in
            'test --lib'*) targets[--lib]=1 ;;
            'test --test '*) read -ra words <<< "$step"; targets[--test=${words[2]}]=1 ;;
        esac
    done
done
cat >> "$tree/src/lib.rs" <<'RUST'

/// Whether this mistake is to be made.
pub fn mistake(number: usize) -> bool {
    static WHICH: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let which = || std::env::var("GODNUM_MISTAKE").ok()?.parse().ok();
    *WHICH.get_or_init(|| which().unwrap_or(0)) == number
}
RUST
echo "Building a copy with $number mistakes to choose from." >&2
(cd "$tree" && "${cargo[@]}" test --offline --quiet --no-run "${!targets[@]}") > "$log" 2>&1 ||
    { grep -A 12 -m 3 '^error' "$log" >&2; echo "the copy does not build" >&2; exit 2; }
echo "Without any mistake, everything must pass." >&2
for step in "${!needed[@]}"; do
    steps=("$step")
    run 0
    if [ -n "$walk$check$truth$levels$tests" ]; then
        echo "without any mistake, '$step' fails: $walk $check $truth $levels $tests" >&2
        exit 2
    fi
    if [[ $step == test* ]] && ! grep -q '^running [1-9]' "$log"; then
        echo "'$step' runs no test" >&2
        exit 2
    fi
done

number=0 made=0 survived=0
echo '| mistake | the walk | `verify` | `verify`, sound | levels | tests |'
echo '|---|---|---|---|---|---|'
exec 3< tests/mutations.txt
while mutant; do
    number=$((number + 1))
    wanted "$name" "$@" || continue
    run $number
    made=$((made + 1))
    echo "| $name | $walk | $check | $truth | $levels | $tests |"
    if [ -z "$walk$check$tests" ]; then
        survived=$((survived + 1))
        echo "not detected: $name" >&2
    fi
done
echo
echo "$made mistakes, $survived of them unnoticed."
[ "$survived" -eq 0 ] && [ "$made" -gt 0 ]
