//! A progress bar for whoever waits at a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of this template, which is not drawn where a program or a file reads.
pub fn of(template: &str, json: bool) -> ProgressBar {
    let bar = ProgressBar::new(0);
    if json || !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
