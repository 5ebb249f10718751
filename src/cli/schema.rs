//! `godnum schema`: what the JSON documents look like that other commands print.

use serde_json::{Value, json};

use super::output;
use crate::error::{Error, Result, usage};

/// The schema of all documents, as JSON Schema (2020-12).
const SCHEMA: &str = include_str!("schema.json");

/// Print the JSON Schema of the documents that `--json` prints.
///
/// Every document is an object with a member `godnum`, whose member `document` names the definition in the schema that
/// describes it. Counts that can exceed 2^53 are strings of decimal digits in all of them.
#[derive(clap::Args)]
pub struct SchemaArgs {
    /// One document, for example status [default: all of them]
    document: Option<String>,
}

pub fn main(arguments: SchemaArgs) -> Result<()> {
    let Some(document) = arguments.document else {
        return output::print(SCHEMA);
    };
    let damaged = |e| Error::verification(format!("the schema of this build is damaged: {e}"));
    let mut schema: Value = serde_json::from_str(SCHEMA).map_err(damaged)?;
    let documents: Vec<String> = schema["oneOf"]
        .as_array()
        .map(|all| {
            all.iter().filter_map(|one| Some(one["$ref"].as_str()?.rsplit('/').next()?.to_owned())).collect()
        })
        .unwrap_or_default();
    if !documents.contains(&document) {
        return usage(format!("there is no document `{document}`; there are: {}", documents.join(", ")));
    }
    schema["oneOf"] = json!([{ "$ref": format!("#/$defs/{document}") }]);
    output::print(&format!("{schema:#}\n"))
}
