//! What certificates prove: proofs of upper bounds, witnesses of lower ones.

use super::{BoundProof, EvidenceLibrary};
use crate::study::prove::record::{JobDigest, ProofRecord};
use crate::study::witness::WitnessRecord;
use crate::text::{count, pluralise, shell_quote};

/// The least upper bound of a puzzle that a finished proof gives.
pub(super) fn at_most(puzzle: &str, library: &EvidenceLibrary) -> Option<BoundProof> {
    let proofs = library.proofs.iter().filter(|(_, proof)| proof.puzzle == puzzle);
    let (dir, proof) = proofs.min_by_key(|(_, proof)| proof.at_most)?;
    let stage = |job: &JobDigest| BoundProof {
        puzzle: job.puzzle.clone(),
        bound: job.last(),
        argument: format!(
            "its finished job has {}, whose checksums are in the proof",
            pluralise(job.levels.len(), "level")
        ),
        evidence: None,
        parts: Vec::new(),
    };
    Some(BoundProof {
        puzzle: puzzle.to_owned(),
        bound: proof.at_most,
        argument: argument(proof),
        evidence: Some(format!("the proof in {}, which `verify` checks", shell_quote(dir))),
        parts: vec![stage(&proof.base), stage(&proof.fibre)],
    })
}

fn argument(proof: &ProofRecord) -> String {
    let (base, fibre, first) = (&proof.base.puzzle, &proof.fibre.puzzle, proof.first_level());
    let classes: u128 = proof.summary().iter().map(|level| level.classes).sum();
    let covered = match classes {
        0 => "which is enough for all classes of the first".into(),
        _ => format!(
            "and for each of the {} classes of the first that are {first} or more moves away, words of moves \
             were found that bring every state over it within the bound",
            count(classes)
        ),
    };
    let solved = match proof.solved() {
        0 => String::new(),
        solved => format!("; {} solved one by one", pluralise(solved, "state")),
    };
    format!("first {base}, then {fibre}, {covered}{solved}")
}

/// The greatest lower bound of a puzzle that a witness gives.
pub(super) fn at_least(puzzle: &str, library: &EvidenceLibrary) -> Option<BoundProof> {
    let witnesses = library.witnesses.iter().filter(|(_, witness)| witness.puzzle == puzzle);
    let (dir, witness) = witnesses.max_by_key(|(_, witness)| witness.at_least)?;
    let WitnessRecord { state, visited, .. } = witness;
    Some(BoundProof {
        puzzle: puzzle.to_owned(),
        bound: witness.at_least,
        argument: format!(
            "the state {state} needs that many: no class within {} of it is in levels 0 to {}",
            pluralise(visited.len() - 1, "move"),
            witness.last_level()
        ),
        evidence: Some(format!("the witness in {}, which `verify` checks", shell_quote(dir))),
        parts: Vec::new(),
    })
}
