//! Tells the browsers which people have the table open.

use super::message;
use super::table::TableSession;

impl TableSession<'_> {
    /// Sends the people and those of them who are here to every browser, if several people play.
    pub(super) fn tell_presence(&mut self) {
        if self.rules.alone() {
            return;
        }
        let is_here = |seat: &&u8| self.clients.iter().any(|client| client.role.seat == Some(**seat));
        let here: Vec<u8> = self.rules.people.iter().filter(is_here).copied().collect();
        let text = message::presence(&self.rules.people, &here);
        self.out.messages.extend(self.clients.iter().map(|client| (client.mailbox.clone(), text.clone().into())));
    }
}
