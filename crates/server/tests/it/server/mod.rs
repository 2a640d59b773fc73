//! The program as a process of its own, with its sandbox.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use cabinet_test_kit::WAITING_MAX;

use crate::folder::Folder;

/// A temporary folder with a database.
pub struct Home(Folder);

impl Home {
    pub fn new() -> Home {
        Home(Folder::new())
    }

    pub fn folder(&self) -> &Path {
        &self.0.0
    }

    pub fn database(&self) -> PathBuf {
        self.folder().join("cabinet.db")
    }

    /// Returns a run of a command.
    pub fn cabinet(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cabinet"));
        command
            .args(arguments)
            .env_clear()
            .env(
                "CABINET_DATABASE_URL",
                format!("sqlite:{}", self.database().display()),
            )
            .stdin(Stdio::null());
        command
    }

    /// Runs a command.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, &[])
    }

    /// Runs a command with further settings.
    pub fn run_with(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
        let mut command = self.cabinet(arguments);
        command.envs(settings.iter().copied()).output().unwrap()
    }

    /// Starts a server on free ports. Its log goes to a file.
    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// Starts a server with further settings.
    pub fn serve_with(&self, settings: &[(&str, &str)]) -> Server {
        self.serve_by(&["serve", "--sandbox"], settings)
    }

    /// Starts a server by a command of its own, with further settings.
    pub fn serve_by(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Server {
        let listen = free_address();
        let said = self.folder().join(format!("said-{}", listen.port()));
        let child = self
            .cabinet(arguments)
            .env("CABINET_LISTEN", listen.to_string())
            .env("CABINET_SANDBOX_LISTEN", free_address().to_string())
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&said).unwrap())
            .spawn()
            .unwrap();
        Server {
            child,
            listen,
            said,
        }
    }
}

/// Returns an address of this machine on which nobody listens.
pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// Sends a GET and returns the whole answer.
pub fn ask(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(WAITING_MAX))?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// A running server. It is killed on drop.
pub struct Server {
    child: Child,
    pub listen: SocketAddr,
    said: PathBuf,
}

impl Server {
    pub fn is_ready(&self) -> bool {
        ask(self.listen, "/readyz").is_ok_and(|answer| answer.starts_with("HTTP/1.0 200"))
    }

    #[track_caller]
    pub fn wait_until_ready(&mut self) {
        let until = Instant::now() + WAITING_MAX;
        while Instant::now() < until {
            if self.is_ready() {
                return;
            }
            assert_eq!(self.child.try_wait().unwrap(), None, "{}", self.said());
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the cabinet does not get ready: {}", self.said());
    }

    /// Waits until a condition holds, or else stops the test with these words and the log.
    #[track_caller]
    pub fn wait_until(&self, condition: impl Fn() -> bool, or_else: &str) {
        let until = Instant::now() + WAITING_MAX;
        while !condition() {
            assert!(Instant::now() < until, "{or_else}: {}", self.said());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until the process has ended. Returns its exit code.
    #[track_caller]
    fn wait_for_end(&mut self) -> Option<i32> {
        let until = Instant::now() + WAITING_MAX;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the cabinet goes on: {}", self.said());
    }

    /// Waits until the process has ended by itself, with the exit code of a failure. Returns its log.
    #[track_caller]
    pub fn failed(&mut self) -> String {
        assert_eq!(self.wait_for_end(), Some(1), "{}", self.said());
        self.said()
    }

    /// Tells the process to end.
    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
    }

    /// Tells the process to end, and waits until it has ended well.
    #[track_caller]
    pub fn stop(&mut self) {
        self.terminate();
        assert_eq!(self.wait_for_end(), Some(0), "{}", self.said());
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Returns the log.
    pub fn said(&self) -> String {
        std::fs::read_to_string(&self.said).unwrap()
    }

    /// Returns the first line of the log with these words.
    pub fn line_with(&self, words: &str) -> Option<serde_json::Value> {
        let said = self.said();
        let mut lines = said
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        lines.find(|line| {
            let message = line["message"].as_str();
            message.is_some_and(|text| text.contains(words))
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
