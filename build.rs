//! Finds out which commit is built, for `godnum --version` and for the provenance of jobs.
//!
//! In order: the variable `GODNUM_COMMIT`, for packagers; the file that `cargo package` puts into a package; git.
//! Without any of them the program is built all the same, and says that its commit is not known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=GODNUM_COMMIT");
    // A build names the commit that it was made from. Where only other files changed since, that stays true, and
    // builds for development are not made again for it.
    for path in ["build.rs", "src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={path}");
    }
    let given = std::env::var("GODNUM_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = given.or_else(packaged).or_else(from_git) {
        println!("cargo:rustc-env=GODNUM_COMMIT={commit}");
    }
}

/// The commit that a package was made from.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let sha = rest.split('"').nth(1)?;
    let dirty = if text.contains("\"dirty\": true") { "-modified" } else { "" };
    let is_commit = sha.len() >= 12 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| format!("{}{dirty}", &sha[..12]))
}

/// The commit of the checkout that this is, if it is one; and whether files of it were changed.
fn from_git() -> Option<String> {
    // A package that lies in a checkout of something else is not that.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let same = Path::new(&top).canonicalize().ok()? == Path::new(".").canonicalize().ok()?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| same)?;
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        for name in ["HEAD", "logs/HEAD"] {
            if let Some(path) =
                git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists())
            {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    }
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.toml", "Cargo.lock"]);
    let dirty = if changed.is_none_or(|files| !files.is_empty()) { "-modified" } else { "" };
    Some(format!("{commit}{dirty}"))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
