//! What is in a request: fields by name and type, and a sentence about whatever is wrong with one.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::cache;
use crate::error::{Error, Result, usage};
use crate::puzzle::Puzzle;
use crate::serve::reply::shortened;

/// The number of characters of a wrong value that are repeated to the client.
const SHOWN: usize = 60;

/// The fields of a request.
pub struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// The fields of a request that has these at the most.
    pub fn of(request: &'a Value, known: &[&str]) -> Result<Self> {
        let Value::Object(fields) = request else {
            return usage("a request is a JSON object");
        };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(Fields(fields)),
            Some(name) => usage(format!(
                "the field `{}` means nothing here; what can be said: {}",
                shortened(name, SHOWN),
                known.join(", ")
            )),
        }
    }

    /// A field that may be missing; `null` counts as missing, too.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text that may be missing.
    pub fn optional_text(&self, name: &str) -> Result<Option<&'a str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => wrong(name, "a text", other),
        }
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&'a str> {
        let text = self.optional_text(name)?;
        text.ok_or_else(|| Error::Usage(format!("the field `{name}` is missing: it is a text")))
    }

    /// A list of texts, `most` at the most.
    pub fn texts(&self, name: &str, most: usize) -> Result<Vec<&'a str>> {
        let list = self.0.get(name).and_then(Value::as_array);
        let texts: Option<Vec<&str>> =
            list.and_then(|list| list.iter().map(Value::as_str).collect());
        match texts {
            Some(texts) if texts.len() <= most => Ok(texts),
            _ => usage(format!(
                "the field `{name}` is a list of texts, {most} at the most"
            )),
        }
    }

    /// Yes or no; no if it is missing.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => wrong(name, "true or false", other),
        }
    }

    /// A number above 0 that may be missing.
    pub fn positive(&self, name: &str) -> Result<Option<f64>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) if number > 0.0 => Ok(Some(number)),
            _ => wrong(name, "a number above 0", value),
        }
    }

    /// A seed that may be missing, as a number or in digits: not all seeds are exact as numbers of a
    /// page.
    pub fn seed(&self, name: &str) -> Result<Option<u64>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let digits = |text: &String| {
            let all = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| all)
        };
        let seed = match value {
            Value::String(text) => digits(text),
            other => other.as_u64(),
        };
        match seed {
            Some(seed) => Ok(Some(seed)),
            None => wrong(name, "a whole number from 0 to 2^64 - 1", value),
        }
    }

    /// The puzzle that is meant. No file is read: what the text calls one is in the field `file`.
    pub fn puzzle(&self) -> Result<Arc<dyn Puzzle>> {
        self.subject()?.puzzle()
    }

    /// The same, not made yet.
    pub fn subject(&self) -> Result<Subject> {
        Ok(Subject {
            text: self.text("puzzle")?.to_owned(),
            file: self.optional_text("file")?.map(str::to_owned),
        })
    }
}

/// What names a puzzle.
pub struct Subject {
    /// Its text.
    pub text: String,
    /// The content of the file that the text may name.
    file: Option<String>,
}

impl Subject {
    /// The puzzle.
    pub fn puzzle(&self) -> Result<Arc<dyn Puzzle>> {
        cache::puzzle(&self.text, self.file.as_deref())
    }
}

fn wrong<T>(name: &str, what: &str, value: &Value) -> Result<T> {
    usage(format!(
        "the field `{name}` is {what}, and not {}",
        shortened(&value.to_string(), SHOWN)
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KNOWN: &[&str] = &["puzzle", "file", "seed", "seconds", "flag"];

    fn refusal<T>(result: Result<T>) -> String {
        match result {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_refusal_names_its_field() {
        assert!(refusal(Fields::of(&json!([]), KNOWN)).contains("object"));
        let why = refusal(Fields::of(&json!({"puzzle": "x", "stat": 1}), KNOWN));
        assert!(
            why.contains("`stat`") && why.contains("puzzle, file"),
            "{why}"
        );
        let empty = json!({"flag": null});
        let empty = Fields::of(&empty, KNOWN).unwrap();
        assert!(refusal(empty.text("puzzle")).contains("`puzzle` is missing"));
        assert_eq!(empty.optional_text("file").unwrap(), None);
        assert!(!empty.flag("flag").unwrap());
        let odd = json!({
            "puzzle": 5, "file": ["x".repeat(1000)], "seed": -1, "seconds": "1", "flag": 0
        });
        let odd = Fields::of(&odd, KNOWN).unwrap();
        let whys = [
            ("puzzle", refusal(odd.text("puzzle"))),
            ("puzzle", refusal(odd.puzzle())),
            ("file", refusal(odd.optional_text("file"))),
            ("seed", refusal(odd.seed("seed"))),
            ("seconds", refusal(odd.positive("seconds"))),
            ("flag", refusal(odd.flag("flag"))),
        ];
        for (name, why) in whys {
            assert!(
                why.contains(&format!("`{name}`")) && why.len() < 200,
                "{why}"
            );
        }
    }

    #[test]
    fn seeds_are_numbers_or_digits() {
        let seed = |value| {
            let request = json!({ "seed": value });
            Fields::of(&request, KNOWN).unwrap().seed("seed")
        };
        assert_eq!(seed(json!(7)).unwrap(), Some(7));
        assert_eq!(seed(json!("18446744073709551615")).unwrap(), Some(u64::MAX));
        assert_eq!(seed(json!(null)).unwrap(), None);
        for wrong in [
            json!("18446744073709551616"),
            json!("+7"),
            json!(" 7"),
            json!(""),
            json!(1.5),
            json!(1e300),
            json!(true),
        ] {
            assert!(seed(wrong).is_err());
        }
    }

    #[test]
    fn times_are_above_nothing() {
        let seconds = |value| {
            let request = json!({ "seconds": value });
            Fields::of(&request, KNOWN).unwrap().positive("seconds")
        };
        assert_eq!(seconds(json!(0.5)).unwrap(), Some(0.5));
        assert_eq!(seconds(json!(1e300)).unwrap(), Some(1e300));
        assert!(seconds(json!(0)).is_err() && seconds(json!(-3)).is_err());
    }
}
