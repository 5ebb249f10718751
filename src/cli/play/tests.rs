//! Tests of the module above.

use super::*;
use clap::CommandFactory;

#[derive(clap::Parser)]
struct Alone {
    #[command(flatten)]
    _arguments: PlayArgs,
}

#[test]
fn the_arguments_make_sense() {
    Alone::command().debug_assert();
}
