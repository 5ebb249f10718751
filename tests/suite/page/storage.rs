//! What stays: through a reload, beside other tabs, and for those who use keys only.

use serde_json::json;

use super::views::{choose, colours, counted, no_complaints, show, told};
use super::{Browser, visit};

/// The letters of the blocks on the board.
fn blocks(browser: &Browser) -> String {
    let text = browser.evaluate(
        "return [...document.querySelectorAll('.stage .block')].map((b) => b.dataset.block).sort().join('');",
    );
    text.as_str().unwrap().to_owned()
}

/// Plays a custom layout whose blocks have these letters.
fn custom_layout(browser: &Browser, letters: [char; 2]) {
    let [one, other] = letters;
    let text = format!("{one}AA{other}\n{one}AA{other}\nDEEF\nDGHF\nI..J\n");
    show(browser, "klotski", &[("puzzle", "klotski:classic")]);
    browser.wait("document.querySelector('.own textarea')");
    browser.evaluate(&format!(
        "const own = document.querySelector('.own'); own.open = true; \
         own.querySelector('textarea').value = {};",
        json!(text)
    ));
    browser.press("Use this layout");
    browser.wait(&format!("document.querySelector('[data-block={one}]')"));
}

#[test]
fn each_tab_has_its_own_game() {
    let Some((server, browser)) = visit(1280, 900, false) else {
        return;
    };
    custom_layout(&browser, ['X', 'Y']);
    assert_eq!(blocks(&browser), "ADEFGHIJXY");
    browser.wait("document.querySelector('[data-block=G].ready')");
    browser.keys("g");
    browser.keys("\u{E015}");
    counted(&browser, "steps", 1);
    let first = browser.another_tab();
    browser.open(&server.address);
    custom_layout(&browser, ['P', 'Q']);
    show(&browser, "triangles", &[("puzzle", "triangles:hex6")]);
    browser.press("Hint");
    browser.wait("Number(document.querySelector('[data-count=placed]')?.textContent) >= 1");
    let placed = browser.text("[data-count=placed]").parse().unwrap();
    let second = browser.another_tab();
    browser.open(&format!("{}#/triangles", server.address));
    counted(&browser, "placed", placed);
    browser.press("Start over");
    counted(&browser, "placed", 0);
    browser.turn_to(&second);
    browser.reload();
    counted(&browser, "placed", placed);
    browser.turn_to(&first);
    browser.reload();
    counted(&browser, "steps", 1);
    assert_eq!(blocks(&browser), "ADEFGHIJXY");
    no_complaints(&browser);
}

#[test]
fn a_long_game_is_kept_from_its_start() {
    let Some((_server, browser)) = visit(1280, 900, false) else {
        return;
    };
    show(&browser, "gourds", &[("puzzle", "gourds:hex37")]);
    browser.wait("document.querySelector('.spot.ready')");
    let gourds = "[...document.querySelectorAll('.spot')].map((s) => s.ariaLabel).join()";
    let start = browser.evaluate(&format!("return {gourds};"));
    browser.click("[data-phase='all']");
    browser.wait("document.querySelector('.film')");
    // All of it is beside the board, not below the screen.
    browser.wait("document.querySelector('.film .play').getBoundingClientRect().bottom < innerHeight");
    browser.click("[aria-label='To the end']");
    browser.press("Continue from here");
    told(&browser, "Solved, after ");
    let moves: u32 = browser.text("[data-count=moves]").parse().unwrap();
    assert!(moves > 1000, "{moves}");
    browser.reload();
    counted(&browser, "moves", moves);
    browser.press("Undo");
    counted(&browser, "moves", moves - 1);
    browser.press("Restart");
    counted(&browser, "moves", 0);
    browser.wait("document.querySelector('.spot.ready')");
    assert_eq!(browser.evaluate(&format!("return {gourds};")), start);
    no_complaints(&browser);
}

#[test]
fn keys_paint_and_choose() {
    let Some((_server, browser)) = visit(1280, 900, false) else {
        return;
    };
    let start = ("state", "1122/1122/3344/3344");
    show(&browser, "wrapslide", &[("puzzle", "wrapslide:4x4:4"), start]);
    told(&browser, "Solved.");
    browser.evaluate("document.querySelector('[data-mode=paint]').focus();");
    // Enter presses the button; colour 2, one cell to the right, paint.
    browser.keys("\u{E007}");
    browser.keys("2");
    browser.keys("\u{E014}");
    browser.keys(" ");
    told(&browser, "colour 1: 1 missing, colour 2: 1 too many");
    assert_eq!(colours(&browser).matches('2').count(), 5);
    browser.press("Save to a file");
    told(&browser, "This cannot be saved yet.");
    // A list keeps the focus when it leads to another board: the next arrow is for the list again.
    show(&browser, "tiles", &[("puzzle", "tiles:3x3")]);
    browser.wait("document.querySelectorAll('[data-tile]').length === 8");
    browser.evaluate("document.querySelector('select[name=Rows]').focus();");
    choose(&browser, "Rows", "4");
    browser.wait("document.querySelectorAll('[data-tile]').length === 11");
    browser.wait("document.activeElement.name === 'Rows'");
    // What cannot be is reported, and the board stays.
    show(&browser, "gourds", &[("puzzle", "gourds:seed1")]);
    browser.wait("document.querySelector('.spot.ready')");
    browser.evaluate(
        "document.querySelector('.more').open = true; \
         document.querySelector('[aria-label=\"Widths of the rows\"]').value = '3-4-3';",
    );
    browser.press("Use these rows");
    told(&browser, "must be an odd number");
    browser.wait("document.querySelector('.spot.ready')");
}
