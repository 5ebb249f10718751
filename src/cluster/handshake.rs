//! Who may connect, and as what.
//!
//! ```text
//! listener  -> caller   : "GODNUMC1", 32 random bytes
//! caller    -> listener : length (2), greeting as JSON, 32 random bytes, proof (32)
//! listener  -> caller   : proof (32), length (2), why not (nothing: welcome)
//! ```
//! A *proof* is an HMAC-SHA256 with the secret as its key, over who proves it, both random numbers and what is said.
//! So both sides show that they know the secret, and neither sends it. What does not prove that gets no answer, and has
//! cost no more than the memory of one greeting. Only then it is compared what the caller wants.
//!
//! What follows is not encrypted, nor protected against a network in between that changes it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

const MAGIC: &[u8; 8] = b"GODNUMC1";
/// No greeting is longer.
const LONGEST: usize = 2048;
/// A caller that is slower is no process of ours.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Reports and signs of life, to process 0.
    Control,
    /// Candidates.
    Data,
}

/// What a caller says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// Version of the program.
    pub version: String,
    /// What the job is about.
    pub job: String,
    /// How many processes.
    pub count: usize,
    /// Which one it is, ...
    pub process: usize,
    /// ... and which one it wants.
    pub to: usize,
    /// What for.
    pub purpose: Purpose,
    /// Which start of the job, once that is known.
    pub epoch: u64,
    /// Where it listens.
    pub address: String,
}

impl Greeting {
    /// Why the process that says this itself, about itself and another, would not talk to a caller.
    pub fn objection(&self, caller: &Greeting) -> Option<String> {
        let Greeting { version, job, count, process, epoch, .. } = self;
        Some(match () {
            () if caller.version != *version => {
                format!("it runs {version}, and the caller {}", caller.version)
            }
            () if caller.job != *job => format!("it works on {job}, and the caller on {}", caller.job),
            () if caller.count != *count => {
                format!("it is one of {count} processes, and the caller one of {}", caller.count)
            }
            () if caller.process >= *count || caller.process == *process => {
                format!("it does not expect a process {}", caller.process)
            }
            () if caller.to != *process => format!("it is process {process}, not {}", caller.to),
            () if caller.epoch != *epoch => "the caller belongs to another start of the job".into(),
            () => return None,
        })
    }
}

/// A secret that all processes know.
#[derive(Clone)]
pub struct Secret(pub Vec<u8>);

impl Secret {
    fn mac(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        // Any length of key is possible.
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| Hmac::new(&Default::default()));
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac
    }

    fn proof(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.mac(parts).finalize().into_bytes().into()
    }
}

/// 32 bytes that cannot be guessed.
pub fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Why a connection was not made.
#[derive(Debug)]
pub enum Refusal {
    /// The other side is there, and does not want this process: why.
    Unwanted(String),
    /// It does not know the secret, or is something else.
    Foreign(&'static str),
    /// The connection failed.
    Broken(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Broken(error)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Unwanted(why) => f.write_str(why),
            Refusal::Foreign(what) => f.write_str(what),
            Refusal::Broken(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                f.write_str("it did not introduce itself in time")
            }
            Refusal::Broken(error) => write!(f, "{error}"),
        }
    }
}

fn array<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Introduces this process to a listener; fails unless it is welcome.
pub fn call(
    stream: &mut TcpStream,
    secret: &Secret,
    greeting: &Greeting,
    patience: Duration,
) -> Result<(), Refusal> {
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    if array::<8>(stream)? != *MAGIC {
        return Err(Refusal::Foreign("it is not a process of godnum, or of another version"));
    }
    let theirs: [u8; 32] = array(stream)?;
    let ours = random()?;
    let text = serde_json::to_vec(greeting).map_err(io::Error::from)?;
    let mut message = (text.len() as u16).to_le_bytes().to_vec();
    message.extend_from_slice(&text);
    message.extend_from_slice(&ours);
    message.extend_from_slice(&secret.proof(&[b"caller", &theirs, &ours, &text]));
    stream.write_all(&message)?;
    let no_answer = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
            Refusal::Foreign("it closed the connection: it has another secret")
        }
        _ => Refusal::Broken(error),
    };
    let proof: [u8; 32] = array(stream).map_err(no_answer)?;
    let length = u16::from_le_bytes(array(stream)?) as usize;
    let mut why = vec![0; length.min(LONGEST)];
    stream.read_exact(&mut why)?;
    if secret.mac(&[b"listener", &theirs, &ours, &why]).verify_slice(&proof).is_err() {
        return Err(Refusal::Foreign("it does not know the secret"));
    }
    if why.is_empty() { Ok(()) } else { Err(Refusal::Unwanted(String::from_utf8_lossy(&why).into_owned())) }
}

/// Lets a caller introduce itself. `judge` says why one that knows the secret is not welcome.
pub fn answer(
    stream: &mut TcpStream,
    secret: &Secret,
    judge: impl FnOnce(&Greeting) -> Option<String>,
) -> Result<Greeting, Refusal> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let ours = random()?;
    stream.write_all(&[&MAGIC[..], &ours].concat())?;
    let length = u16::from_le_bytes(array(stream)?) as usize;
    if length > LONGEST {
        return Err(Refusal::Foreign("its greeting is too long"));
    }
    let mut text = vec![0; length];
    stream.read_exact(&mut text)?;
    let (theirs, proof): ([u8; 32], [u8; 32]) = (array(stream)?, array(stream)?);
    if secret.mac(&[b"caller", &ours, &theirs, &text]).verify_slice(&proof).is_err() {
        return Err(Refusal::Foreign("it does not know the secret"));
    }
    let greeting: Option<Greeting> = serde_json::from_slice(&text).ok();
    let why = match &greeting {
        None => Some("the caller runs another version".into()),
        Some(greeting) => judge(greeting),
    };
    let why = why.unwrap_or_default();
    let said = &why.as_bytes()[..why.len().min(LONGEST)];
    let mut message = secret.proof(&[b"listener", &ours, &theirs, said]).to_vec();
    message.extend_from_slice(&(said.len() as u16).to_le_bytes());
    message.extend_from_slice(said);
    stream.write_all(&message)?;
    match greeting.filter(|_| why.is_empty()) {
        Some(greeting) => Ok(greeting),
        None => Err(Refusal::Unwanted(why)),
    }
}
