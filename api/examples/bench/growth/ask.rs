//! What is asked of both.

/// A kind of request.
#[derive(Clone, Copy)]
pub enum Ask {
    Order,
    WaitingOrder,
    FirstPage,
    DeepPage,
    JournalBegin,
    JournalMiddle,
    JournalEnd,
    JournalOverGrpc,
    BackOffice,
    Metrics,
    Register,
    RegisterWaiting,
}

impl Ask {
    /// Each of them; those that write are the last.
    pub const ALL: [Ask; 12] = [
        Ask::Order,
        Ask::WaitingOrder,
        Ask::FirstPage,
        Ask::DeepPage,
        Ask::JournalBegin,
        Ask::JournalMiddle,
        Ask::JournalEnd,
        Ask::JournalOverGrpc,
        Ask::BackOffice,
        Ask::Metrics,
        Ask::Register,
        Ask::RegisterWaiting,
    ];

    /// What it is, for people.
    pub fn words(self) -> &'static str {
        match self {
            Ask::Order => "an order, by its payer",
            Ask::WaitingOrder => "an order that waits, by its payer",
            Ask::FirstPage => "50 orders of the back office, first page",
            Ask::DeepPage => "50 orders of the back office, anywhere",
            Ask::JournalBegin => "100 journal rows, the first",
            Ask::JournalMiddle => "100 journal rows, anywhere",
            Ask::JournalEnd => "100 journal rows, the last",
            Ask::JournalOverGrpc => "100 journal rows, anywhere, gRPC",
            Ask::BackOffice => "what waits for the back office",
            Ask::Metrics => "the metrics",
            Ask::Register => "a registration",
            Ask::RegisterWaiting => "a registration where all seats are taken",
        }
    }
}
