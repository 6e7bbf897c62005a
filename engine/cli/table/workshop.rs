//! What the table asks for a designer: sources, rule tests, estimates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use motherlode::declare::Rule;
use motherlode::{Answer, Game, Match, MatchError, Pack, Setup};
use motherlode_check::explain::{Explained, Setting, explain};
use motherlode_play::{estimate, rule_test};
use motherlode_table::server::{Estimated, Workshop};
use serde_json::{Value, json};

use crate::explain::{functions, layer};
use crate::project::Project;

/// How long the choices of a question are tried.
const LONG: Duration = Duration::from_secs(4);

/// How often it is told what they have come to so far.
const TOLD: Duration = Duration::from_millis(300);

/// The tools of a table whose game is in a project.
pub struct Bench {
    project: Project,
    id: String,
    jobs: SyncSender<Job>,
    found: Receiver<(u64, Vec<Estimated>)>,
    /// Number of the newest job: an older one ends when it sees that.
    newest: Arc<AtomicU64>,
}

/// A position in which the choices of a seat are tried.
struct Job {
    number: u64,
    game: Game,
    setup: Setup,
    answers: Vec<Answer>,
    seat: u8,
}

impl Bench {
    /// Tools with one thread, which tries one position at a time.
    pub fn new(project: Project, id: String) -> Self {
        let (jobs, waiting) = sync_channel(1);
        let (tell, found) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let now = Arc::clone(&newest);
        thread::spawn(move || {
            for job in waiting {
                // What cannot be tried has no estimates; the page says so by showing none.
                let _ = work(&job, &now, &tell);
            }
        });
        Self { project, id, jobs, found, newest }
    }
}

impl Workshop for Bench {
    fn explain(&mut self, game: &Game, path: &str) -> Option<Value> {
        let pack = self.project.pack(&self.id).ok()?;
        let mut found = functions(game, path);
        found.extend(explain(&pack, path).unwrap_or_default());
        let first = found.first()?;
        let mut rules: Vec<&Rule> = Vec::new();
        for setting in first.settings.iter().chain(found.iter().flat_map(|one| &one.settings)) {
            for rule in beside(&pack, game, setting) {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        let rules: Vec<Value> =
            rules.into_iter().map(|rule| json!({ "number": rule.number, "text": rule.text })).collect();
        let fields: Vec<Value> =
            found.iter().flat_map(|one| one.settings.iter().map(|set| field(game, one, set))).collect();
        Some(json!({ "fields": fields, "rules": rules }))
    }

    fn position(&mut self, played: &Match) -> Result<String, String> {
        rule_test::position(played).map(|written| written.text).map_err(|error| error.to_string())
    }

    fn estimate(&mut self, played: &Match, seat: u8) {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let (game, setup, answers) = (played.game().clone(), played.setup().clone(), played.answers().to_vec());
        // One that waits has been overtaken, and ends at once: whoever asks again soon is heard.
        let _ = self.jobs.try_send(Job { number, game, setup, answers, seat });
    }

    fn estimated(&mut self) -> Option<Vec<Estimated>> {
        let newest = self.newest.load(Ordering::Relaxed);
        self.found.try_iter().filter(|(number, _)| *number == newest).last().map(|(_, found)| found)
    }
}

/// A field of the content, and what one layer does to it.
fn field(game: &Game, one: &Explained, setting: &Setting) -> Value {
    json!({
        "path": one.path,
        "value": setting.value,
        "layer": layer(game, setting),
        "file": setting.place.file,
        "line": setting.place.line,
        "column": setting.place.column,
    })
}

/// The rules whose numbers stand beside a line, or beside the heading above it.
fn beside<'g>(pack: &Pack, game: &'g Game, setting: &Setting) -> Vec<&'g Rule> {
    let Some(file) = pack.file(&setting.place.file) else { return Vec::new() };
    let lines: Vec<&str> = file.text.lines().take(setting.place.line as usize).collect();
    let rules = |line: &&str| -> Vec<&'g Rule> {
        let comment = line.split_once('#').or_else(|| line.split_once("--")).map_or("", |(_, comment)| comment);
        let words = comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter_map(|word| game.declarations().rules.iter().find(|rule| rule.number == word)).collect()
    };
    let own = lines.last().map(rules).unwrap_or_default();
    if !own.is_empty() {
        return own;
    }
    let heading = lines.iter().rev().find(|line| line.starts_with('['));
    heading.map(rules).unwrap_or_default()
}

/// Tries the choices until it has taken long enough, or somebody asks for others.
fn work(job: &Job, newest: &AtomicU64, tell: &Sender<(u64, Vec<Estimated>)>) -> Result<(), MatchError> {
    let mut played = Match::new(&job.game, &job.setup)?;
    for answer in &job.answers {
        played.answer_as(answer.seat, usize::from(answer.index))?;
    }
    played.focus(job.seat)?;
    let Some(decision) = played.decision() else { return Ok(()) };
    let (begin, mut told) = (Instant::now(), Instant::now());
    let send = |all: &[motherlode_play::Estimate]| {
        let one = |one: &motherlode_play::Estimate| {
            let games = f64::from(one.games.max(1));
            Estimated { wins: one.wins / games, score: one.score / games, games: one.games }
        };
        // Nobody listens any more: the table is closed.
        let _ = tell.send((job.number, all.iter().map(one).collect()));
    };
    let all = estimate(&played, decision, job.setup.seed, &mut |all| {
        if told.elapsed() > TOLD && all.iter().all(|one| one.games > 0) {
            told = Instant::now();
            send(all);
        }
        begin.elapsed() < LONG && newest.load(Ordering::Relaxed) == job.number
    })?;
    send(&all);
    Ok(())
}
