//! Tests of the fuzz targets. One program, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod corpus;
mod hostile_workbooks;
mod workbooks;
