//! One question to several seats at once: the seats, and the choices of each.

/// A seat that is asked together with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The seat, from 0.
    pub seat: u8,
    /// Whether its single choice is taken without asking.
    pub forced: bool,
    /// Start of its choices in the shared list.
    from: usize,
    len: usize,
}

/// The seats that are asked together, in the script's order.
#[derive(Debug, Clone, Default)]
pub struct Together {
    members: Vec<Member>,
    choices: Vec<i32>,
}

impl Together {
    /// Copies another question; keeps the buffers.
    pub fn copy(&mut self, from: &Self) {
        self.members.clone_from(&from.members);
        self.choices.clone_from(&from.choices);
    }

    /// Removes all seats.
    pub fn clear(&mut self) {
        self.members.clear();
        self.choices.clear();
    }

    /// Adds a seat with its choices, at least one. Returns false if the seat is already included.
    pub fn add(&mut self, seat: u8, choices: &[i32]) -> bool {
        if self.members.iter().any(|member| member.seat == seat) {
            return false;
        }
        let (from, len) = (self.choices.len(), choices.len());
        self.members.push(Member { seat, forced: false, from, len });
        self.choices.extend_from_slice(choices);
        true
    }

    /// Answers seats without asking: those for which `take` accepts the choices.
    pub fn force(&mut self, mut take: impl FnMut(u8, &[i32]) -> bool) {
        for member in &mut self.members {
            member.forced = take(member.seat, &self.choices[member.from..member.from + member.len]);
        }
    }

    /// All seats, including those answered without asking.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The seats that must answer.
    pub fn asked(&self) -> impl Iterator<Item = u8> {
        self.members.iter().filter(|member| !member.forced).map(|member| member.seat)
    }

    /// The choices of a seat; empty if the seat is not included.
    pub fn choices_of(&self, seat: u8) -> &[i32] {
        let member = self.members.iter().find(|member| member.seat == seat);
        member.map_or(&[], |member| &self.choices[member.from..member.from + member.len])
    }

    /// Writes the chosen values of all seats into `into`. `index` gives the answer of a seat that was asked.
    pub fn list_chosen(&self, index: impl Fn(u8) -> usize, into: &mut Vec<i32>) {
        into.clear();
        into.extend(self.members.iter().map(|member| {
            let at = if member.forced { 0 } else { index(member.seat).min(member.len - 1) };
            self.choices[member.from + at]
        }));
    }
}
