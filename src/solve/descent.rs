//! Table descent.
