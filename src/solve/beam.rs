//! Beam search.
