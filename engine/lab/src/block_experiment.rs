//! The parts of [`Experiment`](motherlode_play::Experiment) shared by all experiments whose pieces are blocks.

/// Implements these parts for a type with the fields `series` and `blocks` and a sum with the field `failures`.
macro_rules! block_experiment {
    () => {
        type Piece = $crate::series::Block;
        type Plan = ();
        type Error = $crate::series::LabError;

        fn stages(&self) -> Vec<std::ops::Range<u64>> {
            std::iter::once(0..self.blocks).collect()
        }

        fn check(&self) -> Result<(), Self::Error> {
            self.series.check()?;
            self.series.check_opening()
        }

        fn plan(&self, _: &Self::Sum) {}

        fn play(
            &self,
            (): &(),
            range: std::ops::Range<u64>,
            sink: &mut dyn FnMut(Self::Piece) -> std::ops::ControlFlow<()>,
        ) -> Result<(), Self::Error> {
            self.series.play(range, sink)
        }

        fn is_possible(&self, block: &Self::Piece) -> bool {
            self.series.is_possible(block, self.blocks)
        }

        fn alike(&self, one: &Self::Piece, other: &Self::Piece) -> bool {
            one.games == other.games
        }

        fn cost(&self) -> Option<motherlode_play::RolloutCost> {
            self.series.cost()
        }

        fn remark(&self, sum: &Self::Sum) -> Option<String> {
            sum.failures.remark()
        }

        fn columns(&self) -> Vec<motherlode_play::Column> {
            $crate::rows::columns(&self.series)
        }

        fn rows(&self, block: &Self::Piece) -> Vec<Vec<motherlode_play::Cell>> {
            $crate::rows::rows(&self.series, block.index, block.all())
        }
    };
}
pub(crate) use block_experiment;
