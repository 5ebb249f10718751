//! Where processes are: a hosts file, Slurm's environment, or this machine.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::handshake::Secret;
use crate::engine::parts::MOST_PROCESSES;
use crate::error::{Error, IoAction, Result, usage};
use crate::store::disk;

/// No hosts file and no secret is longer.
const LONGEST: u64 = 1 << 20;
/// A secret must not be easy to guess.
const SHORTEST_SECRET: usize = 16;

/// Which process this is, and where it finds the others.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Which process, ...
    pub process: usize,
    /// ... of how many.
    pub count: usize,
    /// Where process 0 listens.
    pub first: String,
    /// Where this process listens; `None`: at any free port of the address from which it reaches process 0.
    pub listen: Option<String>,
}

impl Seat {
    /// Process `process` of those in a hosts file: a line `host:port` for each, in their order.
    pub fn in_file(path: &Path, process: Option<usize>) -> Result<Self> {
        let text = disk::read(path, LONGEST).map_err(|e| Error::io(IoAction::Read, path, e))?;
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let hosts: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let is_address = |host: &&str| {
            host.rsplit_once(':')
                .is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok_and(|p| p > 0))
        };
        if let Some(wrong) = hosts.iter().find(|host| !is_address(host)) {
            return usage(format!(
                "{}: `{}` is not an address; each line is `host:port`, for example `10.0.0.1:7000`",
                path.display(),
                wrong.escape_debug()
            ));
        }
        check_count(hosts.len(), &path.display().to_string())?;
        match process {
            Some(process) if process < hosts.len() => Ok(Seat {
                process,
                count: hosts.len(),
                first: hosts[0].to_owned(),
                listen: Some(hosts[process].to_owned()),
            }),
            _ => usage(format!(
                "`--process` must say which line of {} this process is: 0 to {}",
                path.display(),
                hosts.len() - 1
            )),
        }
    }

    /// The process that Slurm started, in a step of `srun`.
    pub fn in_slurm() -> Result<Self> {
        let variable = |name: &str| std::env::var(name).ok();
        let number = |name: &str| variable(name).and_then(|value| value.parse::<usize>().ok());
        let nodes = variable("SLURM_STEP_NODELIST").or_else(|| variable("SLURM_NODELIST"));
        let (Some(process), Some(count), Some(nodes)) = (
            number("SLURM_PROCID"),
            number("SLURM_STEP_NUM_TASKS").or_else(|| number("SLURM_NTASKS")),
            nodes,
        ) else {
            return usage(
                "`--cluster slurm` is for processes that `srun` starts: SLURM_PROCID, SLURM_NTASKS and \
                 SLURM_STEP_NODELIST are not all set"
                    .to_owned(),
            );
        };
        check_count(count, "Slurm's step")?;
        let Some(host) = first_node(&nodes) else {
            return usage(format!("Slurm's list of nodes `{}` cannot be read", nodes.escape_debug()));
        };
        // Another port for every step, below those that the system gives away.
        let job = number("SLURM_JOB_ID").unwrap_or(0) * 31 + number("SLURM_STEP_ID").unwrap_or(0);
        let first = format!("{host}:{}", 20_000 + job % 10_000);
        let listen = (process == 0).then(|| first.clone());
        Ok(Seat { process, count, first, listen })
    }
}

/// Refuses a number of processes that cannot be.
pub fn check_count(count: usize, what: &str) -> Result<()> {
    match count {
        1..=MOST_PROCESSES => Ok(()),
        _ => usage(format!("{what} has {count} processes: 1 to {MOST_PROCESSES} are possible")),
    }
}

/// The addresses that a name with a port has.
pub fn resolve(address: &str) -> Result<Vec<SocketAddr>> {
    let found = address.to_socket_addrs().map_err(|e| Error::io(IoAction::Resolve, Path::new(address), e))?;
    Ok(found.collect())
}

/// The address from which a connection was made, with another port.
pub fn local_address(stream: &TcpStream, port: u16) -> std::io::Result<SocketAddr> {
    Ok(SocketAddr::new(stream.local_addr()?.ip(), port))
}

/// The first of a list of nodes such as `gpu,node[003-010,12]-ib`.
fn first_node(nodes: &str) -> Option<String> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    };
    let first = nodes.split(is_end).next().filter(|first| !first.is_empty())?;
    match first.split_once('[') {
        None => Some(first.to_owned()),
        Some((before, rest)) => {
            let (numbers, after) = rest.split_once(']')?;
            let number = numbers.split([',', '-']).next().filter(|number| !number.is_empty())?;
            Some(format!("{before}{number}{after}"))
        }
    }
}

/// The secret in a file that no other user may read.
pub fn read_secret(path: &Path) -> Result<Secret> {
    let mode = std::fs::metadata(path).map_err(|e| Error::io(IoAction::Open, path, e))?.mode();
    if mode & 0o077 != 0 {
        return usage(format!(
            "other users can read the secret in {}: `chmod 600` it, and better make another one",
            path.display()
        ));
    }
    let bytes =
        disk::read(path, LONGEST).map_err(|e| Error::io(IoAction::Read, path, e))?.unwrap_or_default();
    let secret = bytes.trim_ascii();
    if secret.len() < SHORTEST_SECRET {
        return usage(format!(
            "the secret in {} is shorter than {SHORTEST_SECRET} bytes; `head -c 32 /dev/urandom | base64` makes one",
            path.display()
        ));
    }
    Ok(Secret(secret.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_slurm_are_read() {
        for (nodes, first) in [
            ("localhost", Some("localhost")),
            ("a,b", Some("a")),
            ("node[003-010,12]", Some("node003")),
            ("node[7]-ib,other", Some("node7-ib")),
            ("", None),
            ("node[", None),
        ] {
            assert_eq!(first_node(nodes).as_deref(), first, "{nodes}");
        }
    }
}
