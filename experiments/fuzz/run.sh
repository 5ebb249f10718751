#!/bin/sh
# Fuzzes every target, or those that are named, for SECONDS_EACH (600) seconds each, one after the other.
# What is found is put below artifacts/, what was learned below corpus/.
set -u
cd "$(dirname "$0")"
# Fuzzing needs options of the compiler that a stable one has to be told to accept.
export RUSTC_BOOTSTRAP=1
# Memory that was freed must not count as used.
export ASAN_OPTIONS="quarantine_size_mb=32${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
seconds=${SECONDS_EACH:-600}
[ $# -gt 0 ] || set -- $(ls seeds)
failed=0
for target; do
    mkdir -p "corpus/$target"
    dictionary=
    [ ! -f "dictionaries/$target.dict" ] || dictionary="-dict=dictionaries/$target.dict"
    # An instrumented build is up to a hundred times slower, so a minute is not much.
    cargo fuzz run --fuzz-dir . "$target" "corpus/$target" "seeds/$target" -- \
        $dictionary -max_total_time="$seconds" -timeout=60 -rss_limit_mb=512 -malloc_limit_mb=256 \
        -max_len=8192 -print_final_stats=1 || failed=1
done
for left in /dev/shm/godnum-input-*; do
    kill -0 "${left##*-}" 2>/dev/null || rm -rf "$left"
done
exit $failed
