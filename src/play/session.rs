//! The loop: a game, a screen, and what the player says.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::background::BackgroundSearch;
use super::command::{Keys, PlayCommand};
use super::film::{Film, FilmExit, show_film};
use super::game::{ActiveGame, GameReply, SearchRequest, broken};
use super::help::{ANOTHER, KeyContext};
use super::new_game_prompt::{NewGame, choose};
use super::saved;
use super::screen::{Event, GameKey, Scene, Screen};
use crate::error::{Error, Result};
use crate::random::any_seed;
use crate::text::shell_quote;

/// How long a screen may wait for a key before it is drawn again.
const GLANCE: Duration = Duration::from_millis(200);
/// A search is reported, where lines are read, after so long and then as often.
const REPORT: Duration = Duration::from_secs(5);

/// Characters of a refusal that are shown.
const LONGEST: usize = 1000;

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The player has left.
    Left,
    /// Nothing came any more.
    InputEnded,
}

/// A game that is being played.
pub struct Session<'a> {
    screen: &'a mut dyn Screen,
    game: Box<dyn ActiveGame>,
    keys: Option<Keys>,
    stop: &'a AtomicBool,
    message: Option<String>,
    /// What is being typed.
    prompt: Option<String>,
    /// Whether the board has made room for the help.
    helping: bool,
    work: Option<BackgroundSearch>,
    /// Whether the player was asked if the game may be given up.
    asked: bool,
    /// Whether the player was praised for this solution.
    praised: bool,
    /// The kind whose size and keys are asked for when another game begins.
    asks: Option<&'static str>,
    /// Whether that is next.
    asks_now: bool,
    /// The file that the player was asked about, whether it may be replaced.
    replacing: Option<String>,
    /// Files that this session wrote: they may be replaced.
    written: HashSet<String>,
}

impl<'a> Session<'a> {
    /// A session with a game. `stop` is set by a signal that ends everything.
    pub fn new(screen: &'a mut dyn Screen, new: NewGame, stop: &'a AtomicBool) -> Self {
        let NewGame { game, keys, said, asked } = new;
        Session {
            screen,
            praised: game.is_solved(),
            game,
            keys,
            asks: asked,
            asks_now: false,
            replacing: None,
            written: HashSet::new(),
            stop,
            message: said,
            prompt: None,
            helping: false,
            work: None,
            asked: false,
        }
    }

    /// The game as it stands.
    pub fn game(&self) -> &dyn ActiveGame {
        &*self.game
    }

    /// Plays until the player leaves or nothing comes any more.
    pub fn play(&mut self) -> Result<SessionEnd> {
        loop {
            if self.work.as_ref().is_some_and(BackgroundSearch::is_over) && !self.take_answer()? {
                return Ok(SessionEnd::InputEnded);
            }
            if !self.screen.is_live() && self.work.is_some() {
                self.wait()?;
                continue;
            }
            if std::mem::take(&mut self.asks_now) {
                self.ask_again()?;
            }
            self.praise();
            self.screen.show(&self.scene())?;
            match self.screen.event(GLANCE)? {
                Event::Nothing => {}
                Event::End => return Ok(SessionEnd::InputEnded),
                Event::Line(line) => {
                    self.message = None;
                    if self.obey_line(&line) {
                        return Ok(SessionEnd::Left);
                    }
                }
                Event::GameKey(key) => {
                    if self.press(key)? {
                        return Ok(SessionEnd::Left);
                    }
                }
            }
        }
    }

    fn scene(&self) -> Scene {
        if self.helping {
            return Scene {
                title: self.game.title(),
                status: self.help().lines().map(str::to_owned).collect(),
                keys: "any key goes back to the game".into(),
                ..Scene::default()
            };
        }
        let own = self.game.keys();
        let keys = self.place().common_keys(self.game.is_solved());
        let message = match &self.work {
            Some(work) => Some(work.sentence(true)),
            None => self.message.clone(),
        };
        Scene {
            title: self.game.title(),
            board: self.game.board(self.screen.colour()),
            status: self.game.status(self.keys.as_ref()),
            message,
            keys: format!("{own}\n{keys}"),
            prompt: self.prompt.as_ref().map(|typed| format!(": {typed}_")),
        }
    }

    fn place(&self) -> KeyContext {
        KeyContext { is_live: self.screen.is_live(), keys: self.keys }
    }

    /// Congratulates once for every time that the game gets solved.
    fn praise(&mut self) {
        let solved = self.game.is_solved();
        if solved && !self.praised {
            let before = self.message.take();
            let before = before.map_or(String::new(), |before| before + "\n");
            self.message = Some(format!(
                "{before}Congratulations, solved: {}! {}",
                self.game.count(),
                self.place().after()
            ));
        }
        self.praised = solved;
    }

    /// Handles a key; `true` to leave.
    fn press(&mut self, key: GameKey) -> Result<bool> {
        if let Some(work) = &self.work {
            if let GameKey::Escape | GameKey::Break | GameKey::Close | GameKey::Character('q') = key {
                work.stop();
            }
            return Ok(false);
        }
        if std::mem::take(&mut self.helping) {
            return Ok(false);
        }
        if self.prompt.is_some() {
            return Ok(self.type_in(key));
        }
        let asked = std::mem::take(&mut self.asked);
        self.message = None;
        Ok(match key {
            GameKey::Break => return Err(broken()),
            GameKey::Close => true,
            GameKey::Arrow(arrow) => self.obey(PlayCommand::Arrow(arrow)),
            GameKey::Enter => self.obey(PlayCommand::Enter),
            GameKey::Backspace => self.obey(PlayCommand::Undo),
            GameKey::Tab => self.character('\t'),
            GameKey::BackTab => self.character('\r'),
            GameKey::Character(':') => {
                self.prompt = Some(String::new());
                false
            }
            GameKey::Character(ANOTHER) if self.game.is_solved() && self.place().is_free(ANOTHER) => {
                self.obey(PlayCommand::New(None))
            }
            GameKey::Character(character) => match PlayCommand::of_key(character, self.keys.as_ref()) {
                Some(PlayCommand::Quit) if self.game.is_begun() && !self.game.is_solved() && !asked => {
                    self.asked = true;
                    self.message = Some("Press q again to abandon this game; `:save FILE` keeps it.".into());
                    false
                }
                Some(command) => self.obey(command),
                None => self.character(character),
            },
            _ => false,
        })
    }

    /// Handles a key while a line is typed; `true` to leave.
    fn type_in(&mut self, key: GameKey) -> bool {
        let Some(typed) = &mut self.prompt else {
            return false;
        };
        match key {
            GameKey::Escape | GameKey::Break | GameKey::Close => self.prompt = None,
            GameKey::Backspace if typed.is_empty() => self.prompt = None,
            GameKey::Backspace => {
                typed.pop();
            }
            GameKey::Character(character) => typed.push(character),
            GameKey::Enter => {
                let line = self.prompt.take().unwrap_or_default();
                self.message = None;
                return self.obey_line(&line);
            }
            _ => {}
        }
        false
    }

    /// A key that only the game may know. Some begin a line.
    fn character(&mut self, character: char) -> bool {
        match self.game.character(character) {
            Some(result) => self.tell(result),
            None if character.is_control() => {}
            None => match self.game.begins(character) {
                Some(line) => self.prompt = Some(line),
                None => {
                    self.message = Some(format!(
                        "The key `{}` has no function here; `?` lists the keys.",
                        character.escape_debug()
                    ));
                }
            },
        }
        false
    }

    /// Does what a line says; `true` to leave.
    fn obey_line(&mut self, line: &str) -> bool {
        let another = line.trim().chars().eq([ANOTHER]);
        let command = match another && self.game.is_solved() && self.place().is_free(ANOTHER) {
            true => Ok(PlayCommand::New(None)),
            false => PlayCommand::of_line(line, self.keys.as_ref()),
        };
        match command {
            Ok(command) => self.obey(command),
            Err(why) => {
                self.tell(Err(why));
                false
            }
        }
    }

    /// Carries a command out; `true` to leave.
    fn obey(&mut self, command: PlayCommand) -> bool {
        if !matches!(command, PlayCommand::Save(_)) {
            self.replacing = None;
        }
        let done = match command {
            PlayCommand::Quit => return true,
            PlayCommand::Look => Ok(None),
            PlayCommand::Help if self.screen.is_live() => {
                self.helping = true;
                Ok(None)
            }
            PlayCommand::Help => Ok(Some(self.help())),
            PlayCommand::Undo => self.game.undo().map(|()| None),
            PlayCommand::Redo => self.game.redo().map(|()| None),
            PlayCommand::Restart => {
                self.game.restart();
                Ok(Some("Back at the beginning.".into()))
            }
            PlayCommand::New(None) if self.asks.is_some() => {
                self.asks_now = true;
                Ok(None)
            }
            PlayCommand::New(seed) => self.begin_another(seed.unwrap_or_else(any_seed)),
            PlayCommand::Save(path) => self.save(path),
            PlayCommand::Arrow(arrow) => self.game.arrow(arrow),
            PlayCommand::Enter => self.game.enter(),
            PlayCommand::Say(line) => match self.game.request(&line) {
                Ok(Some(request)) => self.look_for(request),
                Ok(None) => self.game.say(&line),
                Err(why) => Err(why),
            },
            PlayCommand::Hint => self.look_for(SearchRequest::Hint),
            PlayCommand::Solve => self.look_for(SearchRequest::Solution),
        };
        self.tell(done);
        false
    }

    fn tell(&mut self, result: Result<Option<String>>) {
        self.message = match result {
            Ok(sentence) => sentence,
            Err(why) => {
                let mut why = why.to_string();
                // What was typed may be as long as it likes.
                if let Some((cut, _)) = why.char_indices().nth(LONGEST) {
                    why.truncate(cut);
                    why += " ...";
                }
                Some(why)
            }
        };
    }

    /// Saves the game. A game in a file that this session did not write is replaced when the player says so
    /// twice.
    fn save(&mut self, path: String) -> Result<Option<String>> {
        let quoted = shell_quote(Path::new(&path));
        let asked = self.replacing.take().is_some_and(|other| other == path);
        if !asked && !self.written.contains(&path) && saved::may_be_replaced(Path::new(&path))? {
            self.replacing = Some(path);
            return Ok(Some(format!(
                "{quoted} holds a saved game: say `save` with the same name again to replace it."
            )));
        }
        saved::save(Path::new(&path), &*self.game)?;
        self.written.insert(path);
        Ok(Some(format!("Saved in {quoted}; `godnum play --load {quoted}` continues it.")))
    }

    /// Asks what was asked for this game, and begins another one if all is answered.
    fn ask_again(&mut self) -> Result<()> {
        self.message = Some("No other game was begun.".into());
        if let Some(NewGame { game, keys, said, asked }) = choose(self.screen, self.asks, None)? {
            (self.praised, self.message) = (game.is_solved(), said);
            (self.game, self.keys, self.asks) = (game, keys, asked);
        }
        Ok(())
    }

    fn begin_another(&mut self, seed: u64) -> Result<Option<String>> {
        self.game = self.game.another(seed)?;
        self.praised = self.game.is_solved();
        Ok(Some(format!("A new game, seed {seed}.")))
    }

    fn help(&self) -> String {
        self.place().help(&*self.game)
    }

    fn look_for(&mut self, request: SearchRequest) -> Result<Option<String>> {
        if self.game.is_solved() {
            return Ok(Some("It is solved already.".into()));
        }
        if self.work.is_some() {
            return Ok(None);
        }
        match self.game.known(request) {
            // Handed on like the answer of a search.
            Some(answer) => {
                let search_task = move |_: crate::engine::Control<'_>| Ok(answer);
                self.work = Some(BackgroundSearch::start(request, Box::new(search_task))?);
            }
            None => self.work = Some(BackgroundSearch::start(request, self.game.search_task(request))?),
        }
        Ok(None)
    }

    /// Waits for a search where lines are read, and tells now and then how far it is.
    fn wait(&mut self) -> Result<()> {
        let mut reported = Duration::ZERO;
        while let Some(work) = &self.work
            && !work.is_over()
        {
            if self.stop.load(Relaxed) {
                work.stop();
                return Err(Error::interrupted("stopped during the search for a solution"));
            }
            if work.time() >= reported + REPORT {
                reported = work.time();
                self.screen.show(&Scene { message: Some(work.sentence(false)), ..Scene::default() })?;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Takes what a search has found; `false` if nothing will come from the player any more.
    fn take_answer(&mut self) -> Result<bool> {
        let Some(work) = self.work.take() else {
            return Ok(true);
        };
        let request = work.request;
        let answer: GameReply = match work.result() {
            Ok(answer) => answer,
            Err(Error::Interrupted(_)) => {
                self.message = Some("The search was stopped.".into());
                return Ok(true);
            }
            Err(why) => {
                self.message = Some(why.to_string());
                return Ok(true);
            }
        };
        if request == SearchRequest::Hint {
            let reported = self.game.hint(answer).map(Some);
            self.tell(reported);
            return Ok(true);
        }
        match self.game.film(answer, self.screen.colour()) {
            Ok((frames, about)) => match Film::new(self.game.title(), frames, about) {
                Some(film) => {
                    let left = show_film(self.screen, film)?;
                    self.message = Some("The game is as it was before the film.".into());
                    Ok(left != FilmExit::InputEnded)
                }
                None => Ok(true),
            },
            Err(why) => {
                self.tell(Err(why));
                Ok(true)
            }
        }
    }
}
