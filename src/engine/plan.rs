//! Which container and which way: decided before every pass by what each is expected to cost, from the numbers of the
//! levels so far and from what was measured in them.

use super::checkpoint::PassState;
use super::container::ContainerKind;
use super::context::JobContext;
use super::forecast::{self, Forecast, SPARSE};
use super::manifest::LevelRecord;
use super::rows::{self, RowTable};
use super::way::{self, Way};
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::space::{Direction, Index, Rows};

/// How a pass finds its classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub kind: ContainerKind,
    /// How many passes the level takes.
    pub passes: u64,
    pub way: Way,
}

impl Plan {
    /// Whether a pass that was begun can go on as planned, with what was found before.
    pub fn continues(&self, pass: &PassState) -> bool {
        match (self.kind, self.way) {
            (ContainerKind::Rows, _) => pass.rows.is_some(),
            (_, Way::Pull) => false,
            (_, Way::Push) => pass.rows.is_none(),
        }
    }
}

impl<'a, I: Index> JobContext<'a, I> {
    /// The plan for the level after `levels`: as the options force it, or the cheapest. What was expanded before a
    /// stop is not found once more in another way.
    pub fn plan(
        &self,
        levels: &[LevelRecord],
        forecast: &Forecast,
        resumed: Option<&PassState>,
        table: Option<&RowTable<'_>>,
    ) -> Result<Plan> {
        let forced = self.options.container;
        let pace = self.pace();
        if self.joint.is_some() {
            return self.joint_plan(forecast, forced, resumed);
        }
        let (kind, passes) = self.profile.container(forecast.candidates, self.budget, forced, pace)?;
        let by_rows = self.possible_rows().map(|rows| self.by_rows(rows, levels, table));
        let rows_plan = |way| Plan { kind: ContainerKind::Rows, passes: 1, way };
        if let Some((way, _)) = by_rows
            && (kind == ContainerKind::Rows
                || (forced.is_none() && resumed.is_some_and(|pass| pass.rows.is_some())))
        {
            return Ok(rows_plan(way));
        }
        let is_reversible = self.space.direction() == Direction::Reversible;
        if let Some(Way::Pull) = self.options.way {
            return Ok(Plan { kind: ContainerKind::Dense, passes: 1, way: Way::Pull });
        }
        let mut plan = Plan { kind, passes, way: Way::Push };
        let Some(pace) = pace else { return Ok(plan) };
        if resumed.is_some_and(|pass| pass.expanded > 0) {
            return Ok(plan);
        }
        let mut cost = forecast.candidates as f64 * (pace + SPARSE);
        if kind == ContainerKind::Dense && passes == 1 && is_reversible {
            let cheaper = way::cheaper(self.space, &self.profile, levels, forecast, pace, &self.pull_pace);
            cost = cheaper.1;
            plan.way = self.options.way.unwrap_or(cheaper.0);
        }
        match by_rows {
            Some((way, by_rows)) if forced.is_none() && by_rows < cost => Ok(rows_plan(way)),
            _ => Ok(plan),
        }
    }

    /// The plan of one of several processes: candidates are exchanged, in one pass.
    fn joint_plan(
        &self,
        forecast: &Forecast,
        forced: Option<ContainerKind>,
        resumed: Option<&PassState>,
    ) -> Result<Plan> {
        let bitmap = self.profile.universe.div_ceil(8);
        let fits = bitmap <= u128::from(self.budget.shared_bitmap_bytes());
        if forced == Some(ContainerKind::Dense) && !fits && resumed.is_none() {
            return Err(Error::from(LimitKind::Memory {
                what: "a bitmap of one process's share of the universe".into(),
                needed: u64::try_from(bitmap).unwrap_or(u64::MAX).saturating_mul(2),
                allowed: self.budget.memory(),
                or: Alternative::None,
            }));
        }
        let is_dense = fits && forced.unwrap_or(self.cheaper_in_one_pass(forecast)) == ContainerKind::Dense;
        let kind = if is_dense { ContainerKind::Dense } else { ContainerKind::Sparse };
        Ok(Plan { kind, passes: 1, way: Way::Push })
    }

    fn cheaper_in_one_pass(&self, forecast: &Forecast) -> ContainerKind {
        match forecast.candidates >= self.profile.universe / forecast::DENSE_FROM {
            true => ContainerKind::Dense,
            false => ContainerKind::Sparse,
        }
    }

    /// The space's rows, if levels can be found by them in the memory that is allowed.
    fn possible_rows(&self) -> Option<&'a dyn Rows> {
        let rows = self.space.rows().filter(|_| self.space.direction() == Direction::Reversible)?;
        let needed = rows::memory(rows, self.profile.universe, self.budget.threads());
        (needed <= self.budget.memory()).then_some(rows)
    }

    /// The way in which rows are cheaper, and the nanoseconds it takes.
    fn by_rows(&self, rows: &dyn Rows, levels: &[LevelRecord], table: Option<&RowTable<'_>>) -> (Way, f64) {
        let universe = self.profile.universe as f64;
        let known: u128 = levels.iter().map(|level| level.classes).sum();
        let last = levels.last().map_or(0, |level| level.classes);
        // Numbers of a class, on the average.
        let each = self.profile.total_classes.map_or(1.0, |total| universe / total.max(1) as f64);
        let (known, last) = (known as f64, last as f64 * each);
        let (unknown, load) = match table {
            Some(table) => (table.unknown() as f64, 0.0),
            None => (universe - known * each, rows::load_cost(known, each)),
        };
        let sizes = (universe, last, unknown);
        let (way, cost) = rows::cheaper(rows, sizes, self.profile.fanout, table, self.options.way);
        (way, load + cost)
    }
}
