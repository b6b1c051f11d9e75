//! `enroc openapi`.

use api::failure::Failure;
use api::rest;

use super::print_json;

pub fn run() -> Result<(), Failure> {
    print_json(&rest::document())
}
