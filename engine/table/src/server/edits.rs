//! Edits of the rules during a match. No answer of a person is lost.
//!
//! The *trunk* is the match with the rules under which people answered it. An edit replays the trunk under the
//! new rules as far as the answers fit. Until a person acts, this is a *trial*: nothing is saved, and the next
//! edit replays the trunk again. The first act of a person ends the trial. If all answers of the trunk fit, the
//! match simply goes on. Otherwise a *branch* begins, and the trunk is set aside. The trunk returns when an
//! edit restores its rules or when the designer asks for it; then the branch is set aside.

use std::sync::Arc;

use motherlode::{Match, Replay, ReplayError};
use serde_json::json;

use super::branches::{Branch, Branches};
use super::message::Refusal;
use super::rules::Rules;
use super::table::TableSession;

impl TableSession<'_> {
    /// Replays the match under new rules.
    pub(super) fn apply_new_rules(&mut self, renewed: Result<Arc<Rules>, String>) {
        let playable = renewed.and_then(|new| {
            let begun = Match::with_transcript(&new.game, &self.match_record.setup);
            begun.map(|played| (new, played)).map_err(|error| error.to_string())
        });
        let (new, played) = match playable {
            Ok(playable) => playable,
            Err(why) => return self.keep_old_rules(&why),
        };
        self.cancel_request("The rules changed, so the undo request is cancelled.");
        let was_trial = self.branches.trunk.is_some();
        let mut trunk = self.branches.trunk.take().unwrap_or_else(|| self.current_branch());
        let back = self.branches.take_returning(&trunk, &new);
        let count = trunk.match_record.answers.len();
        let note = back
            .is_some()
            .then(|| format!("the earlier match goes on; the later branch, with {}, is kept", answers(count)));
        if let Some(back) = back {
            self.branches.aside.push(std::mem::replace(&mut trunk, back));
        }
        let count = trunk.match_record.answers.len();
        let differs = match trunk.replay.verify(&new.game) {
            Ok(_) => None,
            Err(ReplayError::Differs { step, .. }) => Some(step),
            // The states before the refused answer agree, but the choices differ.
            Err(ReplayError::Refused { step, .. }) => Some(step.saturating_sub(1)),
            Err(ReplayError::Outcome { .. }) => Some(count),
            Err(_) => Some(0),
        };
        let taken = self.play_branch(&trunk, &new, played);
        self.shown_state.first_difference = differs.map(|step| step.min(taken));
        let note = match (differs, count - taken) {
            (None, 0) if note.is_some() || was_trial => {
                let what = note.unwrap_or_else(|| "the match goes on as before".to_owned());
                format!("The edit is undone, and all {} are back: {what}.", answers(count))
            }
            (None, _) => "New rules: the match so far is the same.".to_owned(),
            (Some(step), 0) => format!("New rules: the first difference is after answer {step}."),
            (Some(step), left) => format!(
                "New rules: the first difference is after answer {step}; {left} of the {} no longer fit. They are kept \
                 and return if you undo the edit. If you play on here, a branch begins.",
                answers(count)
            ),
        };
        if differs.is_some() {
            self.branches.trunk = Some(trunk);
        }
        self.send_everything();
        self.send(|viewer, _| viewer.note(&note));
    }

    /// Tells everybody that the new rules cannot be played. The next rules that can be played replace the message.
    fn keep_old_rules(&mut self, why: &str) {
        let text = format!("The new rules cannot be played: {why}.");
        self.send(|viewer, _| viewer.note(&text));
        let broken = json!({ "broken": { "text": text } }).to_string();
        let to: Vec<_> = self.clients.iter().map(|client| client.mailbox.clone()).collect();
        to.iter().for_each(|mailbox| self.send_to(mailbox, broken.clone()));
    }

    /// Returns to the match before the edit, or else to another branch, with its own rules.
    pub(super) fn restore_rules(&mut self) -> Result<(), Refusal> {
        if !self.workshop()?.renews() {
            return Err(Refusal::SameRules);
        }
        let Branches { trunk, aside, .. } = &self.branches;
        let rules = Arc::clone(&trunk.as_ref().or(aside.last()).ok_or(Refusal::NoRules)?.rules);
        let played = Match::with_transcript(&rules.game, &self.match_record.setup).map_err(|_| Refusal::Failed)?;
        self.cancel_request("The rules changed, so the undo request is cancelled.");
        let mut note = "The match goes on under the rules before the last save.";
        let branch = match self.branches.trunk.take() {
            Some(trunk) => trunk,
            None => {
                let now = self.current_branch();
                let last = self.branches.aside.pop().ok_or(Refusal::NoRules)?;
                self.branches.aside.insert(0, now);
                note = "The match goes on in another branch, under its own rules.";
                last
            }
        };
        self.play_branch(&branch, &rules, played);
        self.send_everything();
        self.send(|viewer, _| viewer.note(note));
        self.save();
        Ok(())
    }

    /// Ends a trial because a person acts. From now on the played match counts as answered by people.
    pub(super) fn end_trial(&mut self) {
        let Some(trunk) = self.branches.trunk.take() else { return };
        if self.match_record.answers.starts_with(&trunk.match_record.answers) {
            return;
        }
        let branches = &mut *self.branches;
        branches.newest += 1;
        branches.number = branches.newest;
        let kept = answers(trunk.match_record.answers.len());
        branches.announcement =
            Some(format!("A branch of the match begins; the match before the edit, with {kept}, is kept"));
        branches.aside.push(trunk);
    }

    /// Ends a trial at the end of the match, if the match was open before the edit and no answer of a person is lost.
    fn end_trial_of_bots(&mut self) {
        let Some(trunk) = &self.branches.trunk else { return };
        let was_open = trunk.replay.outcome.is_none();
        let goes_on = self.match_record.answers.starts_with(&trunk.match_record.answers);
        if was_open && (goes_on || self.rules.people.is_empty()) {
            self.end_trial();
        }
    }

    /// Saves the match at its end.
    pub(super) fn save_at_end(&mut self) {
        self.end_trial_of_bots();
        if self.branches.trunk.is_none() {
            self.save();
        }
    }

    /// Saves the bots' answers after an answer of a person.
    pub(super) fn save_after_bots(&mut self) {
        let by_person = self.match_record.answers.iter().any(|answer| self.rules.is_person(answer.seat));
        if by_person && self.branches.trunk.is_none() && !self.played.is_over() {
            self.save();
        }
    }

    /// Saves the match after an act of a person, and announces a new branch.
    pub(super) fn save(&mut self) {
        let number = self.branches.number;
        let place = self.save.as_mut().and_then(|save| save(number, self.played));
        if let Some(text) = self.branches.announcement.take() {
            let place = place.map(|place| format!("; the branch is saved in `{place}`")).unwrap_or_default();
            self.note(None, format!("{text}{place}."));
        }
    }

    /// The played match as a branch.
    fn current_branch(&self) -> Branch {
        Branch {
            number: self.branches.number,
            rules: Arc::clone(&self.rules),
            match_record: self.match_record.clone(),
            replay: Replay::record(self.played),
        }
    }

    /// Replays a branch from a new match, as far as its answers fit. Returns the number of replayed answers.
    fn play_branch(&mut self, branch: &Branch, rules: &Arc<Rules>, begun: Match) -> usize {
        *self.played = begun;
        self.branches.number = branch.number;
        self.match_record.clone_from(&branch.match_record);
        let taken = self.replay(rules);
        if taken < self.match_record.answers.len() {
            self.match_record.answers.truncate(taken);
            self.match_record.notes.retain(|note| note.step <= taken);
        }
        self.match_record.state = None;
        taken
    }
}

fn answers(count: usize) -> String {
    if count == 1 { "1 answer".to_owned() } else { format!("{count} answers") }
}
