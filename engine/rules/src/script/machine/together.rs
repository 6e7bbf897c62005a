//! One question to several seats at once: who is asked, and what each may choose.

/// A seat that is asked with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The seat, from 0.
    pub seat: u8,
    /// Its single choice is taken without asking.
    pub forced: bool,
    /// Where its choices begin among those of all.
    from: usize,
    len: usize,
}

/// The seats that are asked together, in the order in which the script names them.
#[derive(Debug, Clone, Default)]
pub struct Together {
    members: Vec<Member>,
    choices: Vec<i32>,
}

impl Together {
    /// Becomes the same as another one; the buffers are kept.
    pub fn copy(&mut self, from: &Self) {
        self.members.clone_from(&from.members);
        self.choices.clone_from(&from.choices);
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.members.clear();
        self.choices.clear();
    }

    /// Adds a seat with its choices, at least one; false: it is among the seats already.
    pub fn add(&mut self, seat: u8, choices: &[i32]) -> bool {
        if self.members.iter().any(|member| member.seat == seat) {
            return false;
        }
        let (from, len) = (self.choices.len(), choices.len());
        self.members.push(Member { seat, forced: false, from, len });
        self.choices.extend_from_slice(choices);
        true
    }

    /// Lets `take` answer for the seats: whether it took a seat's choice among these.
    pub fn force(&mut self, mut take: impl FnMut(u8, &[i32]) -> bool) {
        for member in &mut self.members {
            member.forced = take(member.seat, &self.choices[member.from..member.from + member.len]);
        }
    }

    /// Everybody.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The seats that are asked.
    pub fn asked(&self) -> impl Iterator<Item = u8> {
        self.members.iter().filter(|member| !member.forced).map(|member| member.seat)
    }

    /// The choices of a seat; none if it is not among them.
    pub fn choices_of(&self, seat: u8) -> &[i32] {
        let member = self.members.iter().find(|member| member.seat == seat);
        member.map_or(&[], |member| &self.choices[member.from..member.from + member.len])
    }

    /// Lists what all have chosen; `index` is that of a seat that was asked.
    pub fn list_chosen(&self, index: impl Fn(u8) -> usize, into: &mut Vec<i32>) {
        into.clear();
        into.extend(self.members.iter().map(|member| {
            let at = if member.forced { 0 } else { index(member.seat).min(member.len - 1) };
            self.choices[member.from + at]
        }));
    }
}
