//! What `enroc regulation new` may be told beforehand: each flag answers the question of its name.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct New {
    /// The file to be written; there must be none yet. The tournament's id is its name without the end.
    pub file: PathBuf,
    /// Takes the default of every question that no flag answers.
    #[arg(long)]
    pub yes: bool,
    /// What people call the tournament.
    #[arg(long, help_heading = "Answers")]
    pub name: Option<String>,
    /// First day of play.
    #[arg(long, value_name = "DAY", help_heading = "Answers")]
    pub first: Option<String>,
    /// Last day of play.
    #[arg(long, value_name = "DAY", help_heading = "Answers")]
    pub last: Option<String>,
    /// Time zone of the venue.
    #[arg(long, help_heading = "Answers")]
    pub zone: Option<String>,
    /// When round one begins.
    #[arg(long, value_name = "HH:MM", help_heading = "Answers")]
    pub begins: Option<String>,
    /// How many rounds are played.
    #[arg(long, value_name = "N", help_heading = "Answers")]
    pub rounds: Option<String>,
    /// Currency of every sum.
    #[arg(long, value_name = "CODE", help_heading = "Answers")]
    pub currency: Option<String>,
    /// A section, and the rating that its players are under; may be given several times.
    #[arg(long = "section", value_name = "ID[:RATING]", help_heading = "Answers")]
    pub sections: Vec<String>,
    /// What an entry costs, in one section or in all others; may be given several times.
    #[arg(long = "fee", value_name = "[ID:]SUM", help_heading = "Answers")]
    pub fees: Vec<String>,
    /// Last day of entry.
    #[arg(long, value_name = "DAY", help_heading = "Answers")]
    pub closes: Option<String>,
    /// Reduction for early entry: its last day, and how much.
    #[arg(long, value_name = "DAY:SUM", help_heading = "Answers")]
    pub early: Option<String>,
    /// Reduction for juniors: under which age, and how much.
    #[arg(long, value_name = "AGE:SUM or AGE:N%", help_heading = "Answers")]
    pub juniors: Option<String>,
    /// Titles that pay nothing.
    #[arg(long, value_name = "TITLES", help_heading = "Answers")]
    pub titled: Option<String>,
    /// How many may enter, or `organiser`.
    #[arg(long, value_name = "N", help_heading = "Answers")]
    pub seats: Option<String>,
    /// How it is paid: card, transfer.
    #[arg(long, value_name = "METHODS", help_heading = "Answers")]
    pub pay: Option<String>,
    /// Cancelling: until which day money comes back, and how much is kept.
    #[arg(long, value_name = "DAY:N%", help_heading = "Answers")]
    pub cancel: Option<String>,
}
