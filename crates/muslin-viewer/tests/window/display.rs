//! A display that nobody sees (Xvfb), real input into it (xdotool), and pictures of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Pixels of the display, and of the window in it.
pub const SIZE: [usize; 2] = [1280, 720];

/// An X server of its own, which ends with this.
pub struct Display {
    server: Child,
    folder: PathBuf,
    /// As `DISPLAY` has it.
    pub name: String,
}

impl Display {
    /// Starts one on a number that is free. Its memory is a file in `folder`.
    pub fn start(folder: PathBuf) -> Self {
        let screen = format!("{}x{}x24", SIZE[0], SIZE[1]);
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset", "-fbdir"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (Debian: apt install xvfb)");
        let mut number = String::new();
        let output = server.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
        assert!(!number.trim().is_empty(), "Xvfb found no free display");
        Self { server, folder, name: format!(":{}", number.trim()) }
    }

    /// Real input: see `man xdotool`.
    pub fn input(&self, words: &[&str]) {
        let status = Command::new("xdotool").args(words).env("DISPLAY", &self.name).status();
        let status = status.expect("xdotool starts (Debian: apt install xdotool)");
        assert!(status.success(), "xdotool {words:?}: {status}");
    }

    /// What is seen, RGBA row by row: the server's memory, which is a file in the format of xwd.
    pub fn picture(&self) -> Vec<u8> {
        let file = fs::read(self.folder.join("Xvfb_screen0")).expect("the server's memory");
        let word = |number: usize| {
            let bytes = file[4 * number..][..4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let (header, [width, height], line, colors) = (word(0), [word(4), word(5)], word(12), word(19));
        assert_eq!([width, height], SIZE);
        let start = header + 12 * colors;
        let rows = (0..height).map(|row| &file[start + row * line..][..4 * width]);
        rows.flat_map(|row| row.chunks(4)).flat_map(|p| [p[2], p[1], p[0], 255]).collect()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Asked to end, not killed: it takes its lock and its socket along.
        let asked = Command::new("kill").arg(self.server.id().to_string()).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.server.kill();
        }
        let _ = self.server.wait();
    }
}
