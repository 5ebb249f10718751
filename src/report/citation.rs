//! How to refer to the result of a job: a paragraph, and an entry for a bibliography.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::build_info::Build;
use crate::engine::provenance::{Host, Provenance, RunOfJob};
use crate::engine::verify::Certificate;
use crate::engine::{LevelRecord, Manifest, levels_csv};
use crate::puzzle::{Conclusion, Rules};
use crate::text::{bytes, count, duration, file_name, pluralise, shell_quote};

/// How a citation is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CitationFormat {
    /// A paragraph, and an entry below it.
    #[default]
    Markdown,
    /// An entry for a bibliography.
    Bibtex,
    /// Everything that both are made of.
    Json,
}

/// Everything that is named when a job is cited.
pub struct Citation<'a> {
    /// What was enumerated.
    pub puzzle: &'a dyn Rules,
    /// Its levels.
    pub manifest: &'a Manifest,
    /// What they show, if they are all there.
    pub conclusion: Option<&'a Conclusion>,
    /// Who computed them, if that is recorded.
    pub provenance: Option<&'a Provenance>,
    /// What was verified, if anything was.
    pub certificate: Option<&'a Certificate>,
}

impl Citation<'_> {
    /// In any format but JSON.
    pub fn text(&self, format: CitationFormat) -> String {
        match format {
            CitationFormat::Bibtex => self.bibtex(),
            _ => format!("{}\n\n```bibtex\n{}```\n", self.paragraph("`"), self.bibtex()),
        }
    }

    /// As a JSON object.
    pub fn json(&self) -> Value {
        let level = |record: &LevelRecord| {
            json!({
                "level": record.level,
                "classes": record.classes.to_string(),
                "states": record.states.to_string(),
                "digest": format!("{:016x}", record.blocks_digest),
            })
        };
        let levels: Vec<Value> = self.manifest.levels.iter().map(level).collect();
        json!({
            "puzzle": self.puzzle.text(),
            "finished": self.manifest.finished,
            "result": self.result(),
            "paragraph": self.paragraph(""),
            "bibtex": self.bibtex(),
            "levels_csv_digest": self.levels_digest(),
            "levels": levels,
            "provenance": self.provenance,
            "certificate": self.certificate,
        })
    }

    /// What was found, as a clause.
    fn result(&self) -> String {
        match self.conclusion {
            Some(conclusion) => conclusion.sentence(self.puzzle, self.manifest),
            None => format!(
                "{} is enumerated up to level {} in the {} metric: {} in {}",
                self.puzzle.text(),
                self.manifest.levels.len().saturating_sub(1),
                self.puzzle.metric(),
                pluralise(self.manifest.states(), "state"),
                pluralise(self.manifest.classes(), "class"),
            ),
        }
    }

    fn levels_digest(&self) -> String {
        format!("{:016x}", xxh3_64(levels_csv(&self.manifest.levels).as_bytes()))
    }

    /// The paragraph; texts of programs are between `quote`s.
    fn paragraph(&self, quote: &str) -> String {
        let time = duration(Duration::from_millis(self.manifest.millis()));
        let mut text = format!("{}. ", self.result());
        match self.provenance.filter(|provenance| !provenance.runs.is_empty()) {
            None => {
                let _ = write!(
                    text,
                    "Enumerated with godnum in {time}; which version, command and machine is not recorded."
                );
            }
            Some(provenance) => {
                let _ = write!(
                    text,
                    "Enumerated with godnum {} by {} on {} in {time}{}.",
                    listed(provenance, |run| run.build.to_string()),
                    listed(provenance, |run| format!("{quote}{}{quote}", command(run))),
                    listed(provenance, |run| host(&run.host)),
                    dates(provenance),
                );
                if provenance.incomplete {
                    text += " Levels before that were computed by a version that kept no record.";
                }
                if provenance.omitted > 0 {
                    let _ = write!(text, " {} more are not listed.", pluralise(provenance.omitted, "run"));
                }
            }
        }
        match self.certificate {
            None => text += " Not verified.",
            Some(certificate) => {
                let checked = &certificate.checked;
                let extent = match checked.extent.as_str() {
                    "full" => format!(
                        "every class ({}) with its {} neighbours",
                        count(checked.classes),
                        count(checked.neighbours)
                    ),
                    "sample" => format!(
                        "all files, and a sample of {} with their {} neighbours",
                        pluralise(checked.classes, "class"),
                        count(checked.neighbours)
                    ),
                    _ => "all files and sums".into(),
                };
                let _ = write!(
                    text,
                    " Verified ({extent}) with godnum {} on {}.",
                    certificate.verified_by,
                    day(&certificate.verified)
                );
            }
        }
        let digests = self.manifest.levels.iter().map(|record| format!("{:016x}", record.blocks_digest));
        let _ = write!(
            text,
            " XXH3-64 digests: {quote}levels.csv{quote} {}; level sets from level 0 on {}.",
            self.levels_digest(),
            digests.collect::<Vec<_>>().join(" ")
        );
        text
    }

    /// An entry that BibTeX reads.
    fn bibtex(&self) -> String {
        let build = self.provenance.and_then(|provenance| provenance.runs.last()).map(|run| &run.build);
        let this = Build::this();
        let build = build.unwrap_or(&this);
        let ended = self.provenance.and_then(|provenance| provenance.runs.last());
        let ended = ended.map(|run| run.ended.as_ref().unwrap_or(&run.started).as_str());
        let verified = self.certificate.map(|certificate| certificate.verified.as_str());
        let date = ended.or(verified).map(day);
        let mut text = format!("@misc{{godnum-{},\n", file_name(&self.puzzle.text()));
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "  {name:<12} = {{{value}}},");
        };
        field("author", "{The godnum developers}");
        field("title", &format!("{{{}}}", escape(&self.title())));
        if let Some(date) = date {
            field("year", &date[..4.min(date.len())]);
            field("date", date);
        }
        field("howpublished", &escape(&format!("Computed with godnum {}", build)));
        field("note", &escape(&self.paragraph("")));
        text + "}\n"
    }

    /// The result without its details.
    fn title(&self) -> String {
        let result = self.result();
        // The puzzle's text has colons of its own.
        let end = [": under", ";", ": "].iter().find_map(|mark| result.find(mark)).unwrap_or(result.len());
        result[..end].to_owned()
    }
}

/// What runs have in common, or each has for itself, each once.
fn listed(provenance: &Provenance, what: impl Fn(&RunOfJob) -> String) -> String {
    let mut found: Vec<String> = Vec::new();
    for text in provenance.runs.iter().map(what) {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    match found.split_last() {
        None => "not recorded".into(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// The command line of a run, as a shell takes it; the program by its name.
fn command(run: &RunOfJob) -> String {
    let words = run.command.iter().enumerate().map(|(place, word)| {
        let path = Path::new(word);
        let name = path.file_name().filter(|_| place == 0).map_or(path, Path::new);
        shell_quote(name)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn host(host: &Host) -> String {
    format!(
        "{} ({}, {} cores, {}, {})",
        host.name,
        host.processor,
        host.cores,
        bytes(host.memory),
        host.system
    )
}

/// From when to when the runs were.
fn dates(provenance: &Provenance) -> String {
    let (Some(first), Some(last)) = (provenance.runs.first(), provenance.runs.last()) else {
        return String::new();
    };
    let end = last.ended.as_ref().unwrap_or(&last.started);
    match (day(&first.started), day(end)) {
        (first, last) if first == last => format!(", on {first}"),
        (first, last) => format!(", from {first} to {last}"),
    }
}

/// The date of a time.
fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

/// A text between the braces of a BibTeX field.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped += "\\textbackslash{}",
            '{' | '}' | '#' | '%' | '&' | '_' | '$' => escaped.extend(['\\', c]),
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bibtex_reads_what_is_escaped() {
        assert_eq!(escape(r"50 % of a_b {c} \d"), r"50 \% of a\_b \{c\} \textbackslash{}d");
    }

    #[test]
    fn days_are_the_first_part_of_times() {
        assert_eq!(day("2026-03-01T12:00:00Z"), "2026-03-01");
    }
}
