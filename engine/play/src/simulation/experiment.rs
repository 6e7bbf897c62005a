//! Experiments that are played piece by piece: in one run, in several with pauses, or shared among machines.

use std::ops::{ControlFlow, Range};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bots::rollout_cost::RolloutCost;
use crate::simulation::sheet::{Cell, Column};

/// Observes every piece after it is added to the sum; breaks to stop.
type Each<'a, Sum, Piece> = dyn FnMut(&Sum, &Piece) -> ControlFlow<()> + 'a;

/// Numbered pieces, each of which depends only on its number, and their combined result.
///
/// Pieces are added in the order of their numbers, never in the order in which they were played. The result
/// therefore does not depend on who plays them.
pub trait Experiment {
    /// The record of one game, or of all games of one seed.
    type Piece: Serialize + DeserializeOwned;
    /// The accumulated results.
    type Sum;
    /// Results of earlier stages that a later stage needs.
    type Plan;
    /// The final result.
    type Report;
    /// The error that prevents the experiment.
    type Error;

    /// The numbers of the pieces, stage by stage, without gaps. A stage can be played once all earlier stages are
    /// known.
    fn stages(&self) -> Vec<Range<u64>>;

    /// Validates the experiment.
    ///
    /// # Errors
    /// A bot, a prompt or a file does not exist.
    fn check(&self) -> Result<(), Self::Error>;

    /// The empty sum.
    fn begin(&self) -> Self::Sum;

    /// The plan of the next stage.
    fn plan(&self, sum: &Self::Sum) -> Self::Plan;

    /// Plays pieces of one stage; `sink` receives them in order until it breaks. A halted run yields fewer pieces.
    ///
    /// # Errors
    /// As [`Self::check`], or the threads cannot be started.
    fn play(
        &self,
        plan: &Self::Plan,
        range: Range<u64>,
        sink: &mut dyn FnMut(Self::Piece) -> ControlFlow<()>,
    ) -> Result<(), Self::Error>;

    /// Whether a piece from a foreign file is consistent with this experiment. Only such pieces can be added.
    fn is_possible(&self, _: &Self::Piece) -> bool {
        true
    }

    /// Adds the next piece. Breaks if later pieces are no longer needed.
    fn add(&self, sum: &mut Self::Sum, piece: &Self::Piece) -> ControlFlow<()>;

    /// Whether [`Self::add`] may break before the last piece.
    fn ends_early(&self) -> bool {
        false
    }

    /// The final result; `stopped` if the run was stopped before `add` broke.
    ///
    /// # Errors
    /// A game that the report details cannot be replayed.
    fn report(&self, sum: Self::Sum, stopped: bool) -> Result<Self::Report, Self::Error>;

    /// Whether two pieces are equal except for measurements.
    fn alike(&self, one: &Self::Piece, other: &Self::Piece) -> bool;

    /// The cost of the bots, if it depends on the number of choices.
    fn cost(&self) -> Option<RolloutCost> {
        None
    }

    /// A remark for progress output.
    fn remark(&self, _: &Self::Sum) -> Option<String> {
        None
    }

    /// The time of a piece of the next stage relative to one of the stage of the last piece, for estimates of the
    /// remaining time; `None` if it is unknown.
    fn next_stage_cost(&self, _: &Self::Sum) -> Option<f64> {
        None
    }

    /// The columns of the rows.
    fn columns(&self) -> Vec<Column>;

    /// The rows of a piece.
    fn rows(&self, piece: &Self::Piece) -> Vec<Vec<Cell>>;

    /// Plays the whole experiment; `each` observes every piece after it is added, and breaks to stop.
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
            // `play` may have been halted, too.
            stopped |= !ended && done < stage.end;
            if ended || stopped {
                break;
            }
        }
        self.report(sum, stopped)
    }
}
