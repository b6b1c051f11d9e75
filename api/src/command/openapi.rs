//! `enroc openapi`.

use api::failure::Failure;

pub fn run() -> Result<(), Failure> {
    Err(Failure::broken("not there yet"))
}
