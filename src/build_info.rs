//! Which build this is: version, commit, cargo features.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The version of the crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the program was built from, with `-modified` behind it if files had been changed; `None` where
/// that was not known when it was built.
pub const COMMIT: Option<&str> = option_env!("GODNUM_COMMIT");

/// Cargo features, and whether the program has them.
const FEATURES: [(&str, bool); 3] =
    [("play", cfg!(feature = "play")), ("png", cfg!(feature = "png")), ("serve", cfg!(feature = "serve"))];

/// A build of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// The commit that it was built from, if that is known.
    pub commit: Option<String>,
    /// Its cargo features.
    pub features: Vec<String>,
}

impl Build {
    /// This program.
    pub fn this() -> Self {
        let features = FEATURES.iter().filter(|(_, is_there)| *is_there);
        Build {
            version: VERSION.into(),
            commit: COMMIT.map(str::to_owned),
            features: features.map(|(name, _)| (*name).to_owned()).collect(),
        }
    }
}

impl std::fmt::Display for Build {
    /// `0.1.0 (commit 0123456789ab; features play, png)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let commit =
            self.commit.as_deref().map_or("commit not known".into(), |commit| format!("commit {commit}"));
        let features = match self.features.is_empty() {
            true => "no optional features".into(),
            false => format!("features {}", self.features.join(", ")),
        };
        write!(f, "{} ({commit}; {features})", self.version)
    }
}

/// What `godnum --version` prints behind the name.
pub fn version_line() -> &'static str {
    static LINE: LazyLock<String> = LazyLock::new(|| Build::this().to_string());
    &LINE
}
