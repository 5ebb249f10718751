//! Tests of the module above.

use super::*;

/// No file of the page is left out.
#[test]
fn every_file_of_the_page_is_served() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut served: Vec<_> = ASSETS.iter().map(|(name, _)| name.to_string()).collect();
    files.sort();
    served.sort();
    assert_eq!(files, served);
    for (name, content) in ASSETS {
        assert!(!content.is_empty());
        assert_ne!(content_type(name), "application/octet-stream", "{name}");
    }
}
