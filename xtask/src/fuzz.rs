//! `cargo xtask fuzz`: the rules engine under inputs that libFuzzer makes up, led by what they reach in the code.
//!
//! The flags are those that `cargo-fuzz` hands to rustc, without a sanitizer: there is no unsafe code of ours to watch,
//! and so the pinned toolchain is enough.

mod progress;
mod seeds;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use crate::{Result, process, project};
use progress::Progress;

/// Counts what each branch does, and shows the fuzzer what is compared with what.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// How often to say how far it is.
const TELL: Duration = Duration::from_secs(10);

/// What is put under the fuzzer.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Any text: read or refused with reasons; what is read is checked, shown, drawn and compared
    Parser,
    /// Any request to any regulation: quote, refund, byes and what remains add up
    Evaluator,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Parser => "parser",
            Self::Evaluator => "evaluator",
        }
    }

    /// Bytes of the longest input.
    fn longest(self) -> u32 {
        match self {
            Self::Parser => 16_384,
            Self::Evaluator => 2_048,
        }
    }

    /// Folders of the project that have inputs to start from.
    fn starts_from(self) -> &'static [&'static str] {
        match self {
            Self::Parser => &[
                "regulations",
                "rules/tests/fixtures/regulations",
                "fuzz/findings/parser",
            ],
            Self::Evaluator => &["fuzz/findings/evaluator"],
        }
    }
}

/// What to fuzz and for how long.
#[derive(Args)]
pub struct Arguments {
    /// Only these targets
    #[arg(value_enum, value_name = "TARGET")]
    targets: Vec<Target>,
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// What one input may take before it counts as found
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    each: u32,
    /// What the target may hold in memory before it counts as found
    #[arg(long, default_value_t = 2_048, value_name = "MIB")]
    memory: u32,
    /// Run one target over this file alone, and say what it says
    #[arg(long, value_name = "FILE", requires = "targets")]
    input: Option<PathBuf>,
}

/// Builds the targets and runs them one after the other; both, also where the first finds something.
pub fn run(arguments: &Arguments) -> Result {
    let folder = project::metadata()?.target_directory.join("fuzz");
    let programs = build(&folder)?;
    let targets = match arguments.targets.as_slice() {
        [] => Target::value_variants(),
        some => some,
    };
    if let Some(input) = &arguments.input {
        let target = targets.first().ok_or("no target given")?;
        return process::run(limited(&programs, *target, arguments).arg(fs::canonicalize(input)?));
    }
    let mut found = Vec::new();
    for target in targets {
        let fuzzed = fuzz(&programs, &folder, *target, arguments)?;
        println!("{}: {}", target.name(), fuzzed.summary());
        found.extend(fuzzed.input().map(|input| told(*target, input)));
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(found.join("\n").into())
    }
}

fn told(target: Target, input: &str) -> String {
    let name = target.name();
    format!(
        "{name} found something: {input}
  see it again:   cargo xtask fuzz {name} --input {input}
  once mended:    copy the file to fuzz/findings/{name}, where the tests run it for ever"
    )
}

/// Builds them with every check and the fuzzer's eyes, in a folder of their own; where they are.
fn build(folder: &Path) -> Result<PathBuf> {
    let rustc = process::read(Command::new("rustc").arg("-vV"))?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say what it compiles for")?;
    // With a target named, what runs while building is built without the flags.
    let build = [
        "build",
        "--profile",
        "fuzz",
        "--locked",
        "-p",
        "fuzz",
        "--features",
        "libfuzzer",
        "--target",
        host,
    ];
    process::run(
        project::cargo(&build)
            .env("RUSTFLAGS", COVERAGE)
            .env("CARGO_TARGET_DIR", folder),
    )
    .map_err(|fault| {
        format!("{fault}; libFuzzer is C++ and needs its compiler (apt-get install g++)")
    })?;
    Ok(folder.join(host).join("fuzz"))
}

/// The target with its limits.
fn limited(programs: &Path, target: Target, arguments: &Arguments) -> Command {
    let mut command = Command::new(programs.join(format!("fuzz-{}", target.name())));
    command
        .current_dir(project::root())
        .arg(format!("-timeout={}", arguments.each))
        .arg(format!("-rss_limit_mb={}", arguments.memory));
    command
}

fn fuzz(programs: &Path, folder: &Path, target: Target, arguments: &Arguments) -> Result<Progress> {
    let name = target.name();
    let corpus = folder.join("corpus").join(name);
    let found = folder.join("found").join(name);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&found)?;
    let mut command = limited(programs, target, arguments);
    command
        .arg(format!("-max_total_time={}", arguments.seconds))
        .arg(format!("-max_len={}", target.longest()))
        .arg("-len_control=0")
        .arg(format!("-artifact_prefix={}/", found.display()));
    if target == Target::Parser {
        let words = folder.join("words.txt");
        fs::write(&words, seeds::dictionary()?)?;
        fs::write(corpus.join("language-page.toml"), seeds::page()?)?;
        command.arg(format!("-dict={}", words.display()));
    }
    command.arg(&corpus);
    let starts = target.starts_from().iter();
    command.args(starts.filter(|folder| project::root().join(folder).is_dir()));
    watched(&mut command, name)
}

/// Runs the fuzzer, tells now and then how far it is, and shows its own words once it has found something.
fn watched(command: &mut Command, name: &str) -> Result<Progress> {
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let start = Instant::now();
    let mut progress = Progress::default();
    let mut told = start;
    if let Some(words) = child.stderr.take() {
        for line in BufReader::new(words).split(b'\n') {
            let line = line?;
            progress.read(&String::from_utf8_lossy(&line), start.elapsed());
            if told.elapsed() >= TELL {
                told = Instant::now();
                println!("{name}: {}", progress.summary());
            }
        }
    }
    let status = child.wait()?;
    if !status.success() {
        println!("{}", progress.words());
        if progress.input().is_none() {
            return Err(format!("{name}: {status}, and no input that it comes from").into());
        }
    }
    Ok(progress)
}
