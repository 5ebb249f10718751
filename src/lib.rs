//! stub
pub mod bfs;
pub mod cli;
pub mod encode;
pub mod error;
pub mod experiment;
pub mod puzzle;
pub mod report;
pub mod symmetry;
