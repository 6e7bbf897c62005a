//! Results of a seat or a role.

use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::objective::Objective;
use crate::ratio::{Estimate, Ratio};
use crate::role::Roles;
use crate::series::Series;

/// Results of a seat or a role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RoleStanding {
    /// Name of the seat or role.
    pub name: String,
    /// Number of games.
    pub sat: f64,
    /// Win share, if players win or lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Estimate>,
    /// Mean score, in points.
    pub score: Option<Estimate>,
    /// Mean margin, in points, if it is the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Estimate>,
    /// Mean lead in utility over the others, in points, if the goal is a score or a margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Estimate>,
}

impl RoleStanding {
    /// Returns the results of a seat or a role.
    pub(crate) fn of(metrics: &Metrics, series: &Series, subject: Subject) -> Self {
        let (game, setup) = &series.game;
        let of = |measure| metrics.estimate(subject, measure, series.seed);
        Self {
            name: subject_name(game, &Roles::of(game, setup.players), &series.bots, subject),
            sat: metrics.ratio(subject, Measure::Score).map_or(0.0, Ratio::whole),
            share: of(Measure::Share),
            score: of(Measure::Score),
            margin: of(Measure::Margin),
            lead: of(Measure::Lead),
        }
    }

    /// Returns the quantity by which the game is judged.
    #[must_use]
    pub fn judged(&self, objective: Objective) -> Option<Estimate> {
        match objective {
            Objective::WinShare => self.share,
            Objective::Score | Objective::LeastScore => self.score,
            Objective::Margin => self.margin,
        }
    }
}

/// Returns the roles that were played.
pub fn played_roles(metrics: &Metrics) -> impl Iterator<Item = Subject> {
    let scores = metrics.all().filter(|found| found.1 == Measure::Score).map(|found| found.0);
    scores.filter(|subject| matches!(subject, Subject::Role(..)))
}
