//! Experiments, as TOML.

use godnum::study::experiment::Experiment;

/// Reads an experiment.
pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    // A path could name a device.
    if text.contains('@') {
        return;
    }
    if let Ok(experiments) = Experiment::parse(text) {
        assert!(!experiments.is_empty());
        assert!(experiments.iter().all(|e| !e.result.as_os_str().is_empty()));
    }
}
