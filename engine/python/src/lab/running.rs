//! Experiments of any kind, behind one trait.

use std::ops::{ControlFlow, Range};

use motherlode_play::{Cell, Column, Experiment};

/// An experiment with the sum of its first pieces.
pub trait Play: Send + Sync {
    /// The numbers of the pieces, stage by stage.
    fn stages(&self) -> Vec<Range<u64>>;

    /// The number of the next piece to add.
    fn next(&self) -> u64;

    /// Whether the experiment has a verdict and needs no further piece.
    fn has_ended(&self) -> bool;

    /// Plays all missing pieces and adds them. `each` gets their number and breaks to stop.
    fn finish(&mut self, each: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), String>;

    /// Plays pieces of the stage that begins at [`Self::next`], without adding them; `sink` gets them as JSON.
    fn play(&self, range: Range<u64>, sink: &mut dyn FnMut(String) -> ControlFlow<()>) -> Result<(), String>;

    /// Adds the next piece, as JSON.
    fn add(&mut self, piece: &str) -> Result<(), String>;

    /// The report as JSON, and the rows.
    fn report(&mut self, is_measured: bool) -> Result<(String, RowTable), String>;
}

/// Rows by column.
pub struct RowTable {
    pub columns: Vec<Column>,
    pub cells: Vec<Vec<Cell>>,
}

impl RowTable {
    fn new(columns: Vec<Column>) -> Self {
        Self { cells: columns.iter().map(|_| Vec::new()).collect(), columns }
    }

    fn add(&mut self, rows: Vec<Vec<Cell>>) {
        for row in rows {
            self.cells.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
        }
    }
}

/// Writes a report as JSON; the last arguments: whether the run was stopped, and whether measurements are wanted.
type Write<E> = fn(&E, <E as Experiment>::Report, bool, bool) -> Result<String, serde_json::Error>;

/// A running experiment.
pub struct Running<E: Experiment> {
    experiment: E,
    stages: Vec<Range<u64>>,
    sum: E::Sum,
    next: u64,
    has_ended: bool,
    rows: Option<RowTable>,
    write: Write<E>,
}

impl<E: Experiment> Running<E>
where
    E::Error: ToString,
{
    /// Checks an experiment and begins it. Keeps rows if they are wanted.
    pub fn new(experiment: E, has_rows: bool, write: Write<E>) -> Result<Self, String> {
        experiment.check().map_err(|error| error.to_string())?;
        let mut stages = experiment.stages();
        stages.retain(|stage| !stage.is_empty());
        let rows = has_rows.then(|| RowTable::new(experiment.columns()));
        Ok(Self { sum: experiment.begin(), experiment, stages, next: 0, has_ended: false, rows, write })
    }
}

impl<E> Play for Running<E>
where
    E: Experiment + Send + Sync,
    E::Sum: Send + Sync,
    E::Error: ToString,
{
    fn stages(&self) -> Vec<Range<u64>> {
        self.stages.clone()
    }

    fn next(&self) -> u64 {
        self.next
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn finish(&mut self, each: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), String> {
        let Self { experiment, stages, sum, next, has_ended, rows, .. } = self;
        for stage in stages.iter() {
            if *next != stage.start || *has_ended {
                break;
            }
            let plan = experiment.plan(sum);
            let played = experiment.play(&plan, stage.clone(), &mut |piece| {
                *next += 1;
                *has_ended = add_piece(experiment, sum, rows, &piece);
                let stopped = each(*next).is_break();
                if *has_ended || stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            played.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn play(&self, range: Range<u64>, sink: &mut dyn FnMut(String) -> ControlFlow<()>) -> Result<(), String> {
        let stage = self.stages.iter().find(|stage| stage.start == self.next);
        if stage.is_none_or(|stage| range.start < stage.start || range.end > stage.end) {
            let Range { start, end } = range;
            return Err(format!("pieces {start} to {end} are not of the stage that begins at {}", self.next));
        }
        let plan = self.experiment.plan(&self.sum);
        let mut failed = None;
        let played = self.experiment.play(&plan, range, &mut |piece| match serde_json::to_string(&piece) {
            Ok(text) => sink(text),
            Err(error) => {
                failed = Some(error.to_string());
                ControlFlow::Break(())
            }
        });
        played.map_err(|error| error.to_string())?;
        failed.map_or(Ok(()), Err)
    }

    fn add(&mut self, piece: &str) -> Result<(), String> {
        let number = self.next;
        let read = serde_json::from_str::<E::Piece>(piece).ok().filter(|piece| self.experiment.is_possible(piece));
        let piece = read.ok_or_else(|| format!("piece {number} is damaged: play it again"))?;
        if self.stages.last().is_none_or(|stage| number >= stage.end) {
            return Err(format!("there is no piece {number}"));
        }
        self.next += 1;
        self.has_ended = add_piece(&self.experiment, &mut self.sum, &mut self.rows, &piece);
        Ok(())
    }

    fn report(&mut self, is_measured: bool) -> Result<(String, RowTable), String> {
        let all = self.stages.last().map_or(0, |stage| stage.end);
        let stopped = !self.has_ended && self.next < all;
        let sum = std::mem::replace(&mut self.sum, self.experiment.begin());
        self.next = 0;
        let report = self.experiment.report(sum, stopped).map_err(|error| error.to_string())?;
        let text = (self.write)(&self.experiment, report, stopped, is_measured).map_err(|error| error.to_string())?;
        let rows = self.rows.take().unwrap_or_else(|| RowTable::new(Vec::new()));
        Ok((text, rows))
    }
}

/// Adds a piece and its rows; returns whether the experiment has a verdict.
fn add_piece<E: Experiment>(experiment: &E, sum: &mut E::Sum, rows: &mut Option<RowTable>, piece: &E::Piece) -> bool {
    let has_ended = experiment.add(sum, piece).is_break();
    if let Some(table) = rows {
        table.add(experiment.rows(piece));
    }
    has_ended
}
