//! Runs a program, shows its output line by line as it comes, and lets a reader see every line.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;

/// Runs `command` to its end. Each line of both streams is handed to `show`, without its line break; where
/// `show` answers true the line is printed at once on the stream it came from.
pub fn run(command: &mut Command, show: impl FnMut(&str) -> bool + Send) -> io::Result<ExitStatus> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().expect("stdout is piped");
    let stderr = child.stderr.take().expect("stderr is piped");
    let show = Mutex::new(show);
    // Two pipes need two threads: a child that fills the pipe we do not read would wait for ever.
    std::thread::scope(|scope| {
        let errors = scope.spawn(|| forward(stderr, &mut io::stderr(), &show));
        let result = forward(stdout, &mut io::stdout(), &show);
        result.and(errors.join().expect("the reader of stderr does not panic"))
    })?;
    child.wait()
}

/// Copies `from` to `to` line by line, leaving out the lines that `show` refuses.
fn forward(from: impl Read, to: &mut impl Write, show: &Mutex<impl FnMut(&str) -> bool>) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let text = strip_colours(text.trim_end_matches(['\n', '\r']));
        let shown = (show.lock().expect("no reader panics while it holds the lock"))(&text);
        if shown {
            to.write_all(&line)?;
            to.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// The text without terminal escape sequences (`ESC [ … letter`).
fn strip_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            plain.push(character);
        } else if characters.next() == Some('[') {
            // Parameters are digits and separators; the first character from '@' on ends the sequence.
            for parameter in characters.by_ref() {
                if ('@'..='~').contains(&parameter) {
                    break;
                }
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_stripped() {
        assert_eq!(strip_colours("\u{1b}[32;1m        PASS\u{1b}[0m [ 0.1s]"), "        PASS [ 0.1s]");
        assert_eq!(strip_colours("plain — text"), "plain — text");
        assert_eq!(strip_colours("cut \u{1b}[31"), "cut ");
    }

    #[test]
    fn refused_lines_are_left_out_and_the_last_line_needs_no_break() {
        let mut copied = Vec::new();
        let show = Mutex::new(|line: &str| line != "no");
        forward(&b"yes\nno\r\nlast"[..], &mut copied, &show).unwrap();
        assert_eq!(copied, b"yes\nlast");
    }
}
