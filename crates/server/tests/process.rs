//! The process: its end, its exit code, and its lock of the database.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How often a condition is tested, at intervals of 100 ms.
const TRIES_MAX: u32 = 600;

/// A temporary folder with a database.
struct Home(PathBuf);

impl Home {
    fn new() -> Home {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("cabinet_process_{}_{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).unwrap();
        Home(folder)
    }

    fn database(&self) -> PathBuf {
        self.0.join("cabinet.db")
    }

    fn cabinet(&self, arguments: &[&str]) -> Command {
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

    fn run(&self, arguments: &[&str]) -> Output {
        self.cabinet(arguments).output().unwrap()
    }

    /// Starts a server on free ports. Its log goes to a file.
    fn serve(&self) -> Server {
        let listen = free_address();
        let said = self.0.join(format!("said-{}", listen.port()));
        let child = self
            .cabinet(&["serve", "--sandbox"])
            .env("CABINET_LISTEN", listen.to_string())
            .env("CABINET_SANDBOX_LISTEN", free_address().to_string())
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

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

struct Server {
    child: Child,
    listen: SocketAddr,
    said: PathBuf,
}

impl Server {
    fn is_ready(&self) -> bool {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(self.listen)?;
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().is_ok_and(|answer| answer.starts_with("HTTP/1.0 200"))
    }

    #[track_caller]
    fn wait_until_ready(&mut self) {
        for _ in 0..TRIES_MAX {
            if self.is_ready() {
                return;
            }
            assert_eq!(self.child.try_wait().unwrap(), None, "{}", self.said());
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the cabinet does not get ready: {}", self.said());
    }

    /// Waits until the process has ended. Returns its exit code.
    #[track_caller]
    fn wait_for_end(&mut self) -> Option<i32> {
        for _ in 0..TRIES_MAX {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the cabinet goes on: {}", self.said());
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.said).unwrap()
    }

    fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Damages the schema of the database, so that open connections notice it.
fn break_schema(database: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
        .execute_batch(
            "begin immediate;
             pragma writable_schema = on;
             update sqlite_schema set rootpage = 100000000 where name = 'orders';
             pragma schema_version = 1000000;
             commit;",
        )
        .unwrap();
}

#[test]
fn a_database_that_can_not_be_written_any_more_ends_the_process() {
    let home = Home::new();
    let mut server = home.serve();
    server.wait_until_ready();
    break_schema(&home.database());
    assert_eq!(server.wait_for_end(), Some(1), "{}", server.said());
    let said = server.said();
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("cabinet: the database takes no more writes:"),
        "{said}"
    );
}

#[test]
fn a_sqlite_database_is_served_by_one_process_and_open_to_every_command() {
    let home = Home::new();
    let mut first = home.serve();
    first.wait_until_ready();
    let mut second = home.serve();
    assert_eq!(second.wait_for_end(), Some(1), "{}", second.said());
    let said = second.said();
    assert!(said.contains("another cabinet works on "), "{said}");
    assert!(first.is_ready());

    let copy = home.0.join("copy.db");
    let commands: [&[&str]; 4] = [
        &["doctor"],
        &["backup", copy.to_str().unwrap()],
        &["notary", "list"],
        &["outbox", "retry"],
    ];
    for command in commands {
        let output = home.run(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command:?}: {said}");
    }

    // The lock ends with its process, also after a kill.
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let mut next = home.serve();
    next.wait_until_ready();
    next.terminate();
    assert_eq!(next.wait_for_end(), Some(0), "{}", next.said());
}
