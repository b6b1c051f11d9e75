//! The program as it is run: the real binary, its exit codes, its end and its return after a crash.

mod commands;
mod crash;
mod served;
