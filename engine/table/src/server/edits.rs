//! Edits while a match is open: every answer that people have given is kept.
//!
//! The *trunk* is the match by the rules by which people answered it. An edit replays the trunk by the new rules, as far as its answers fit.
//! Until a person acts, that is a *trial*: the next edit replays the trunk again, and nothing is saved. The first act of a person ends the
//! trial. If all answers of the trunk fit, the match just goes on. Otherwise a *branch* begins, and the trunk is set aside. It comes back as
//! soon as an edit makes its rules what they were, or when the designer asks for it; the branch is then set aside in its turn.

use std::sync::Arc;

use motherlode::{Match, Replay, ReplayError};

use super::branches::{Branch, Branches};
use super::message::Refusal;
use super::rules::Rules;
use super::table::Sitting;

impl Sitting<'_> {
    /// Replays the match by newer rules.
    pub(super) fn renew(&mut self, renewed: Result<Arc<Rules>, String>) {
        let cannot = |why: &str| format!("The new rules cannot be played: {why}.");
        let new = match renewed {
            Ok(new) => new,
            Err(why) => return self.send(|viewer, _| viewer.note(&cannot(&why))),
        };
        let played = match Match::telling(&new.game, &self.course.setup) {
            Ok(played) => played,
            Err(error) => return self.send(|viewer, _| viewer.note(&cannot(&error.to_string()))),
        };
        self.lapse("The rules have changed: nothing is taken back.");
        let was_trial = self.branches.trunk.is_some();
        let mut trunk = self.branches.trunk.take().unwrap_or_else(|| self.branch_now());
        let back = self.branches.returning(&trunk, &new);
        let count = trunk.course.answers.len();
        let note = back.is_some().then(|| {
            format!("the match before it goes on; the branch that began after it, with {}, is kept", answers(count))
        });
        if let Some(back) = back {
            self.branches.aside.push(std::mem::replace(&mut trunk, back));
        }
        let count = trunk.course.answers.len();
        let differs = match trunk.replay.verify(&new.game) {
            Ok(_) => None,
            Err(ReplayError::Differs { step, .. }) => Some(step),
            // The same position has other choices.
            Err(ReplayError::Refused { step, .. }) => Some(step.saturating_sub(1)),
            Err(ReplayError::Outcome { .. }) => Some(count),
            Err(_) => Some(0),
        };
        let taken = self.play_branch(&trunk, &new, played);
        self.scene.differs = differs.map(|step| step.min(taken));
        let note = match (differs, count - taken) {
            (None, 0) if note.is_some() || was_trial => {
                let what = note.unwrap_or_else(|| "the match goes on as before".to_owned());
                format!("The edit is taken back, and all {} are there: {what}.", answers(count))
            }
            (None, _) => "New rules: the match so far is the same.".to_owned(),
            (Some(step), 0) => format!("New rules: the first difference is after answer {step}."),
            (Some(step), left) => format!(
                "New rules: the first difference is after answer {step}; {left} of the {} do not fit any more. They are kept: they come \
                 back if you take the edit back. If you play on here, a branch begins.",
                answers(count)
            ),
        };
        if differs.is_some() {
            self.branches.trunk = Some(trunk);
        }
        self.show_anew();
        self.send(|viewer, _| viewer.note(&note));
    }

    /// Goes back to the match before the edit, or else to another branch, by its own rules.
    pub(super) fn keep(&mut self) -> Result<(), Refusal> {
        if !self.workshop()?.renews() {
            return Err(Refusal::SameRules);
        }
        let Branches { trunk, aside, .. } = &self.branches;
        let rules = Arc::clone(&trunk.as_ref().or(aside.last()).ok_or(Refusal::NoRules)?.rules);
        let played = Match::telling(&rules.game, &self.course.setup).map_err(|_| Refusal::Failed)?;
        self.lapse("The rules have changed: nothing is taken back.");
        let mut note = "The match goes on by the rules before the last save.";
        let branch = match self.branches.trunk.take() {
            Some(trunk) => trunk,
            None => {
                let now = self.branch_now();
                let last = self.branches.aside.pop().ok_or(Refusal::NoRules)?;
                self.branches.aside.insert(0, now);
                note = "The match goes on in another branch, by its own rules.";
                last
            }
        };
        self.play_branch(&branch, &rules, played);
        self.show_anew();
        self.send(|viewer, _| viewer.note(note));
        self.save();
        Ok(())
    }

    /// Ends a trial, because a person acts: from now on the match that is played is one that people have answered.
    pub(super) fn end_trial(&mut self) {
        let Some(trunk) = self.branches.trunk.take() else { return };
        if self.course.answers.starts_with(&trunk.course.answers) {
            return;
        }
        let branches = &mut *self.branches;
        branches.newest += 1;
        branches.number = branches.newest;
        let kept = answers(trunk.course.answers.len());
        branches.announcement =
            Some(format!("A branch of the match begins; the match before the edit, with {kept}, is kept"));
        branches.aside.push(trunk);
    }

    /// Ends a trial in which bots have played to the end of a match that was open before the edit, if that loses nothing.
    fn end_trial_of_bots(&mut self) {
        let Some(trunk) = &self.branches.trunk else { return };
        let was_open = trunk.replay.outcome.is_none();
        let goes_on = self.course.answers.starts_with(&trunk.course.answers);
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

    /// Saves the answers of bots that have followed one of a person.
    pub(super) fn save_after_bots(&mut self) {
        let by_person = self.course.answers.iter().any(|answer| self.rules.is_person(answer.seat));
        if by_person && self.branches.trunk.is_none() && !self.played.is_over() {
            self.save();
        }
    }

    /// Saves the match after an act of a person, and announces a branch that this has begun.
    pub(super) fn save(&mut self) {
        let number = self.branches.number;
        let place = self.save.as_mut().and_then(|save| save(number, self.played));
        if let Some(text) = self.branches.announcement.take() {
            let place = place.map(|place| format!("; the branch is saved in `{place}`")).unwrap_or_default();
            self.note(None, format!("{text}{place}."));
        }
    }

    /// The match as it is played now.
    fn branch_now(&self) -> Branch {
        Branch {
            number: self.branches.number,
            rules: Arc::clone(&self.rules),
            course: self.course.clone(),
            replay: Replay::record(self.played),
        }
    }

    /// Plays a branch by these rules, as far as its answers fit; returns how many do. The match has just begun.
    fn play_branch(&mut self, branch: &Branch, rules: &Arc<Rules>, begun: Match) -> usize {
        *self.played = begun;
        self.branches.number = branch.number;
        self.course.clone_from(&branch.course);
        let taken = self.again(rules);
        if taken < self.course.answers.len() {
            self.course.answers.truncate(taken);
            self.course.notes.retain(|note| note.step <= taken);
        }
        self.course.state = None;
        taken
    }
}

fn answers(count: usize) -> String {
    if count == 1 { "1 answer".to_owned() } else { format!("{count} answers") }
}
