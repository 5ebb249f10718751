//! The view for kinds that have none of their own, with puzzles of kinds that have one.

use serde_json::json;

use super::views::{choose, counted, no_complaints, show, solved_and_watched, told};
use super::{Browser, visit};

/// Presses the button of a move.
fn play(browser: &Browser, name: &str) {
    browser.click(&format!(".generic [data-move='{name}']"));
}

/// Puts a text into a field of a form and submits it.
fn submit(browser: &Browser, label: &str, text: &str) {
    browser.wait(&format!("document.querySelector('[aria-label={label}]')"));
    browser.evaluate(&format!(
        "const input = document.querySelector('[aria-label={label}]'); input.value = {}; \
         input.form.requestSubmit();",
        json!(text)
    ));
}

fn drawn(browser: &Browser, state: &str) {
    browser.wait(&format!(
        "document.querySelector('.drawing')?.ariaLabel === {} && document.querySelector('.drawing').textContent",
        json!(state)
    ));
}

#[test]
fn any_puzzle_is_played_hinted_solved_and_filmed() {
    let Some((_server, browser)) = visit(1280, 900, false) else {
        return;
    };
    let start = "1 2 3/4 5 6/0 7 8";
    let parameters = [("puzzle", "tiles:3x3"), ("state", start)];
    show(&browser, "generic", &parameters);
    drawn(&browser, start);
    counted(&browser, "moves", 0);
    browser.wait("document.querySelectorAll('.generic [data-move]').length === 2");
    play(&browser, "L");
    drawn(&browser, "1 2 3/4 5 6/7 0 8");
    counted(&browser, "moves", 1);
    assert!(browser.text(".drawing").contains('8'));
    browser.press("Hint");
    told(&browser, "Hint: L; 1 move to go");
    browser.wait("document.querySelector('.hinted')?.dataset.move === 'L'");
    // A key that is the name of a move of the position that is on its way; and a reload.
    browser.answer_late("/api/look");
    browser.press("Undo");
    drawn(&browser, start);
    browser.keys("D");
    drawn(&browser, "1 2 3/0 5 6/4 7 8");
    browser.reload();
    drawn(&browser, "1 2 3/0 5 6/4 7 8");
    counted(&browser, "moves", 1);
    let found = solved_and_watched(&browser);
    assert!(found.contains("3 moves, proven optimal"), "{found}");
    drawn(&browser, "1 2 3/4 5 6/7 8 0");
    browser.press("Continue from here");
    told(&browser, "Solved, after 4 moves.");
    // A state that is pasted, one that cannot be, and a scramble that can be made again.
    submit(&browser, "State", "1 2 3/4 5 6/8 7 0");
    told(&browser, "cannot be solved");
    submit(&browser, "State", start);
    drawn(&browser, start);
    submit(&browser, "Seed", "7");
    told(&browser, "seed 7");
    let scrambled = "return document.querySelector('.drawing').ariaLabel";
    let state = browser.evaluate(scrambled);
    submit(&browser, "State", start);
    drawn(&browser, start);
    submit(&browser, "Seed", "7");
    drawn(&browser, state.as_str().unwrap());
    // Another puzzle of the kind, in the same view.
    choose(&browser, "Puzzle", "tiles:2x3");
    browser.wait("location.hash.startsWith('#/generic?puzzle=tiles%3A2x3')");
    browser.wait("document.querySelector('.drawing')?.ariaLabel?.split('/').length === 2");
    no_complaints(&browser);
}

#[test]
fn every_kind_has_a_view() {
    let Some((_server, browser)) = visit(360, 740, true) else {
        return;
    };
    browser.wait("document.querySelectorAll('.card').length >= 13");
    for puzzle in [
        "wrapslide:4x4:4",
        "tiles:4x4",
        "klotski:classic",
        "gourds:flower7",
        "triangles:hex6",
        "pancake:5",
        "hanoi:4:3",
        "peg:triangle15",
        "loopover:2x3",
        "perm:floppy",
    ] {
        show(&browser, "generic", &[("puzzle", puzzle)]);
        browser.wait("document.querySelector('.drawing')?.textContent.includes('\\n')");
        browser.wait("document.querySelector('.generic [data-move]')");
        browser.click(".generic [data-move]");
        counted(&browser, "moves", 1);
        let wide = browser.evaluate("return document.documentElement.scrollWidth - innerWidth;");
        assert!(wide.as_i64() <= Some(0), "{puzzle} is {wide} too wide");
    }
    show(&browser, "generic", &[("puzzle", "cube:3")]);
    browser.wait("document.querySelector('.error')?.textContent.includes('not a kind of puzzle')");
    no_complaints(&browser);
}
