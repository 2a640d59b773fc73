//! TLS to PostgreSQL. The server of the tests listens on a unix socket, which speaks no TLS, so a TLS end with certificates made
//! for the test stands before it, as a connection pooler does in front of a large installation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use postgres::config::{Host, SslMode};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio_rustls::TlsAcceptor;

use crate::engine::address::Address;
use crate::testing::{TestDatabase, run_on_postgres, unique_name};
use crate::{DatabaseUrl, StorageError, Store, StoreOptions};

/// What a client sends first when it wants TLS: a length of eight and the protocol's number for it (PostgreSQL's documentation,
/// "Message Formats", SSLRequest).
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

#[test]
fn a_database_behind_tls_is_reached_by_its_name_and_authority_only() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (ours, strangers) = (authority(), authority());
        let folder = std::env::temp_dir().join(unique_name());
        std::fs::create_dir(&folder).unwrap();
        let (trusted, untrusted) = (folder.join("ours.pem"), folder.join("strangers.pem"));
        std::fs::write(&trusted, ours.pem()).unwrap();
        std::fs::write(&untrusted, strangers.pem()).unwrap();

        let right = tls_end(&database, &ours, "127.0.0.1").await;
        let opened = open(&right, Some(&trusted)).await;
        assert!(opened.is_ok(), "{opened:?}");
        let store = opened.unwrap();
        assert_eq!(store.require_schema().await, Ok(None));
        store.close().await;

        let renamed = tls_end(&database, &ours, "another.example").await;
        for (url, root_certificates, why) in [
            (&right, Some(untrusted.as_path()), "another authority"),
            (&right, None, "no public authority"),
            (&renamed, Some(trusted.as_path()), "another name"),
        ] {
            let opened = open(url, root_certificates).await;
            assert!(
                matches!(&opened, Err(StorageError::Unavailable(text)) if text.contains("certificate")),
                "{why}: {opened:?}"
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
    });
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

async fn open(url: &DatabaseUrl, root_certificates: Option<&Path>) -> Result<Store, StorageError> {
    let options = StoreOptions {
        connections: 1,
        root_certificates: root_certificates.map(PathBuf::from),
        ..StoreOptions::default()
    };
    Store::open(url, options).await
}

/// Starts a TLS end before the database, with a certificate for the name, and answers the address through it. It lives as long as
/// the runtime of the test.
async fn tls_end(
    database: &TestDatabase,
    authority: &CertifiedIssuer<'static, KeyPair>,
    name: &str,
) -> DatabaseUrl {
    let Address::Postgres(config) = &database.url().0 else {
        panic!("not a PostgreSQL server")
    };
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new([name.to_owned()])
        .unwrap()
        .signed_by(&key, authority)
        .unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.der().clone()],
            PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        )
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = config.get_hosts()[0].clone();
    let server_port = config.get_ports().first().copied().unwrap_or(5432);
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(pass_on(
                connection,
                acceptor.clone(),
                server.clone(),
                server_port,
            ));
        }
    });

    let mut through = tokio_postgres::Config::new();
    through
        .host("127.0.0.1")
        .port(port)
        .user(config.get_user().unwrap_or("postgres"))
        .dbname(config.get_dbname().unwrap())
        .ssl_mode(SslMode::Require);
    if let Some(password) = config.get_password() {
        through.password(password);
    }
    DatabaseUrl(Address::Postgres(Box::new(through)))
}

async fn pass_on(
    mut connection: TcpStream,
    acceptor: TlsAcceptor,
    server: Host,
    port: u16,
) -> std::io::Result<()> {
    let mut request = [0; 8];
    connection.read_exact(&mut request).await?;
    assert_eq!(request, TLS_REQUEST, "the first word is not about TLS");
    connection.write_all(b"S").await?;
    let mut opened = acceptor.accept(connection).await?;
    match server {
        Host::Unix(folder) => {
            let socket = folder.join(format!(".s.PGSQL.{port}"));
            copy_bidirectional(&mut opened, &mut UnixStream::connect(socket).await?).await?;
        }
        Host::Tcp(name) => {
            let mut server = TcpStream::connect((name, port)).await?;
            copy_bidirectional(&mut opened, &mut server).await?;
        }
    }
    Ok(())
}
