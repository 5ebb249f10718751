//! The page as a product: from the first view to a result, a position that is shared, and what is known of it.

use serde_json::{Value, json};

use super::views::{choose, colours, counted, no_complaints, show, told};
use super::{Browser, visit};

/// Tables that come with the program, beside the server's jobs.
fn with_results(server: &super::Server, names: &[&str]) {
    let place = server.dir.path().join("results");
    std::fs::create_dir(&place).unwrap();
    let tables = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    for name in names {
        std::fs::copy(tables.join(name), place.join(name)).unwrap();
    }
}

fn hash(browser: &Browser) -> String {
    browser.evaluate("return location.hash;").as_str().unwrap().to_owned()
}

#[test]
fn from_the_first_view_to_a_shared_position() {
    let Some((server, browser)) = visit(1280, 900, false) else {
        return;
    };
    with_results(&server, &["tiles-3x3.csv", "tiles-2x3.csv", "wrapslide-6x6-3.csv", "README.md"]);
    // A wrong address leads back: to a sentence and all puzzles, each with a picture.
    browser.open("about:blank");
    browser.open(&format!("{}#/nonsense", server.address));
    browser.wait("document.querySelector('.error')?.textContent.includes('no view named')");
    browser.wait("document.querySelectorAll('.card').length >= 13");
    browser.wait("[...document.querySelectorAll('.thumbnail')].every((place) => place.querySelector('svg, pre')?.textContent !== undefined)");
    browser.wait("document.querySelector('.lead').textContent.startsWith(\"God's number of a puzzle is\")");
    browser.wait(
        "document.querySelector('[data-kind=tiles] .fact').textContent.includes(\"God's number 31; 181,440 positions\")",
    );
    // Its hardest position, with what the table knows of it.
    browser.click("[data-kind=tiles] button");
    browser.wait("location.hash.startsWith('#/tiles?puzzle=tiles%3A3x3&state=')");
    browser.wait(
        "document.querySelector('.distance')?.textContent === '31 moves to go; no position is farther'",
    );
    browser.wait("document.querySelectorAll('.way.nearer button').length >= 2 && !document.querySelector('.way.farther')");
    browser.evaluate("document.querySelector('.explorer').scrollIntoView();");
    let before = hash(&browser);
    browser.click(".way.nearer [data-distance='30']");
    counted(&browser, "moves", 1);
    browser.wait("document.querySelector('.distance').textContent.startsWith('30 moves to go; the hardest')");
    browser.wait("document.querySelector('.way.farther [data-distance=\"31\"]')");
    browser.press("Show the class");
    browser.wait("document.querySelectorAll('.class-members figure svg').length === 2");
    // The position is in the address; a link leads to it, and the game that was left is one step back.
    browser.wait(&format!("location.hash !== {}", json!(before)));
    let link = hash(&browser);
    browser.press("Scramble");
    told(&browser, "A random position");
    counted(&browser, "moves", 0);
    browser.press("Undo");
    counted(&browser, "moves", 1);
    browser.wait(&format!("location.hash === {}", json!(link)));
    browser.press("Copy link");
    let tab = browser.another_tab();
    browser.open(&format!("{}{link}", server.address));
    counted(&browser, "moves", 1);
    browser.turn_to(&tab);
    // What is heard: the position, and the move.
    browser.wait("document.querySelector('.stage .board').ariaLabel.includes('Row 1: ')");
    browser.keys("\u{E012}");
    browser.keys("\u{E014}");
    browser.wait("/Tile \\d goes (left|right)/.test(document.querySelector('.unseen').textContent)");
    // A theme is chosen, and the system's again.
    browser.evaluate("const theme = document.getElementById('theme'); theme.value = 'dark'; theme.dispatchEvent(new Event('change'));");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    browser.evaluate("const theme = document.getElementById('theme'); theme.value = 'system'; theme.dispatchEvent(new Event('change'));");
    browser.wait("!document.documentElement.dataset.theme && localStorage.getItem('godnum:theme') === null");
    no_complaints(&browser);
}

#[test]
fn results_say_their_numbers_and_what_is_not_known() {
    let Some((server, browser)) = visit(360, 740, false) else {
        return;
    };
    with_results(&server, &["tiles-3x3.csv", "tiles-2x3.csv", "wrapslide-6x6-3.csv", "README.md"]);
    show(&browser, "jobs", &[]);
    // In the list, by kind, with their answers.
    browser.wait("document.querySelector('.result-list [data-kind=tiles]')?.textContent.includes(\"God's number 31, 181,440 positions\")");
    browser.wait(
        "document.querySelector('.result-list [data-kind=wrapslide]')?.textContent.includes('at least 12')",
    );
    show(&browser, "jobs", &[("result", "tiles-3x3")]);
    let figures = "[...document.querySelectorAll('.figure')].map((figure) => figure.textContent).join('; ')";
    browser.wait(&format!("{figures} === \"31God's number; 181,440positions; 90,792classes\""));
    browser.wait("document.querySelector('.checked').textContent.includes('an independent count agrees')");
    browser.wait("document.querySelector('.checked').textContent.includes('verified: ')");
    browser
        .wait("/mean 2[0-9]\\.[0-9]+, median 2[0-9]/.test(document.querySelector('.chart-box').textContent)");
    // Bars say what they are, and lead to positions.
    browser.evaluate("document.querySelector('.chart').focus();");
    browser.keys("\u{E014}\u{E014}");
    browser.wait("document.querySelector('.tip').textContent.startsWith('Level 1: 2 states')");
    browser.keys("\u{E007}");
    browser.wait("document.querySelector('.states')?.textContent.includes('Level 1 has 1 class')");
    browser.wait("document.querySelector('figure[data-state] svg')");
    // Several in one chart.
    browser.wait("document.querySelector('option[value=tiles-2x3]')");
    choose(&browser, "\"Compare with\"", "tiles-2x3");
    browser.wait("document.querySelectorAll('.chart path.line').length === 2 && document.querySelectorAll('.key').length === 2");
    browser.press("Logarithmic");
    browser.wait("document.querySelectorAll('.chart path.line').length === 2");
    // A part says so, with the bounds that follow from it.
    show(&browser, "jobs", &[("result", "wrapslide-6x6-3")]);
    browser.wait("document.querySelector('.checked').textContent.includes('This is a part: levels 0 to')");
    browser.wait("document.querySelector('.found-out')?.textContent.includes(\"It is proven that God's number is at least\")");
    browser.wait(
        "document.querySelector('.states .command code').textContent === 'godnum enumerate wrapslide:6x6:3'",
    );
    no_complaints(&browser);
}

#[test]
fn games_are_counted_filmed_and_loaded() {
    let Some((_server, browser)) = visit(1280, 900, false) else {
        return;
    };
    // Slides of one half in a row are one move, and none if they cancel each other.
    show(&browser, "wrapslide", &[("puzzle", "wrapslide:4x4:4"), ("state", "1122/1122/3344/3344")]);
    told(&browser, "Solved.");
    browser.wait("document.querySelector('.explorer [data-distance]')");
    browser.evaluate("document.querySelector('.stage .board').focus();");
    browser.keys("t\u{E012}\u{E012}");
    browser.wait("document.querySelector('[data-count=moves]').textContent === '1'");
    browser.keys("\u{E012}\u{E012}");
    counted(&browser, "moves", 0);
    browser.keys("\u{E012}l\u{E013}");
    counted(&browser, "moves", 2);
    // An empty board is a step that can be undone.
    let before = colours(&browser);
    browser.press("Clear");
    told(&browser, "To be painted");
    browser.press("Undo");
    counted(&browser, "moves", 2);
    assert_eq!(colours(&browser), before);
    // A film has its controls right below the board, and counts.
    browser.press("Solve");
    browser.wait("document.querySelector('.deck .film')");
    choose(&browser, "Speed", "Infinity");
    browser.wait("document.querySelector('.film.ended')");
    told(&browser, "Solved, after 4 moves.");
    browser.press("Close");
    // A saved game is replayed in one task.
    let saved =
        json!({ "godnum": "game", "puzzle": "tiles:3x3", "start": "1 2 3/4 5 6/0 7 8", "moves": ["L", "L"] });
    let request =
        json!({ "do": "replay", "puzzle": "tiles:3x3", "start": saved["start"], "moves": saved["moves"] });
    let replayed = |request: &Value| {
        browser.evaluate_later(&format!(
            "import('/page/api.js').then(({{ task }}) => task({request}).done).then(done, (error) => done(error.message));"
        ))
    };
    assert_eq!(replayed(&request)["states"][2], "1 2 3/4 5 6/7 8 0");
    let broken =
        json!({ "do": "replay", "puzzle": "tiles:3x3", "start": saved["start"], "moves": ["L", "X"] });
    assert_eq!(replayed(&broken), "The game breaks off: its move 2, \u{201c}X\u{201d}, is not legal.");
    no_complaints(&browser);
}
