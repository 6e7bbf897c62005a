//! The design tools of the table: sources, rule tests and estimates.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use motherlode::declare::{Goal, Rule};
use motherlode::{Answer, Game, Match, MatchError, Pack, Setup, Severity};
use motherlode_check::explain::{FieldSettings, Setting, explain};
use motherlode_play::{estimate, rule_test};
use motherlode_table::server::{
    CardDraft, CardForm, CheckedCard, ChoiceEstimate, DesignerTools, EditorWork, EstimateUpdate, SavedText, card_form,
    check_card,
};
use serde_json::{Value, json};

use crate::cards::targets::Targets;
use crate::explain::{functions, layer};
use crate::fault::Fault;
use crate::paint;
use crate::project::{GlobalArgs, Project};

/// Time to estimate the choices of a question.
const ESTIMATE_TIME: Duration = Duration::from_secs(4);

/// Most saves that can be taken back.
const MOST_SAVES: usize = 100;

/// Interval between two reports of the estimates.
const REPORT_INTERVAL: Duration = Duration::from_millis(300);

/// The design tools of all tables of a project's game.
pub struct DesignTools {
    project: Project,
    id: String,
    global: GlobalArgs,
    /// The files at the opening of the tables, if later edits do not take effect.
    opened: Option<Pack>,
    jobs: Sender<Job>,
    /// Work of the card editor, for its thread.
    edits: Sender<EditorWork>,
    /// The saves that can be taken back, the last one last.
    saves: Mutex<Vec<CardSave>>,
    found: Mutex<Receiver<EstimateUpdate>>,
    newest: Arc<NewestJobs>,
}

/// A saved edit of a card.
struct CardSave {
    /// Kind and id of the card whose form was saved.
    card: String,
    text: SavedText,
}

/// A position in which to estimate the choices of a seat.
struct Job {
    /// Number of the table.
    of: u32,
    number: u64,
    game: Game,
    setup: Setup,
    answers: Vec<Answer>,
    seat: u8,
}

/// Numbers of the newest job of all, and of each table. Older jobs end when they notice a newer one.
#[derive(Default)]
struct NewestJobs(Mutex<(u64, BTreeMap<u32, u64>)>);

impl NewestJobs {
    fn lock(&self) -> MutexGuard<'_, (u64, BTreeMap<u32, u64>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, of: u32) -> u64 {
        let mut newest = self.lock();
        newest.0 += 1;
        let number = newest.0;
        newest.1.insert(of, number);
        number
    }

    fn is(&self, of: u32, number: u64) -> bool {
        self.lock().1.get(&of) == Some(&number)
    }
}

impl DesignTools {
    /// Tools with one thread that estimates one position at a time, and one for the card editor. `renews`: whether edits take effect.
    ///
    /// # Errors
    /// The files of the game cannot be read.
    pub fn new(project: &Project, global: &GlobalArgs, id: &str, renews: bool) -> Result<Self, Fault> {
        let opened = if renews { None } else { Some(project.pack(id)?) };
        let (jobs, waiting) = channel();
        let (tell, found) = channel();
        let newest = Arc::new(NewestJobs::default());
        let now = Arc::clone(&newest);
        thread::spawn(move || {
            for job in waiting {
                // If a job fails, the page shows no estimates.
                let _ = run_job(&job, &now, &tell);
            }
        });
        let (edits, works) = channel::<EditorWork>();
        thread::spawn(move || {
            for work in works {
                // The page takes a missing reply for a lost one, and the next edit goes on.
                let _ = catch_unwind(AssertUnwindSafe(work));
            }
        });
        let (project, id, global) = (project.clone(), id.to_owned(), global.clone());
        Ok(Self { project, id, global, opened, jobs, edits, saves: Mutex::default(), found: Mutex::new(found), newest })
    }
}

/// The files that the card editor reads and writes.
struct CardFiles {
    pack: Pack,
    layer: usize,
    targets: Targets,
}

impl DesignTools {
    /// Keeps a save, so that it can be taken back.
    fn keep(&self, card: &str, text: SavedText) {
        let mut saves = self.saves();
        if text.before == text.after {
            return;
        }
        if saves.len() == MOST_SAVES {
            saves.remove(0);
        }
        saves.push(CardSave { card: card.to_owned(), text });
    }

    fn saves(&self) -> MutexGuard<'_, Vec<CardSave>> {
        self.saves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the files as they are now, with the mods that are folders. Cards of the mod named last are edited.
    fn card_files(&self) -> Result<CardFiles, String> {
        let read = || -> Result<CardFiles, Fault> {
            let pack = self.project.reopen(&self.global, &self.id)?.pack(&self.id)?;
            let layer = pack.mods().len();
            let targets = Targets::find(self.project.folder("table"), &self.global.mods, &pack, layer)?;
            Ok(CardFiles { pack, layer, targets })
        };
        read().map_err(|fault| describe_fault(&fault))
    }
}

/// Writes the file of a card, unless it has changed since it was read.
fn write(targets: &Targets, text: &SavedText) -> Result<(), String> {
    let Some(path) = targets.path(&text.path) else { return Err(format!("`{}` cannot be written", text.path)) };
    let now = std::fs::read_to_string(&path).unwrap_or_default();
    // The reader of the game drops a byte order mark.
    if now.strip_prefix('\u{feff}').unwrap_or(&now) != text.before {
        return Err(format!("`{}` has changed in the meantime: open the form again", text.path));
    }
    if text.before == text.after {
        return Ok(());
    }
    // Only a save that made the file can be taken back to no text.
    if text.after.is_empty() {
        return std::fs::remove_file(&path).map_err(|error| format!("`{}` cannot be removed: {error}", text.path));
    }
    let files = std::iter::once((text.path.as_str(), text.after.as_str()));
    targets.write(files, &mut std::io::sink()).map_err(|fault| fault.reason().unwrap_or_default())
}

impl DesignerTools for DesignTools {
    fn renews(&self) -> bool {
        self.opened.is_none()
    }

    fn explain(&self, game: &Game, path: &str) -> Option<Value> {
        let fresh = if self.renews() { Some(self.project.pack(&self.id).ok()?) } else { None };
        let pack = fresh.as_ref().or(self.opened.as_ref())?;
        let mut found = functions(game, path);
        found.extend(explain(pack, path).unwrap_or_default());
        let first = found.first()?;
        let mut rules: Vec<&Rule> = Vec::new();
        for setting in first.settings.iter().chain(found.iter().flat_map(|one| &one.settings)) {
            for rule in rules_in_comments(pack, game, setting) {
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

    fn position(&self, played: &Match) -> Result<String, String> {
        rule_test::position(played).map(|written| written.text).map_err(|error| error.to_string())
    }

    fn edit(&self, work: EditorWork) {
        // Sending cannot fail: the thread lives as long as the tools.
        let _ = self.edits.send(work);
    }

    fn card_form(&self, card: &str) -> Result<CardForm, String> {
        let CardFiles { pack, layer, .. } = self.card_files()?;
        card_form(&pack, layer, card).map(|form| CardForm { saves: self.saves().len(), ..form })
    }

    fn edit_card(&self, draft: &CardDraft, save: bool) -> Result<CheckedCard, String> {
        let CardFiles { pack, layer, targets } = self.card_files()?;
        let (checked, text) = check_card(&pack, layer, draft)?;
        match text.filter(|_| save) {
            Some(text) => {
                write(&targets, &text)?;
                self.keep(&draft.card, text);
                Ok(CheckedCard { saved: true, ..checked })
            }
            None => Ok(checked),
        }
    }

    fn take_back(&self) -> Result<String, String> {
        let targets = self.card_files()?.targets;
        let mut saves = self.saves();
        let CardSave { card, text } = saves.last().ok_or("no save is left to take back")?;
        let SavedText { path, before, after } = text.clone();
        write(&targets, &SavedText { path, before: after, after: before })?;
        let card = card.clone();
        saves.pop();
        Ok(card)
    }

    fn estimate(&self, of: u32, played: &Match, seat: u8) -> u64 {
        let number = self.newest.next(of);
        let (game, setup, answers) = (played.game().clone(), played.setup().clone(), played.answers().to_vec());
        // Sending cannot fail: the thread lives as long as the tools.
        let _ = self.jobs.send(Job { of, number, game, setup, answers, seat });
        number
    }

    fn estimated(&self) -> Vec<EstimateUpdate> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.try_iter().filter(|trial| self.newest.is(trial.of, trial.number)).collect()
    }
}

/// A field of the content with one layer's setting, in JSON.
fn field(game: &Game, one: &FieldSettings, setting: &Setting) -> Value {
    json!({
        "path": one.path,
        "value": setting.value,
        "layer": layer(game, setting),
        "file": setting.place.file,
        "line": setting.place.line,
        "column": setting.place.column,
    })
}

/// The rules whose numbers are in the comment of a line, or of the table heading above it.
fn rules_in_comments<'g>(pack: &Pack, game: &'g Game, setting: &Setting) -> Vec<&'g Rule> {
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

/// Describes a fault of the files by its first error.
pub fn describe_fault(fault: &Fault) -> String {
    let Fault::Content { diagnostics, .. } = fault else { return fault.reason().unwrap_or_default() };
    let errors = || diagnostics.list.iter().filter(|one| one.severity == Severity::Error);
    let first = errors().next().map(|one| format!("{}:{}:{}: {}", one.file, one.line, one.column, one.message));
    let more = errors().count().saturating_sub(1);
    let more = if more == 0 { String::new() } else { format!(", and {} more", paint::plural(more, "error")) };
    format!("{}{more}", first.unwrap_or_default())
}

/// Estimates the choices until the time is up or a newer job arrives.
fn run_job(job: &Job, newest: &NewestJobs, tell: &Sender<EstimateUpdate>) -> Result<(), MatchError> {
    if !newest.is(job.of, job.number) {
        return Ok(());
    }
    let mut played = Match::new(&job.game, &job.setup)?;
    for answer in &job.answers {
        played.answer_as(answer.seat, usize::from(answer.index))?;
    }
    played.focus(job.seat)?;
    let Some(decision) = played.decision() else { return Ok(()) };
    let (begin, mut told) = (Instant::now(), Instant::now());
    let goal = job.game.declarations().outcome.goal;
    let send = |all: &[motherlode_play::Estimate]| {
        let one = |one: &motherlode_play::Estimate| {
            let games = f64::from(one.games.max(1));
            let utility = one.utility / games;
            ChoiceEstimate {
                level: one.level / games,
                share: (goal == Goal::Rank).then_some(utility),
                margin: (goal == Goal::Margin).then_some(utility),
                score: one.score / games,
                games: one.games,
            }
        };
        // Sending fails only if the table is closed.
        let _ = tell.send(EstimateUpdate { of: job.of, number: job.number, choices: all.iter().map(one).collect() });
    };
    let all = estimate(&played, decision, job.setup.seed, &mut |all| {
        if told.elapsed() > REPORT_INTERVAL && all.iter().all(|one| one.games > 0) {
            told = Instant::now();
            send(all);
        }
        begin.elapsed() < ESTIMATE_TIME && newest.is(job.of, job.number)
    })?;
    send(&all);
    Ok(())
}
