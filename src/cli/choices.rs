//! Arguments that take one of a few words, as clap reads them. The library does not know clap.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::engine::{ContainerKind, Keep, Way};
use crate::report::{CitationFormat, LevelFormat};

/// A word on the command line, and its help.
fn word(name: &'static str, help: &'static str) -> Option<PossibleValue> {
    Some(PossibleValue::new(name).help(help))
}

impl ValueEnum for Keep {
    fn value_variants<'a>() -> &'a [Self] {
        &[Keep::All, Keep::LastTwo]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Keep::All => word("all", "All: the job can be verified, and can be used to solve optimally"),
            Keep::LastTwo => word("last-two", "The two that the computation itself needs"),
        }
    }
}

impl ValueEnum for ContainerKind {
    fn value_variants<'a>() -> &'a [Self] {
        &[ContainerKind::Sparse, ContainerKind::Dense, ContainerKind::Rows]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            ContainerKind::Sparse => word("sparse", "Sorted runs"),
            ContainerKind::Dense => word("dense", "One bit for every index"),
            ContainerKind::Rows => {
                word("rows", "Two bits for every index, where a puzzle can be walked by rows")
            }
        }
    }
}

impl ValueEnum for Way {
    fn value_variants<'a>() -> &'a [Self] {
        &[Way::Push, Way::Pull]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Way::Push => word("push", "Expand the last level"),
            Way::Pull => word("pull", "Ask what is not known for neighbours in the last level"),
        }
    }
}

impl ValueEnum for LevelFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            LevelFormat::Table,
            LevelFormat::Csv,
            LevelFormat::Markdown,
            LevelFormat::Json,
            LevelFormat::Latex,
            LevelFormat::Bfile,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            LevelFormat::Table => word("table", "Aligned columns for a terminal"),
            LevelFormat::Csv => word("csv", "`level,classes,states`, as in `levels.csv`"),
            LevelFormat::Markdown => word("markdown", "A Markdown table"),
            LevelFormat::Json => word("json", "A JSON document; counts are decimal strings"),
            LevelFormat::Latex => word("latex", "A LaTeX table"),
            LevelFormat::Bfile => word("bfile", "`level states`, a b-file of the OEIS"),
        }
    }
}

impl ValueEnum for CitationFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[CitationFormat::Markdown, CitationFormat::Bibtex, CitationFormat::Json]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            CitationFormat::Markdown => word("markdown", "A paragraph, and a BibTeX entry below it"),
            CitationFormat::Bibtex => word("bibtex", "A BibTeX entry"),
            CitationFormat::Json => word("json", "All that they are made of"),
        }
    }
}
