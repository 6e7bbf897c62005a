//! What is played piece by piece: in one run, in several with pauses between them, or shared among machines.

use std::ops::{ControlFlow, Range};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bots::rollout_cost::RolloutCost;
use crate::simulation::sheet::{Cell, Column};

/// Sees every piece after it was added to the sum, and says whether to go on.
type Each<'a, Sum, Piece> = dyn FnMut(&Sum, &Piece) -> ControlFlow<()> + 'a;

/// Pieces with numbers from 0, each of which depends on its number alone, and what they say together.
///
/// What they say is found in the order of the numbers, never in that in which they were played: so it is the same whoever plays them.
pub trait Experiment {
    /// One game, or all games of one seed: what is kept of it.
    type Piece: Serialize + DeserializeOwned;
    /// What pieces have said so far.
    type Sum;
    /// What the pieces of a later stage need from those of earlier ones.
    type Plan;
    /// What is found in the end.
    type Report;
    /// Why it cannot be played.
    type Error;

    /// The numbers of the pieces, stage by stage, without a gap. Those of a later stage can be played once those of all earlier ones are
    /// known.
    fn stages(&self) -> Vec<Range<u64>>;

    /// Whether it can be played.
    ///
    /// # Errors
    /// A bot, a prompt or a file does not exist.
    fn check(&self) -> Result<(), Self::Error>;

    /// What no pieces say.
    fn begin(&self) -> Self::Sum;

    /// What the next stage needs.
    fn plan(&self, sum: &Self::Sum) -> Self::Plan;

    /// Plays pieces of one stage; `sink` gets them in order until it breaks off. There are fewer than asked for if it is halted.
    ///
    /// # Errors
    /// As [`Self::check`], or the threads cannot be started.
    fn play(
        &self,
        plan: &Self::Plan,
        range: Range<u64>,
        sink: &mut dyn FnMut(Self::Piece) -> ControlFlow<()>,
    ) -> Result<(), Self::Error>;

    /// Whether a piece that somebody else has written may have been played. Only such pieces can be added.
    fn is_possible(&self, _: &Self::Piece) -> bool {
        true
    }

    /// Adds the next piece. It breaks off once enough is known: no later piece is looked at.
    fn add(&self, sum: &mut Self::Sum, piece: &Self::Piece) -> ControlFlow<()>;

    /// Whether enough may be known before all pieces are.
    fn ends_early(&self) -> bool {
        false
    }

    /// What the pieces say; `stopped`: somebody has ended it before enough was known.
    ///
    /// # Errors
    /// A game of which more is told cannot be played again.
    fn report(&self, sum: Self::Sum, stopped: bool) -> Result<Self::Report, Self::Error>;

    /// Whether two pieces are the same, except for what was measured.
    fn alike(&self, one: &Self::Piece, other: &Self::Piece) -> bool;

    /// What its bots cost, where that depends on the number of choices.
    fn cost(&self) -> Option<RolloutCost> {
        None
    }

    /// What is worth knowing while it runs.
    fn remark(&self, _: &Self::Sum) -> Option<String> {
        None
    }

    /// The columns of its rows.
    fn columns(&self) -> Vec<Column>;

    /// The rows of a piece.
    fn rows(&self, piece: &Self::Piece) -> Vec<Vec<Cell>>;

    /// Plays all of it; `each` sees every piece after it was added, and says whether to go on.
    ///
    /// # Errors
    /// As [`Self::play`].
    fn perform(&self, each: &mut Each<'_, Self::Sum, Self::Piece>) -> Result<Self::Report, Self::Error> {
        self.check()?;
        let stages = self.stages();
        let left = |done: u64| stages.last().is_some_and(|stage| done < stage.end);
        let mut sum = self.begin();
        let (mut done, mut ended, mut stopped) = (0, false, false);
        for stage in &stages {
            let plan = self.plan(&sum);
            self.play(&plan, stage.clone(), &mut |piece| {
                done += 1;
                ended = self.add(&mut sum, &piece).is_break();
                stopped = each(&sum, &piece).is_break() && !ended && left(done);
                if ended || stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            // Whoever plays may have been halted, too.
            stopped |= !ended && done < stage.end;
            if ended || stopped {
                break;
            }
        }
        self.report(sum, stopped)
    }
}
