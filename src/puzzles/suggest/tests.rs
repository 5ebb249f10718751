use super::*;

#[test]
fn mistyped_texts_have_a_suggestion_that_names_a_puzzle() {
    for (text, expected) in [
        ("wrapslid:4x4:4", Some("wrapslide:4x4:4")),
        ("wrapslide:4x4:5", Some("wrapslide:4x4:2")),
        ("wrapslide:4x4", Some("wrapslide:4x4:2")),
        ("wrapslide:6x6:4:fixd", Some("wrapslide:6x6:4:fixed")),
        ("wrapslide:8x8:3:ayn", Some("wrapslide:8x8:3:any")),
        ("klotski:clasic", Some("klotski:classic")),
        ("klotski:Classic:Move", Some("klotski:classic:move")),
        ("klotsky:classic:slide", Some("klotski:classic:slide")),
        ("classic", Some("klotski:classic")),
        ("gourds:sed1", Some("gourds:seed1")),
        ("triangle:sample", Some("triangles:sample")),
        ("tiels:3x4", Some("tiles:3x4")),
        ("perm:3x3x3x", Some("perm:3x3x3")),
        // Files are not looked for.
        ("klotsky:@none", Some("klotski:@none")),
        ("sudoku:9x9", None),
        ("", None),
        (":", None),
        ("wrapslide:", None),
        ("klotski:qqqqqqqq", None),
    ] {
        assert_eq!(suggestion(text).as_deref(), expected, "{text}");
    }
}
