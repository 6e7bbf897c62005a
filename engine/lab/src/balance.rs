//! Plans and expectations of `balance.toml`, and the games that test them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use motherlode::declare::Goal;
use motherlode::tools::nearest;
use motherlode::{Diagnostic, Game, Setup, SourceFile};
use motherlode_content::balance::{BalanceFile, BalanceQuantity, Expect, PlacedText, PlanDecl, read};
use motherlode_content::suggestion;
use motherlode_play::{BotError, GameDigest, Pattern, bot};

use crate::judge::{Expectation, Finding, Judge, SEED, TakeCounter, Target};
use crate::metric::{Measure, Metrics, Subject};
use crate::role::Roles;
use crate::series::{LabError, SeatedGame, Series};

/// The plans and expectations of a game.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// Spec of the declared best bot.
    pub best: Option<String>,
    /// Bot specs by name of plan.
    pub plans: BTreeMap<String, String>,
    /// Expectations, in file order.
    pub expectations: Vec<Expectation>,
    /// Seed of the games; files leave it at 1.
    pub seed: u64,
}

impl Balance {
    /// Reads files, those of a game before those of its mods, and resolves every name in them.
    ///
    /// # Errors
    /// All faults of all files.
    pub fn read(game: &Game, files: &[SourceFile]) -> Result<Self, Vec<Diagnostic>> {
        let (mut balance, mut faults) = (Self { seed: SEED, ..Self::default() }, Vec::new());
        for source in files {
            let (file, found) = read(source);
            faults.extend(found);
            balance.take(game, source, &file, &mut faults);
        }
        if faults.is_empty() { Ok(balance) } else { Err(faults) }
    }

    /// Returns the best known bot of the game: the declared one, else `learned` if the game has a learned value, else
    /// `search:200`.
    #[must_use]
    pub fn best_bot(&self, game: &Game) -> String {
        let usual = || if game.learned().is_some() { "learned" } else { "search:200" }.to_owned();
        self.best.clone().unwrap_or_else(usual)
    }

    /// Replaces the names of plans in a spec: `plan:sellers+never=pass`, `plan:dig+base=plan:sellers`.
    #[must_use]
    pub fn spec(&self, written: &str) -> String {
        let named = written.strip_prefix("plan:").and_then(|rest| {
            let (name, more) = rest.find('+').map_or((rest, ""), |at| rest.split_at(at));
            Some(format!("{}{more}", self.plans.get(name)?))
        });
        let on_named = || {
            let (over, base) = written.split_at(written.find("+base=plan:")? + "+base=".len());
            Some(format!("{over}{}", self.spec(base)))
        };
        named.or_else(on_named).unwrap_or_else(|| written.to_owned())
    }

    /// Returns the unknown plan in an invalid spec and the plan with the nearest name.
    #[must_use]
    pub fn suggest_plan<'a>(&'a self, written: &'a str) -> Option<(&'a str, &'a str)> {
        let word = written.strip_prefix("plan:")?.split('+').next()?;
        let near = nearest(word, self.plans.keys().map(String::as_str))?;
        (self.spec(written) == written).then_some((word, near))
    }

    fn take(&mut self, game: &Game, source: &SourceFile, file: &BalanceFile, faults: &mut Vec<Diagnostic>) {
        for plan in &file.plans {
            let name = &plan.name;
            if Pattern::new(game, &name.text).is_ok() {
                let help = Some("name the plan after its strategy: `sellers`, `early_mines`".to_owned());
                faults.push(name.fault(
                    source,
                    format!("plan `{}` has the name of a choice in the game", name.text),
                    help,
                ));
            }
            let before = faults.len();
            let mut list = |patterns: &[PlacedText]| {
                for pattern in patterns {
                    if let Err(error) = Pattern::new(game, &pattern.text) {
                        faults.push(pattern.fault(source, error.message(), error.help.clone()));
                    }
                }
                patterns.iter().map(|pattern| pattern.text.trim().to_owned()).collect::<Vec<_>>().join("/")
            };
            let [prefer, always, never] = [&plan.prefer, &plan.always, &plan.never].map(|patterns| list(patterns));
            let mut spec = plan.base.as_ref().map_or_else(|| "random".to_owned(), |base| self.spec(&base.text));
            if let Some(base) = &plan.base {
                let is_named = |other: &&PlanDecl| base.text.strip_prefix("plan:") == Some(other.name.text.as_str());
                match file.plans.iter().find(is_named) {
                    Some(other) if !self.plans.contains_key(&other.name.text) => {
                        let help = Some(format!(
                            "move [plans.{}] above this plan; a plan cannot be its own base",
                            other.name.text
                        ));
                        let message = format!("`{}` is not defined before this plan", base.text);
                        faults.push(base.fault(source, message, help));
                    }
                    _ => self.check_bot(game, source, base, &spec, faults),
                }
            }
            if !prefer.is_empty() {
                spec = if spec == "random" { format!("plan:{prefer}") } else { format!("plan:{prefer}+base={spec}") };
            }
            for (word, patterns) in [("never", never), ("always", always)] {
                if !patterns.is_empty() {
                    spec = format!("{spec}+{word}={patterns}");
                }
            }
            if before == faults.len() {
                self.check_bot(game, source, name, &spec, faults);
            }
            self.plans.insert(name.text.clone(), spec);
        }
        if let Some(best) = &file.best {
            let spec = self.spec(&best.text);
            self.check_bot(game, source, best, &spec, faults);
            self.best = Some(spec);
        }
        for expect in &file.expects {
            if let Some(expectation) = self.expectation(game, source, expect, faults) {
                self.expectations.push(expectation);
            }
        }
    }

    fn expectation(
        &self,
        game: &Game,
        source: &SourceFile,
        expect: &Expect,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<Expectation> {
        let before = faults.len();
        let best = expect.of.with(self.best_bot(game));
        let bots = if expect.bots.is_empty() { std::slice::from_ref(&best) } else { &expect.bots };
        let specs: Vec<String> = bots.iter().map(|bot| self.spec(&bot.text)).collect();
        for (written, spec) in bots.iter().zip(&specs) {
            self.check_bot(game, source, written, spec, faults);
        }
        let players = expect.players.as_ref().and_then(|players| players.text.parse().ok());
        let options: Vec<(String, String)> =
            expect.options.iter().map(|(name, value)| (name.text.clone(), value.text.clone())).collect();
        let setup = match game.setup(players, &options, SEED) {
            Ok(setup) => setup,
            Err(error) => {
                let at = expect.options.first().map(|(name, _)| name).or(expect.players.as_ref());
                faults.push(at.unwrap_or(&expect.of).fault(source, error.to_string(), None));
                return None;
            }
        };
        let of = self.of(game, source, (expect, bots), &setup, faults)?;
        if faults.len() > before {
            return None;
        }
        let unit = if expect.measured.is_percent() { " %" } else { "" };
        let bounds = match (expect.low, expect.high) {
            (Some(low), Some(high)) => format!("from {low} to {high}{unit}"),
            (Some(low), None) => format!("at least {low}{unit}"),
            (None, high) => format!("at most {}{unit}", high.unwrap_or_default()),
        };
        let scale = if expect.measured.is_percent() { 0.01 } else { 1.0 };
        Some(Expectation {
            place: (source.path.clone(), expect.line),
            text: expect.text.clone(),
            what: format!("{} of {} {bounds}", expect.measured.word(), expect.of.text),
            bots: bots.iter().map(|bot| bot.text.clone()).collect(),
            measured: expect.measured,
            low: expect.low.map(|low| f64::from(low) * scale),
            high: expect.high.map(|high| f64::from(high) * scale),
            specs,
            setup,
            games: expect.games,
            of,
        })
    }

    /// Adds a fault if the spec is invalid.
    fn check_bot(
        &self,
        game: &Game,
        source: &SourceFile,
        written: &PlacedText,
        spec: &str,
        faults: &mut Vec<Diagnostic>,
    ) {
        let error = match bot(spec, game, 0) {
            // The file of a learned value may not exist yet; this is not a fault of the balance file.
            Ok(_) | Err(BotError::Value { .. }) => return,
            Err(error) => error,
        };
        let (message, help) = match self.suggest_plan(&written.text) {
            Some((word, near)) => (format!("there is no plan `{word}`"), Some(format!("did you mean `plan:{near}`?"))),
            None => (error.to_string(), None),
        };
        faults.push(written.fault(source, message, help));
    }

    /// Resolves the target of an expectation, and adds a fault if there is none.
    fn of(
        &self,
        game: &Game,
        source: &SourceFile,
        (expect, playing): (&Expect, &[PlacedText]),
        setup: &Setup,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<Target> {
        let written = &expect.of;
        let text = written.text.as_str();
        let mut pattern = || {
            let found = Pattern::new(game, text);
            found.map_err(|error| faults.push(written.fault(source, error.message(), error.help))).ok()
        };
        match expect.measured {
            BalanceQuantity::Length => {
                return Some(Target::Game(if text == "rounds" { Measure::Rounds } else { Measure::Decisions }));
            }
            BalanceQuantity::Taken => return Some(Target::Choices(vec![pattern()?])),
            BalanceQuantity::EachTaken => return Some(Target::Choices(pattern()?.parts(game))),
            BalanceQuantity::Share | BalanceQuantity::Score | BalanceQuantity::Margin => {}
        }
        if let Some((message, help)) = misplaced(game, expect.measured) {
            faults.push(written.fault(source, message, Some(help)));
            return None;
        }
        let seats = usize::from(setup.players);
        let bots = || 0..playing.len();
        if let Some(at) = bots().find(|at| playing[*at].text == text) {
            return Some(Target::Subjects(vec![Subject::Bot(at)]));
        }
        match (text, text.strip_prefix("seats.")) {
            ("all", _) if expect.measured == BalanceQuantity::Score => return Some(Target::Game(Measure::Score)),
            ("seats", _) => return Some(Target::Subjects((0..seats).map(Subject::Seat).collect())),
            ("bots", _) => return Some(Target::Subjects(bots().map(Subject::Bot).collect())),
            (_, Some(seat)) => {
                let seat = seat.parse::<usize>().ok().and_then(|seat| seat.checked_sub(1)).filter(|seat| *seat < seats);
                if seat.is_none() {
                    let help = Some(format!("use `seats.1` to `seats.{seats}`"));
                    faults.push(written.fault(source, format!("`{text}` is not a seat"), help));
                }
                return Some(Target::Subjects(vec![Subject::Seat(seat?)]));
            }
            _ => {}
        }
        let roles = Roles::of(game, setup.players).definitions(game);
        let named = Pattern::new(game, text);
        let meant: Vec<usize> = named.iter().flat_map(Pattern::definitions).filter(|one| roles.contains(one)).collect();
        if !meant.is_empty() {
            return Some(Target::Roles(meant));
        }
        let d = game.declarations();
        let mut known: Vec<String> = ["seats".to_owned(), "bots".to_owned()].into();
        for index in roles {
            let (definition, kind) = (&d.definitions[index], &d.kinds.keys()[d.definitions[index].kind]);
            known.extend([kind.clone(), format!("{kind}.{}", definition.id), definition.id.clone()]);
        }
        known.dedup();
        known.extend(playing.iter().map(|bot| bot.text.clone()));
        let kinds: Vec<&String> = known.iter().filter(|name| !name.contains('.')).collect();
        let help = suggestion(text, known.iter().map(String::as_str)).or_else(|| {
            let some: Vec<String> = kinds.iter().take(6).map(|name| format!("`{name}`")).collect();
            Some(format!("use one of {} ...", some.join(", ")))
        });
        faults.push(written.fault(source, format!("`{text}` is not a seat, a bot or a role"), help));
        None
    }

    /// Plays until every expectation is decided, or has used its games, or play is halted (see [`Series`]).
    /// `progress` gets the number of finished blocks and the number that may be needed, and returns whether to
    /// continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(
        &self,
        game: &Game,
        (threads, halt): (usize, Option<&'static AtomicBool>),
        mut progress: impl FnMut(u64, u64) -> bool,
    ) -> Result<Vec<Finding>, LabError> {
        let mut judges: Vec<Judge<'_>> = self.expectations.iter().map(Judge::new).collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (at, one) in self.expectations.iter().enumerate() {
            let alike = |group: &&mut Vec<usize>| {
                let other = &self.expectations[group[0]];
                (&other.specs, &other.setup) == (&one.specs, &one.setup)
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
        }
        let blocks_of = |one: &Expectation| u64::from(one.games).div_ceil(one.specs.len().max(1) as u64);
        let most = |group: &Vec<usize>| group.iter().map(|at| blocks_of(&self.expectations[*at])).max().unwrap_or(0);
        let mut all: u64 = groups.iter().map(most).sum();
        let mut done = 0;
        for group in &groups {
            let first = &self.expectations[group[0]];
            let version = (game.clone(), first.setup.clone());
            let series = Series { threads, halt, ..Series::new(version, first.specs.clone(), self.seed) };
            series.check()?;
            let patterns: Vec<Pattern> = group.iter().flat_map(|at| judges[*at].patterns()).cloned().collect();
            let (mut played, mut goes_on) = (0, true);
            series.each(
                0..most(group),
                || TakeCounter {
                    roles: Roles::of(game, first.setup.players),
                    patterns: patterns.clone(),
                    counts: Vec::new(),
                    digest: GameDigest::default(),
                },
                |counter, _| counter.begin(),
                |counter, seated_game| {
                    let (roles, digest) = (counter.roles.take(), counter.digest.value());
                    Some((SeatedGame { roles, digest, ..seated_game }, std::mem::take(&mut counter.counts)))
                },
                |games| {
                    let (seated_games, counts): (Vec<SeatedGame>, Vec<Vec<[u32; 2]>>) = games.into_iter().unzip();
                    let mut metrics = Metrics::of(game);
                    metrics.add(&seated_games);
                    let mut from = 0;
                    for at in group {
                        let judge = &mut judges[*at];
                        let to = from + judge.patterns().count();
                        let own: Vec<&[[u32; 2]]> = counts.iter().filter_map(|counts| counts.get(from..to)).collect();
                        from = to;
                        if !judge.is_decided() && played < blocks_of(judge.expectation) {
                            judge.add_block(&seated_games, &metrics, &own);
                        }
                    }
                    played += 1;
                    goes_on = progress(done + played, all);
                    let open = |at: &usize| !judges[*at].is_decided() && played < blocks_of(judges[*at].expectation);
                    goes_on && group.iter().any(open)
                },
            )?;
            if series.is_halted() {
                progress(done + played, all);
                goes_on = false;
            }
            done += played;
            all -= most(group) - played;
            if !goes_on {
                break;
            }
        }
        Ok(judges.into_iter().map(|judge| judge.finding(game)).collect())
    }
}

/// The fault of a quantity that is not the goal of the game, and its help.
fn misplaced(game: &Game, measured: BalanceQuantity) -> Option<(String, String)> {
    let goal = game.declarations().outcome.goal;
    let is_goal = match measured {
        BalanceQuantity::Share => goal == Goal::Rank,
        BalanceQuantity::Margin => goal == Goal::Margin,
        _ => true,
    };
    let (counted, instead) = match measured {
        BalanceQuantity::Margin => {
            ("the lead over the best other score", if goal == Goal::Rank { "share" } else { "score" })
        }
        _ => ("first places", goal.name()),
    };
    let word = measured.word();
    let message = || format!("`{word}` measures {counted}, but the goal of this game is `{}`", goal.name());
    (!is_goal).then(|| (message(), format!("use `{instead}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judgement;
    use crate::samples::Stall;

    fn file(text: &str) -> Vec<SourceFile> {
        vec![SourceFile { path: "tests/stall/balance.toml".to_owned(), text: text.to_owned() }]
    }

    fn found(game: &Game, text: &str) -> Vec<Finding> {
        let balance = Balance::read(game, &file(text)).unwrap_or_else(|faults| panic!("{faults:#?}"));
        balance.run(game, (2, None), |_, _| true).unwrap()
    }

    #[test]
    fn games_decide_each_expectation() {
        let game = Stall { cutters: 6, ..Stall::default() }.load();
        let findings = found(
            &game,
            r#"
            bots = "random"
            games = 200
            [plans.glaziers]
            prefer = ["card:glass"]
            [plans.careful]
            never = ["card:glass"]
            [[expect]]
            share = "seats"
            between = [15, 55]
            [[expect]]
            share = "guilds.cutters"
            at_most = 40
            [[expect]]
            length = "rounds"
            between = [3, 5]
            [[expect]]
            share = "seats.1"
            between = [33, 90]
            games = 20
            [[expect]]
            bots = ["plan:glaziers", "plan:careful", "random"]
            share = "plan:careful"
            at_least = 20
            [[expect]]
            bots = ["plan:glaziers", "plan:careful", "random"]
            taken = "card:glass"
            at_most = 90
            [[expect]]
            bots = "plan:careful"
            each_taken = "jewels"
            at_least = 5
            "#,
        );
        let judgements: Vec<Judgement> = findings.iter().map(|finding| finding.judgement).collect();
        let (passed, failed) = (Judgement::Passed, Judgement::Failed);
        assert_eq!(judgements, [passed, failed, passed, Judgement::Undecided, passed, passed, failed], "{findings:#?}");
        assert!(findings[1].games < 200, "a clear case ends early: {}", findings[1].games);
        let glass = findings[6].subjects.iter().find(|subject| subject.name == "jewels.glass").unwrap();
        assert!(glass.judgement == failed && glass.value.unwrap().value < 0.05, "{glass:?}");
        assert_eq!(findings[6].line, 29);
    }

    #[test]
    fn an_expectation_without_bots_is_judged_by_the_best_bot() {
        let game = Stall::default().load();
        let bots = |text: &str| {
            let text =
                format!("{text}\n[plans.careful]\nnever = [\"opal\"]\n[[expect]]\nshare = \"seats\"\nat_least = 3");
            let balance = Balance::read(&game, &file(&text)).unwrap_or_else(|faults| panic!("{faults:#?}"));
            (balance.best_bot(&game), balance.expectations[0].specs.clone())
        };
        let own = |spec: &str| (spec.to_owned(), vec![spec.to_owned()]);
        assert_eq!(bots(""), own("search:200"), "the game has no learned value");
        assert_eq!(bots("best = \"flat:9\""), own("flat:9"));
        assert_eq!(bots("best = \"plan:careful\""), own("random+never=opal"));
        assert_eq!(bots("best = \"flat:9\"\nbots = \"first\""), ("flat:9".to_owned(), vec!["first".to_owned()]));
    }

    #[test]
    fn a_fault_names_its_place_and_the_nearest_name() {
        let game = Stall::default().load();
        let faults = |text: &str| -> Vec<String> {
            let list = Balance::read(&game, &file(text)).map(drop).unwrap_err();
            list.iter()
                .map(|fault| {
                    format!(
                        "{}:{}: {} ({})",
                        fault.line,
                        fault.column,
                        fault.message,
                        fault.help.clone().unwrap_or_default()
                    )
                })
                .collect()
        };
        let of = |rest: &str| faults(&format!("bots = \"random\"\n[[expect]]\n{rest}"));
        assert_eq!(
            of("share = \"gilds\"\nat_least = 3"),
            ["3:9: `gilds` is not a seat, a bot or a role (did you mean `guilds`?)"]
        );
        assert_eq!(of("shar = \"seats\"\nat_least = 3").len(), 2);
        assert_eq!(
            of("share = \"seats.9\"\nat_least = 3"),
            ["3:9: `seats.9` is not a seat (use `seats.1` to `seats.3`)"]
        );
        assert_eq!(
            of("taken = \"take=rubi\"\nat_least = 3"),
            ["3:9: prompt `take` has no choice `rubi` (did you mean `ruby`?)"]
        );
        assert!(of("share = \"seats\"\nat_least = 300")[0].contains("from 0 to 100"));
        assert!(of("share = \"seats\"\nbetween = [3]")[0].contains("write between = [25, 42]"));
        assert!(of("share = \"seats\"")[0].contains("needs `between`, `at_least` or `at_most`"));
        assert!(of("share = \"seats\"\nat_least = 3\nplayers = 9")[0].contains("player"));
        assert_eq!(
            faults("players = 3\nbest = \"serch:9\""),
            ["2:8: unknown bot `serch:9`; did you mean `search:9`? ()"]
        );
        assert_eq!(
            faults("best = \"plan:carefull\"\n[plans.careful]\nnever = [\"opal\"]"),
            ["1:8: there is no plan `carefull` (did you mean `plan:careful`?)"]
        );
        assert_eq!(
            faults("[plans.careful]\nprefer = [\"card:opel\"]"),
            ["2:11: no choice is named `opel` (did you mean `opal`?)"]
        );
        assert!(faults("[plans.opal]\nprefer = [\"pearl\"]")[0].contains("has the name of a choice"));
        assert!(
            faults("bots = \"rolout:2\"\n[[expect]]\nshare = \"seats\"\nat_least = 3")[0]
                .contains("did you mean `rollout:2`")
        );
        let plan = "[plans.glaziers]\nprefer = [\"card:glass\"]\n[[expect]]\nbots = \"plan:glazier\"\n";
        assert_eq!(
            faults(&format!("{plan}share = \"seats\"\nat_most = 90")),
            ["4:8: there is no plan `glazier` (did you mean `plan:glaziers`?)"]
        );
        assert_eq!(
            of("share = \"seats\"\nat_most = 20\nat_least = 30"),
            ["5:12: `at_least` 30 must be less than `at_most` 20 (lower `at_least`, or raise `at_most`)"]
        );
    }

    #[test]
    fn a_spec_may_name_a_plan_and_add_limits() {
        let game = Stall::default().load();
        let text = "[plans.careful]\nprefer = [\"ruby\", \"opal\"]\nbase = \"rollout:1\"\n";
        let balance = Balance::read(&game, &file(text)).unwrap();
        assert_eq!(balance.spec("plan:careful"), "plan:ruby/opal+base=rollout:1");
        assert_eq!(balance.spec("plan:careful+never=glass"), "plan:ruby/opal+base=rollout:1+never=glass");
        assert_eq!((balance.spec("plan:ruby"), balance.spec("random")), ("plan:ruby".to_owned(), "random".to_owned()));
    }
}
