//! `godnum cite`: how to refer to the result of a job.

use std::ffi::OsString;

use super::enumerate::observed;
use super::{find, output};
use crate::engine::provenance::Provenance;
use crate::engine::verify::Certificate;
use crate::error::{Error, Result};
use crate::puzzle::conclude;
use crate::puzzles::registry;
use crate::report::{Citation, CitationFormat};

/// Print a paragraph and a bibliography entry for the result of a job.
///
/// They name the result, the version and commit that computed it, commands, machine, dates, what `godnum verify`
/// checked, and the digests of all level sets.
#[derive(clap::Args)]
pub struct CiteArgs {
    /// A puzzle whose job is in runs/ or in the cache, or a job directory
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// The format
    #[arg(long, value_enum, default_value_t = CitationFormat::Markdown)]
    format: CitationFormat,
}

pub fn main(arguments: CiteArgs) -> Result<()> {
    let job = find::job(&arguments.target)?;
    let puzzle = registry::of_job(&job)?;
    let manifest = job.manifest()?;
    let conclusion = match manifest.finished {
        false => None,
        true => observed(true, |control| {
            let stopped = || Error::interrupted("stopped before the result was read");
            conclude(&job, &*puzzle, &manifest, &|| control.go_on(stopped))
        })?,
    };
    let provenance = Provenance::of(&job)?;
    let certificate = Certificate::of(&job, &manifest)?;
    let citation = Citation {
        puzzle: &*puzzle,
        manifest: &manifest,
        conclusion: conclusion.as_ref(),
        provenance: provenance.as_ref(),
        certificate: certificate.as_ref(),
    };
    output::print(&match arguments.format {
        CitationFormat::Json => output::json("citation", citation.json()),
        format => citation.text(format),
    })?;
    if certificate.is_none() {
        output::remark(&format!(
            "(not verified yet: `godnum verify {} --full` writes a certificate, which is then cited, too)",
            crate::text::shell_quote(job.dir())
        ));
    }
    Ok(())
}
