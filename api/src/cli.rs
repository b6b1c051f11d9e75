//! The command line and its help.

mod new;

use std::net::SocketAddr;
use std::path::PathBuf;

use api::auth::Role;
use api::wire::LONGEST_TEXT;
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::{KeyId, Language, TournamentId};

pub use new::New;

/// The registration desk of a chess tournament as a service.
#[derive(Parser)]
#[command(
    name = "enroc",
    version,
    about = "The registration desk of a chess tournament as a service: it prices an entry from the tournament's own\nregulations, holds the seat, takes the money, gives it back when the regulations say so, and tells who plays.",
    after_help = "To see it at work, with a card sandbox and three real tournaments:\n  enroc rehearse\n\nSettings come from a TOML file (--config) and from ENROC_… variables; docs/operations.md lists them.\nExit codes: 0 done, 1 what was looked at is wrong, 2 the command could not do its work."
)]
pub struct Cli {
    /// The TOML file of settings.
    #[arg(long, global = true, env = "ENROC_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serves the desk: REST and gRPC, mail, payments, pairing services.
    #[command(
        after_help = "The least that it needs, for a look on one's own machine without cards:\n  ENROC_MAIL_FOLDER=mails ENROC_MAIL_FROM='Desk <desk@example.org>' ENROC_CARDS=off enroc serve\n\nAll settings at once in a file:\n  enroc serve --config enroc.toml\n\nSIGTERM and Ctrl-C stop it: /readyz says so while the doors stay open for notice_seconds,\nthen nothing new is taken, and what is under way ends within drain_seconds."
    )]
    Serve,
    /// Brings the database up to date.
    #[command(
        after_help = "SQLite is brought up to date at every start; PostgreSQL only by this command, which may run on any node:\n  ENROC_DATABASE_URL=postgres://enroc@db/enroc enroc migrate"
    )]
    Migrate(Json),
    /// Keys of machines and of the back office.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Tournaments.
    #[command(subcommand)]
    Tournament(TournamentCommand),
    /// Answers cases from a file by the regulations alone: no database, no server.
    #[command(
        after_help = "Each line is a JSON object with id, kind and tournament, and what its kind asks about:\n  {\"id\":\"1\",\"kind\":\"fee\",\"tournament\":\"ciutat-barcelona-2026\",\"at\":\"2026-08-01T10:00:00Z\",\"entries\":[{\"section\":\"A\",\n    \"entrant\":{\"sex\":\"m\",\"birth_date\":\"1990-05-01\",\"federation\":\"FRA\",\"rating\":2100,\"licences\":[\"FIDE\"]}}]}\n  {\"id\":\"2\",\"kind\":\"refund\",\"tournament\":\"ciutat-barcelona-2026\",\"paid\":6500,\"currency\":\"EUR\",\"requested_at\":\"2026-08-01T10:00:00Z\"}\n  {\"id\":\"3\",\"kind\":\"byes\",\"tournament\":\"ciutat-barcelona-2026\",\"section\":\"A\",\"requests\":[{\"round\":3,\"points\":\"zero\"}]}\n(a case is one line: the first is broken here to be read)\n\n  enroc quote --batch cases.jsonl > answers.jsonl\n  grep barcelona cases.jsonl | enroc quote --batch -\n\nEvery answer is a JSON line. Exit 1 where a case could not be answered."
    )]
    Quote(Quote),
    /// Regulation files.
    #[command(subcommand)]
    Regulation(RegulationCommand),
    /// Recomputes everything that the database says; exit 1 with what is wrong.
    #[command(
        after_help = "It looks whether the ledger sums to zero, the journals have no gaps, no more seats are taken than there are,\nand every stored quote still comes to its lines:\n  enroc audit\n  enroc audit --json"
    )]
    Audit(Json),
    /// Compares the books with what the gateway holds; exit 1 with what belongs to no order.
    #[command(
        after_help = "It walks through the gateway's payments, refunds and disputes, writes down what no webhook told of, as a webhook would,\nand prints what is not ours. `enroc serve` does the same every hour; both at once are harmless:\n  enroc reconcile\n  enroc reconcile --days 30 --json"
    )]
    Reconcile(Reconcile),
    /// Writes the database and the desk's secret into one file, while the desk is served.
    #[command(
        after_help = "  enroc backup /backup/enroc-$(date +%F).tar\n\nThe file is new, and only its owner may read it: it holds names, addresses and the key to every payer's link.\nOn PostgreSQL it tells what to do instead."
    )]
    Backup(Backup),
    /// Puts a backup in place, checks it, and audits it.
    #[command(
        after_help = "Into an empty data folder:\n  enroc restore /backup/enroc-2026-03-01.tar\n\nIn the place of what is there, which is kept under names that end in .replaced; stop the desk first:\n  enroc restore /backup/enroc-2026-03-01.tar --replace\n\nExit 1 where the file is damaged or the audit finds something."
    )]
    Restore(Restore),
    /// Copies the desk from its SQLite file into an empty PostgreSQL database, and audits it there.
    #[command(
        after_help = "Stop the desk, then:\n  export PGPASSWORD=…\n  ENROC_DATABASE_URL=postgres://enroc@db/enroc enroc migrate\n  enroc copy --from sqlite:/var/lib/enroc/enroc.db --to postgres://enroc@db/enroc\n\nAll or nothing: where it fails, the target is as empty as before. The SQLite file stays as it is."
    )]
    Copy(Copy),
    /// Explains every cent of one order from the journal.
    #[command(
        after_help = "By the order's id or by the reference that its payer reads:\n  enroc explain 7K3M-9QXA-42\n  enroc explain ord_0c3m8tqz5k9aw --json"
    )]
    Explain(Explain),
    /// What a pairing program would receive.
    #[command(subcommand)]
    Pairing(PairingCommand),
    /// Plays the whole service through: three real tournaments, a card sandbox, mails in a folder, and a tour of the
    /// main job through the public doors.
    #[command(
        after_help = "Walk the main job, then stay up and try it by hand:\n  enroc rehearse\n\nWalk it and go; exit 1 where a sum or a step was wrong:\n  enroc rehearse --tour"
    )]
    Rehearse(Rehearse),
    /// Prints the OpenAPI description of the REST door.
    #[command(after_help = "  enroc openapi > openapi.json")]
    Openapi,
}

/// Whether a program reads the answer.
#[derive(Args, Clone, Copy)]
pub struct Json {
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum KeyCommand {
    /// Makes a key and prints it once: only its hash is stored.
    #[command(
        after_help = "A key for the back office, and one for a system that asks for quotes and ends by itself:\n  enroc key add --label 'chief arbiter' --role arbiter\n  enroc key add --label 'federation' --role rules --expires-in-days 365\n\nRoles: viewer sees everything; arbiter approves, places, decides byes; treasurer handles money; admin does all of it;\nrules asks for quotes with an instant and checked facts of its own; pairing reads who plays."
    )]
    Add {
        /// What it is for; no name of a person.
        #[arg(long, value_parser = label)]
        label: String,
        /// What it may do; may be given several times.
        #[arg(long = "role", required = true, value_name = "ROLE")]
        roles: Vec<Role>,
        /// When it ends; never, where not given.
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_in_days: Option<u32>,
        #[command(flatten)]
        json: Json,
    },
    /// Lists the keys, without their secrets.
    List(Json),
    /// Revokes a key at once.
    #[command(after_help = "  enroc key list\n  enroc key revoke key_0c3m8tqz5k9aw")]
    Revoke {
        /// Its id, as `key list` shows it.
        id: KeyId,
    },
}

#[derive(Subcommand)]
pub enum TournamentCommand {
    /// Sets the capacity that the text leaves to the organiser, and so opens entry; noted in the journal.
    #[command(
        after_help = "  enroc tournament open ciutat-barcelona-2026 --capacity 400 --reason 'agreed with the venue'"
    )]
    Open {
        /// The `id` of its regulation.
        tournament: TournamentId,
        /// How many entries there may be.
        #[arg(long)]
        capacity: i64,
        /// Why, for the journal; no name of a person.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Lists the tournaments with their seats.
    List(Json),
}

#[derive(Args)]
pub struct Quote {
    /// The file of cases; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub batch: PathBuf,
    /// Prints JSON lines, as it does without.
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum RegulationCommand {
    /// Starts a file from a few questions.
    #[command(
        after_help = "It asks; Enter takes what stands in brackets:\n  enroc regulation new regulations/open-2027.toml\n\nEvery question has a flag of its own, and --yes takes the defaults for the rest:\n  enroc regulation new open-2027.toml --yes --name 'Open 2027' --first 2027-07-03 --last 2027-07-11 \\\n    --section A --section B:1800 --fee A:60 --fee B:45.50 --early 2027-05-31:5 --juniors 16:50% --titled GM,WGM\n\nWithout a terminal the answers are lines of standard input, one a question. What is left to write is marked TODO.\nExit 2 where an answer is missing, a flag is wrong or the file is there already: nothing is written then."
    )]
    New(Box<New>),
    /// Reads regulation files and looks at every class of entrant between their boundaries; exit 1 on errors.
    #[command(
        after_help = "Some files, or all that end in .toml of a folder:\n  enroc regulation check open-2027.toml\n  enroc regulation check regulations\n\nWith --json it prints a line for each file. Warnings do not fail; exit 2 where a file cannot be read. Where a section has\ntoo many classes to look at, it says that nothing is proved, and where it stopped."
    )]
    Check {
        /// The files, or folders of them.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        json: Json,
    },
    /// Prints the fee table as a poster would show it.
    #[command(
        after_help = "  enroc regulation table regulations/ciutat-barcelona-2026.toml --language ca\n  enroc regulation table FILE --format html > fees.html"
    )]
    Table {
        /// The file.
        file: PathBuf,
        /// ca, es or en.
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
        /// How it is written; `html` is a table for a page of one's own.
        #[arg(long, value_enum, default_value = "text", conflicts_with = "json")]
        format: TableFormat,
        #[command(flatten)]
        json: Json,
    },
    /// Prints what a file says in plain English, with everything that it leaves out.
    #[command(
        after_help = "  enroc regulation show regulations/ciutat-barcelona-2026.toml\n\nInstants are those of the venue, to the second. What is not the file's own, but what the language takes where the file\nsays nothing, is marked so:\n  enroc regulation show --resolved FILE"
    )]
    Show {
        /// The file.
        file: PathBuf,
        /// Marks with [default] what the file leaves unsaid.
        #[arg(long)]
        resolved: bool,
    },
    /// Says whose price changes between two files, with somebody it happens to.
    #[command(
        after_help = "  enroc regulation diff before.toml after.toml\n\nExit 0 where nobody's price changes, 1 where somebody's does. Who is let in, when and at which price; not the seats, the time to pay, or what comes back."
    )]
    Diff {
        /// The one that is in force.
        before: PathBuf,
        /// The one that would be.
        after: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Publishes a file as the next version of its tournament's regulation, once it has said whom it touches.
    #[command(
        after_help = "See what it would change, for who enters from now on and for who is in already; nothing is published:\n  enroc regulation publish regulations/open-2027.toml --dry-run\n\nPublish it; at a terminal it shows the same first and asks:\n  enroc regulation publish regulations/open-2027.toml --reason 'the venue closes earlier'\n  enroc regulation publish regulations/open-2027.toml --reason 'the venue closes earlier' --replaces 1 --yes\n\nWho is in keeps the price, and gets the better of the two refund clauses. `enroc serve` may run meanwhile, on any\nnumber of nodes: each order from then on is priced under the new version. To begin from what is published:\n  enroc regulation versions open-2027 --text 1 > open-2027.toml\n\nExit 1 where the text has errors, where the orders that stand do not allow it, or where somebody said no."
    )]
    Publish(Publish),
    /// Lists the published versions of a tournament: number, hash, when, who and why.
    #[command(
        after_help = "  enroc regulation versions ciutat-barcelona-2026\n  enroc regulation versions ciutat-barcelona-2026 --text 1 > version-1.toml"
    )]
    Versions {
        /// The `id` of its regulation.
        tournament: TournamentId,
        /// Prints the text of this version instead.
        #[arg(long, value_name = "N", conflicts_with = "json")]
        text: Option<i32>,
        #[command(flatten)]
        json: Json,
    },
}

/// What is to be published, and why.
#[derive(Args)]
pub struct Publish {
    /// The file.
    pub file: PathBuf,
    /// Why, for the journal; no name of a person.
    #[arg(long, required_unless_present = "dry_run", value_parser = reason)]
    pub reason: Option<String>,
    /// The version that it takes the place of: where another was published meanwhile, nothing is.
    #[arg(long, value_name = "N")]
    pub replaces: Option<i32>,
    /// Only says what it would change.
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Publishes without asking.
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub json: Json,
}

/// How a fee table is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Aligned columns.
    Text,
    /// A table of Markdown.
    Markdown,
    /// A table of HTML.
    Html,
}

/// How far back to look.
#[derive(Args)]
pub struct Reconcile {
    /// Objects that were made in the last so many days.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(i64).range(1..=400))]
    pub days: i64,
    #[command(flatten)]
    pub json: Json,
}

#[derive(Args)]
pub struct Backup {
    /// The file to be written; there must be none yet.
    pub file: PathBuf,
    #[command(flatten)]
    pub json: Json,
}

#[derive(Args)]
pub struct Restore {
    /// The file that `enroc backup` wrote.
    pub file: PathBuf,
    /// Takes the place of what is there.
    #[arg(long)]
    pub replace: bool,
    #[command(flatten)]
    pub json: Json,
}

#[derive(Args)]
pub struct Copy {
    /// The SQLite file, as `sqlite:PATH`.
    #[arg(long, value_name = "URL")]
    pub from: String,
    /// The PostgreSQL database, migrated and empty.
    #[arg(long, value_name = "URL")]
    pub to: String,
    #[command(flatten)]
    pub json: Json,
}

#[derive(Args)]
pub struct Explain {
    /// The order's id or reference.
    pub order: String,
    #[command(flatten)]
    pub json: Json,
}

#[derive(Subcommand)]
pub enum PairingCommand {
    /// Serves a small receiver of `enroc.pairing.v1.PairingInboxService` and shows each message.
    #[command(
        after_help = "In one terminal:\n  enroc pairing listen 127.0.0.1:9000\nin another:\n  ENROC_PAIRING_TARGETS=ciutat-barcelona-2026=http://127.0.0.1:9000 enroc serve …"
    )]
    Listen {
        /// Where it listens; port 0 takes a free one.
        address: SocketAddr,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Args)]
pub struct Rehearse {
    /// Ends after the tour; exit 1 where a step was wrong.
    #[arg(long)]
    pub tour: bool,
    /// Keeps the data in this folder; where a rehearsal was before, it goes on from there without the tour.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Port of the REST door; a free one where not given.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Port of the gRPC door; a free one where not given.
    #[arg(long, default_value_t = 0)]
    pub grpc_port: u16,
    #[command(flatten)]
    pub json: Json,
}

/// A label that can be seen in a list.
fn label(text: &str) -> Result<String, String> {
    if domain::is_blank(text) {
        return Err("say what the key is for".to_owned());
    }
    one_line(text)
}

/// A reason that can be read in the journal.
fn reason(text: &str) -> Result<String, String> {
    if domain::is_blank(text) {
        return Err("say why".to_owned());
    }
    one_line(text)
}

fn one_line(text: &str) -> Result<String, String> {
    if !domain::is_one_line(text) {
        return Err("one line without control characters".to_owned());
    }
    if text.chars().count() > LONGEST_TEXT {
        return Err(format!("at most {LONGEST_TEXT} characters"));
    }
    Ok(text.to_owned())
}

fn language(code: &str) -> Result<Language, &'static str> {
    code.parse().map_err(|()| "ca, es or en")
}
