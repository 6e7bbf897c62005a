//! A game as bots of one skill play it: who wins, how long it takes, how it goes, what is chosen.

use std::collections::BTreeMap;

use motherlode::{Decision, Game, Match};
use motherlode_play::{Failures, Interval, Watch, mix};
use serde::{Deserialize, Serialize};

use crate::arena::{Notable, RoleStanding};
use crate::course::{Course, Courses};
use crate::item::{Item, Offers};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::ratio::{Estimate, PART, Ratio, discoveries};
use crate::role::Roles;
use crate::series::{LabError, Series, Sitting, check};

/// One bot in all seats.
#[derive(Clone)]
pub struct Level {
    /// The game and the bot.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
    /// Blocks whose courses are looked at: the first.
    pub followed: u64,
    /// Playouts of each position of these.
    pub playouts: u64,
}

/// What was found. It is the same on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// Its spec.
    pub bot: String,
    /// Blocks played: one game each.
    pub blocks: u64,
    /// Games that were aborted.
    #[serde(flatten)]
    pub failures: Failures,
    /// The part of the first places of each seat if all were alike.
    pub even: f64,
    /// Whether seats play against each other: not in a cooperative game, nor alone.
    pub contest: bool,
    /// By seat.
    pub seats: Vec<RoleStanding>,
    /// By what seats were.
    pub roles: Vec<RoleStanding>,
    /// Names of those seats and roles whose part is not the even one; at most 5 % of all are named by chance.
    pub uneven: Vec<String>,
    /// Round in which games ended.
    pub rounds: Length,
    /// Decisions of a game.
    pub decisions: Length,
    /// By sort of choice.
    pub choices: Vec<Variety>,
    /// How the first games went.
    pub followed: Followed,
    /// Games worth looking at.
    pub notable: Vec<(Notable, Option<Course>)>,
    /// Whether it was stopped before all blocks were played.
    pub stopped: bool,
}

/// How long games are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Length {
    /// The mean.
    pub mean: Option<Estimate>,
    /// Games by length.
    pub games: BTreeMap<u32, u64>,
}

/// How varied choices of one sort are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variety {
    /// What sort of thing is chosen.
    pub sort: String,
    /// Choices made.
    pub made: u64,
    /// Different items that were offered.
    pub offered: u64,
    /// As many items, taken equally often, would be as varied: e to the power of the entropy of what was taken.
    pub effective: f64,
}

/// How the games went that were followed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    /// Games and their blocks.
    pub games: Vec<(u64, Course)>,
    /// How often the lead passed to another seat.
    pub changes: Option<Estimate>,
    /// The part of a game after which it was decided.
    pub decided: Option<Estimate>,
    /// How often whoever led in the middle won.
    pub middle: Option<Estimate>,
}

/// What looks on at a game of a level.
struct Eyes {
    offers: Offers,
    courses: Courses,
}

impl Watch for Eyes {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.offers.chosen(m, decision, choice);
    }

    fn ended(&mut self, m: &Match) {
        self.offers.ended(m);
        self.courses.ended(m);
    }
}

/// What is known of a game.
struct Seen {
    sitting: Sitting,
    items: BTreeMap<Item, (u32, u32)>,
    course: Option<Course>,
}

/// What is known of all games so far.
#[derive(Default)]
struct Sum {
    metrics: Metrics,
    blocks: u64,
    failures: Failures,
    rounds: BTreeMap<u32, u64>,
    decisions: BTreeMap<u32, u64>,
    items: BTreeMap<Item, (u64, u64)>,
    courses: Vec<(u64, Course)>,
    notable: Vec<Notable>,
    /// The game that was won from furthest behind: how far, when, and which.
    comeback: Option<((f64, f64), Notable)>,
}

impl Level {
    /// Plays. `progress` gets the number of blocks done, and says whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<LevelReport, LabError> {
        let (game, setup) = &self.series.game;
        check(&self.series.bots, game)?;
        let mut sum = Sum::default();
        let mut stopped = false;
        let followed = self.followed.min(self.blocks);
        for (range, playouts) in [(0..followed, self.playouts), (followed..self.blocks, 0)] {
            if stopped {
                break;
            }
            self.series.each(
                range,
                || Eyes { offers: Offers::new(game, setup.players), courses: Courses::new(game, playouts) },
                |eyes, _| {
                    eyes.offers.begin();
                    eyes.courses.begin();
                },
                |eyes, sitting| {
                    Some(Seen {
                        course: eyes.courses.take(),
                        sitting: Sitting { roles: eyes.offers.roles.take(), ..sitting },
                        items: eyes.offers.items.clone(),
                    })
                },
                |games| {
                    sum.add(games, &self.series.bots);
                    stopped = !progress(sum.blocks) && sum.blocks < self.blocks;
                    !stopped
                },
            )?;
            stopped |= self.series.is_halted() && sum.blocks < self.blocks;
        }
        self.report(sum, stopped)
    }

    fn report(&self, sum: Sum, stopped: bool) -> Result<LevelReport, LabError> {
        let series = &self.series;
        let (game, setup) = &series.game;
        let roles = Roles::of(game, setup.players);
        let of = |subject, measure| sum.metrics.estimate(subject, measure, series.seed);
        let standing = |subject| RoleStanding {
            name: subject_name(game, &roles, &series.bots, subject),
            sat: sum.metrics.ratio(subject, Measure::Share).map_or(0.0, Ratio::whole),
            share: of(subject, Measure::Share),
            score: of(subject, Measure::Score),
        };
        let shares = sum.metrics.all().filter(|found| found.1 == Measure::Share).map(|found| found.0);
        let played = shares.filter(|subject| matches!(subject, Subject::Role(..)));
        let even = 1.0 / f64::from(setup.players.max(1));
        let contest = setup.players > 1 && game.declarations().outcome.won.is_none();
        let mut notable = Vec::new();
        for one in sum.notable.iter().chain(sum.comeback.as_ref().map(|(_, one)| one)) {
            // A few games, so more playouts.
            let mut courses = Courses::new(game, 4 * self.playouts);
            series.again(0, one.block, one.turn, &mut courses)?;
            notable.push((one.clone(), courses.take()));
        }
        Ok(LevelReport {
            bot: series.bots.first().cloned().unwrap_or_default(),
            blocks: sum.blocks,
            failures: sum.failures,
            even,
            contest,
            uneven: if contest { uneven(&sum.metrics, even, |subject| standing(subject).name) } else { Vec::new() },
            seats: (0..usize::from(setup.players)).map(|seat| standing(Subject::Seat(seat))).collect(),
            roles: played.map(standing).collect(),
            rounds: Length { mean: of(Subject::All, Measure::Rounds), games: sum.rounds },
            decisions: Length { mean: of(Subject::All, Measure::Decisions), games: sum.decisions },
            choices: varieties(game, &sum.items),
            followed: followed(sum.courses, series.seed),
            notable,
            stopped,
        })
    }
}

impl Sum {
    fn add(&mut self, games: Vec<Seen>, specs: &[String]) {
        let block = self.blocks;
        self.blocks += 1;
        for (turn, seen) in games.iter().enumerate() {
            let row = &seen.sitting.row;
            if row.aborted.is_some() {
                self.failures.see(row);
                continue;
            }
            *self.rounds.entry(row.rounds.unsigned_abs()).or_default() += 1;
            *self.decisions.entry(row.decisions).or_default() += 1;
            Notable::keep(&mut self.notable, block, turn, &seen.sitting, specs);
            for (item, (offered, taken)) in &seen.items {
                let sum = self.items.entry(*item).or_default();
                *sum = (sum.0 + u64::from(*offered), sum.1 + u64::from(*taken));
            }
            let Some(course) = &seen.course else { continue };
            self.courses.push((block, course.clone()));
            let Some((least, at)) = course.lowest() else { continue };
            let further = |(known, when): (f64, f64)| least < known || least <= known && at > when;
            if self.comeback.as_ref().is_none_or(|(known, _)| further(*known)) {
                let mut one = Vec::new();
                Notable::keep(&mut one, block, turn, &seen.sitting, specs);
                let one = one.into_iter().next().map(|one| Notable { why: "comeback".to_owned(), ..one });
                self.comeback = one.map(|one| ((least, at), one));
            }
        }
        self.metrics.add(&games.into_iter().map(|seen| seen.sitting).collect::<Vec<_>>());
    }
}

fn uneven(metrics: &Metrics, even: f64, name: impl Fn(Subject) -> String) -> Vec<String> {
    let told = |subject: Subject| matches!(subject, Subject::Seat(_) | Subject::Role(..));
    let shares = metrics.all().filter(|(subject, measure, _)| told(*subject) && *measure == Measure::Share);
    let (subjects, p): (Vec<Subject>, Vec<f64>) =
        shares.map(|(subject, _, ratio)| (subject, ratio.p(even, PART))).unzip();
    let found = subjects.into_iter().zip(discoveries(&p)).filter(|(_, found)| *found);
    found.map(|(subject, _)| name(subject)).collect()
}

fn varieties(game: &Game, items: &BTreeMap<Item, (u64, u64)>) -> Vec<Variety> {
    let mut sorts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (item, (_, taken)) in items {
        sorts.entry(item.words(game).0).or_default().push(*taken);
    }
    let variety = |(sort, taken): (String, Vec<u64>)| {
        let made: u64 = taken.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^53 choices")]
        let parts = taken.iter().filter(|count| **count > 0).map(|count| *count as f64 / made as f64);
        let entropy: f64 = parts.map(|part| -part * part.ln()).sum();
        (made > 0).then(|| Variety { sort, made, offered: taken.len() as u64, effective: entropy.exp() })
    };
    sorts.into_iter().filter_map(variety).collect()
}

fn followed(games: Vec<(u64, Course)>, seed: u64) -> Followed {
    let mean = |number: u64, bounds: Option<Interval>, of: &dyn Fn(&Course) -> Option<f64>| {
        let mut ratio = Ratio::default();
        for (_, course) in &games {
            let said = of(course);
            ratio.push(said.unwrap_or_default(), f64::from(u8::from(said.is_some())));
        }
        ratio.estimate(mix(seed, number), bounds)
    };
    let changes = |course: &Course| u32::try_from(course.changes()).ok().map(f64::from);
    Followed {
        changes: mean(1, None, &changes),
        decided: mean(2, Some(PART), &Course::decided),
        middle: mean(3, Some(PART), &Course::middle),
        games,
    }
}
