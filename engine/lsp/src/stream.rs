//! Messages over standard streams.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::mpsc::channel;
use std::thread;

use lsp_server::{Connection, Message};

use crate::server::serve;

/// Maximum size of a message in bytes.
const MOST_BYTES: usize = 64 << 20;
/// Maximum length of a header line in bytes.
const LONGEST_LINE: u64 = 1000;

/// Serves one editor over standard input and output until it exits.
///
/// # Errors
/// A message: the editor sends something else, or closes the connection before it exits.
pub fn serve_stdio() -> Result<(), String> {
    let (server, Connection { sender, receiver, .. }) = Connection::memory();
    let (told, ended) = channel();
    thread::spawn(move || {
        let end = forward(&mut io::stdin().lock(), |message| sender.send(message).is_ok());
        // Nobody listens if the server has stopped.
        let _ = told.send(end);
        // The server waits for messages until the sender is gone.
        drop(sender);
    });
    let writer = thread::spawn(move || {
        receiver.into_iter().try_for_each(|message: Message| message.write(&mut io::stdout().lock()))
    });
    let served = serve(&server);
    drop(server);
    let written = writer.join().unwrap_or(Ok(()));
    match ended.try_recv() {
        Ok(Err(error)) => return Err(format!("cannot read the editor's message: {error}")),
        Ok(Ok(())) if served.is_err() => return Err("the editor closed the connection before `exit`".to_owned()),
        _ => {}
    }
    served?;
    written.map_err(|error| format!("cannot write to the editor: {error}"))
}

/// Passes on all messages up to `exit`. `pass` returns whether somebody takes them.
fn forward(input: &mut impl BufRead, pass: impl Fn(Message) -> bool) -> io::Result<()> {
    while let Some(message) = read(input)? {
        let is_last = matches!(&message, Message::Notification(one) if one.method == "exit");
        if !pass(message) || is_last {
            break;
        }
    }
    Ok(())
}

/// Reads a message; `None` at the end of the input. Refuses a size that no editor sends, before it takes any memory.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        is_first = false;
        let line = String::from_utf8_lossy(&line);
        if !line.ends_with('\n') {
            return Err(wrong("a header has no end".to_owned()));
        }
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = Some(value.trim().to_owned())
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let length = length.ok_or_else(|| wrong("the header `Content-Length` is missing".to_owned()))?;
    let size: usize = length
        .parse()
        .ok()
        .filter(|size| *size <= MOST_BYTES)
        .ok_or_else(|| wrong(format!("`Content-Length: {length:.40}` is not a size up to {MOST_BYTES} bytes")))?;
    let mut whole = format!("Content-Length: {size}\r\n\r\n").into_bytes();
    let begin = whole.len();
    whole.resize(begin + size, 0);
    input.read_exact(&mut whole[begin..])?;
    Message::read(&mut Cursor::new(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of messages before the end, and the error there.
    fn messages(input: &str) -> (usize, String) {
        let mut input = input.as_bytes();
        let mut count = 0;
        loop {
            match read(&mut input) {
                Ok(Some(_)) => count += 1,
                Ok(None) => return (count, String::new()),
                Err(error) => return (count, error.to_string()),
            }
        }
    }

    #[test]
    fn wrong_messages_are_errors() {
        let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let message = format!("content-length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len());
        assert_eq!(messages(&message.repeat(2)), (2, String::new()));
        for (input, says) in [
            ("Content-Length: 99999999999999999\r\n\r\n{}", "is not a size up to 67108864 bytes"),
            ("Content-Length: -1\r\n\r\n{}", "is not a size"),
            ("Content-Length: 5\r\n\r\nnot json", "malformed LSP payload"),
            ("Content-Length: 50\r\n\r\n{}", "failed to fill whole buffer"),
            ("Content-Type: x\r\n\r\n{}", "`Content-Length` is missing"),
            ("Content-Length: 2", "a header has no end"),
            (&"x".repeat(5000), "a header has no end"),
        ] {
            let (count, error) = messages(input);
            assert!(count == 0 && error.contains(says), "{input:.40}: {error}");
        }
    }
}
