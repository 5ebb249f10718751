#!/usr/bin/env bash
# Tries to break godnum in every way there is a test for: a fault at every call that changes a file,
# damage to every byte of a job's files, kills, 120 power cuts, full, thin and read-only disks, races, tight
# limits, budgets of memory and disk. `cargo test` has a quick version of each; this is the complete one and says how
# much was tried. Takes about an hour on two cores. Some of it needs root
# or faketime, and is skipped without.
#
#   scripts/faults.sh            everything
#   scripts/faults.sh NAME...    only tests whose names contain NAME
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --locked --test budgets -- --include-ignored --nocapture "$@"
# The first includes os_faults.
[ $# -gt 0 ] || set -- faults:: damage:: real_disks:: prove:: golden:: rules::
cargo test --locked --test suite -- --include-ignored --nocapture "$@"
