//! A small server of files for one's own machine: the page needs one, because browsers load no modules from files.
//!
//! It answers `GET` with what is below a folder, one connection after the other, and nobody but this machine.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    folder: PathBuf,
}

impl Server {
    /// Listens on a port of this machine; 0 lets the system choose one.
    pub fn new(folder: &Path, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        Ok(Self { listener, folder: folder.to_path_buf() })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers for ever. A connection that breaks ends nothing but itself.
    pub fn run(&self) {
        for stream in self.listener.incoming().flatten() {
            let _ = self.answer(stream);
        }
    }

    fn answer(&self, stream: TcpStream) -> io::Result<()> {
        // Browsers open connections ahead and ask nothing on them: nobody else may wait for that.
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        stream.set_write_timeout(Some(Duration::from_secs(20)))?;
        let mut lines = BufReader::new(&stream).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        // The rest of the head is read, or closing would be a reset to the browser.
        for line in lines {
            if line?.is_empty() {
                break;
            }
        }
        let content = wanted(&request).and_then(|path| {
            let path = self.folder.join(path);
            Some((std::fs::read(&path).ok()?, kind(&path)))
        });
        let (status, (content, kind)) = match content {
            Some(found) => ("200 OK", found),
            None => ("404 Not Found", (b"There is no such file.\n".to_vec(), "text/plain")),
        };
        let length = content.len();
        let mut stream = &stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
             Connection: close\r\n\r\n"
        )?;
        stream.write_all(&content)?;
        stream.flush()
    }
}

/// The file that a request wants, relative to the folder and never outside it.
fn wanted(request: &str) -> Option<PathBuf> {
    let mut words = request.split_whitespace();
    if words.next() != Some("GET") {
        return None;
    }
    let address = words.next()?;
    let path = address.split(['?', '#']).next()?.trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_path_buf())
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_folder_are_wanted() {
        let path = |request| wanted(request).map(|path| path.display().to_string());
        assert_eq!(path("GET / HTTP/1.1").as_deref(), Some("index.html"));
        assert_eq!(path("GET /a/b.js?scene=x HTTP/1.1").as_deref(), Some("a/b.js"));
        for outside in ["GET /../secret HTTP/1.1", "GET //etc/../../x HTTP/1.1", "POST / HTTP/1.1", ""] {
            assert_eq!(path(outside), None, "{outside}");
        }
    }
}
