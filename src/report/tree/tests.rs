use super::*;

fn node(parent: Option<usize>, level: u32) -> DrawnNode {
    DrawnNode { lines: vec!["a<b".into(), "\"c\"".into()], parent, edge: "T1".into(), level }
}

#[test]
fn parents_are_above_the_middle_of_their_children() {
    let nodes = [node(None, 0), node(Some(0), 1), node(Some(0), 1), node(Some(1), 2), node(Some(1), 2)];
    assert_eq!(places(&nodes), [1.25, 0.5, 2.0, 0.0, 1.0]);
    let svg = svg("tree & all", &nodes);
    assert!(svg.contains("tree &amp; all") && svg.contains("a&lt;b") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<path").count(), 4);
    let dot = dot("tree", &nodes);
    assert!(dot.contains("n1 -> n4 [label=\"T1\"]") && dot.contains("a<b\\l\\\"c\\\"\\l"), "{dot}");
}
