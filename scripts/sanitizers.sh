#!/usr/bin/env bash
# Runs the library's tests of `store` and `engine` under AddressSanitizer and ThreadSanitizer. Works with a stable
# toolchain: RUSTC_BOOTSTRAP=1 permits the unstable options.
#
#   scripts/sanitizers.sh                          both
#   scripts/sanitizers.sh address|thread [NAME...] one, and only tests whose names contain NAME
#
# AddressSanitizer needs nothing else. ThreadSanitizer needs a standard library that is instrumented, too, and so its
# source (`rustup component add rust-src`): it does not understand fences, and only an instrumented `std` does without
# them. With the usual one it reports races in a program that does nothing but use a `Mutex` and a channel.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-gnu
sanitizers=(address thread)
if [ $# -gt 0 ]; then
    sanitizers=("$1")
    shift
fi
[ $# -gt 0 ] || set -- store:: engine::

for sanitizer in "${sanitizers[@]}"; do
    options=()
    if [ "$sanitizer" = thread ]; then
        if [ ! -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
            echo "not run: ThreadSanitizer needs the standard library's source (rustup component add rust-src)"
            continue
        fi
        options=(-Zbuild-std)
    fi
    echo "== ${sanitizer} sanitizer: $*"
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$sanitizer" CARGO_TARGET_DIR="target/$sanitizer" \
        cargo test --locked "${options[@]}" --target "$target" --lib -- "$@"
done
