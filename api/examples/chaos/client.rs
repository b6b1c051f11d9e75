//! A client: asks for something at random, again and again. It never lets go of what it asked before it knows what came of
//! it. What it asks for stands in `deeds.rs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::Over;
use crate::command::{Act, Answer, Asked, CHANGED, Deed, Done, Ticket};
use crate::commons::Commons;
use crate::doors::Doors;
use crate::shop::Shop;

/// How long a client asks for what it cannot find out.
const LIMIT: Duration = Duration::from_secs(240);

/// What a client did, for the checks.
#[derive(Default)]
pub struct Diary {
    /// What was accepted, with its first answer.
    pub accepted: Vec<(Asked, Done)>,
    /// Requests sent.
    pub sent: u64,
    /// Answers to a key that had one already.
    pub replays: u64,
    /// What was wrong at once.
    pub wrong: Vec<String>,
}

/// What all clients have in common.
#[derive(Clone)]
pub struct Street {
    /// The desk's doors.
    pub doors: Arc<Doors>,
    /// The gateway.
    pub shop: Shop,
    /// What they know of each other.
    pub commons: Arc<Commons>,
}

/// One of them.
pub struct Client {
    name: u32,
    pub(super) random: StdRng,
    pub(super) street: Street,
    asked: u32,
    pub(super) people: u32,
    pub(super) tickets: Vec<Ticket>,
    pub(super) pages: Vec<String>,
    pub(super) diary: Diary,
}

impl Client {
    /// A client of this name; what it does follows from the seed and from what it is answered.
    pub fn new(seed: u64, name: u32, street: Street) -> Client {
        Client {
            name,
            random: StdRng::seed_from_u64(seed ^ (u64::from(name) << 32)),
            street,
            asked: 0,
            people: 0,
            tickets: Vec::new(),
            pages: Vec::new(),
            diary: Diary::default(),
        }
    }

    /// Goes on until the storm is over.
    pub async fn run(mut self, over: Over) -> Diary {
        while !over.is() {
            match self.random.random_range(0..10) {
                0..8 => self.deed().await,
                _ => self.replay().await,
            }
            let pause = self.random.random_range(0..60);
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        self.diary
    }

    /// A number that nobody else has.
    pub(super) fn own_number(&mut self) -> u32 {
        self.people += 1;
        1_000_000 + self.name * 100_000 + self.people
    }

    /// Asks again for something that was accepted before.
    async fn replay(&mut self) {
        if self.diary.accepted.is_empty() {
            return;
        }
        let place = self.random.random_range(0..self.diary.accepted.len());
        let (asked, first) = self.diary.accepted[place].clone();
        let answer = self.insist(&asked).await;
        self.compare(&asked, &first, answer);
    }

    /// An order of one's own, one of the last as a rule; now and then somebody else's.
    pub(super) fn ticket(&mut self) -> Option<Ticket> {
        if self.random.random_range(0..4) == 0 {
            return self.street.commons.ticket(&mut self.random);
        }
        let recent = self.tickets.len().saturating_sub(8);
        let from = if self.random.random_range(0..3) == 0 {
            0
        } else {
            recent
        };
        (from < self.tickets.len()).then(|| {
            let place = self.random.random_range(from..self.tickets.len());
            self.tickets[place].clone()
        })
    }

    /// Asks under a new key until there is an answer; now and then at two doors at once.
    pub(super) async fn do_it(&mut self, act: Act) -> Option<Answer> {
        self.asked += 1;
        let asked = Asked {
            key: format!("chaos-{}-{}", self.name, self.asked),
            act,
        };
        let twin = self.random.random_range(0..6) == 0;
        let answer = if twin {
            self.at_two_doors(&asked).await
        } else {
            self.insist(&asked).await
        };
        if let Some(Answer::Done(done, _)) = &answer {
            self.diary.accepted.push((asked, done.clone()));
        }
        answer
    }

    async fn at_two_doors(&mut self, asked: &Asked) -> Option<Answer> {
        let doors = Arc::clone(&self.street.doors);
        let (one, other) = (doors.any(&mut self.random), doors.any(&mut self.random));
        self.diary.sent += 2;
        match tokio::join!(doors.ask(one, asked), doors.ask(other, asked)) {
            (Answer::Done(first, page), second) => {
                self.compare(asked, &first, Some(second));
                Some(Answer::Done(first, page))
            }
            (_, Answer::Done(second, page)) => Some(Answer::Done(second, page)),
            (one @ Answer::Refused(_), _) => Some(one),
            (Answer::Broken(_) | Answer::Again(_), _) => self.insist(asked).await,
        }
    }

    /// Asks at one door after the other until it is done or refused.
    async fn insist(&mut self, asked: &Asked) -> Option<Answer> {
        let begun = Instant::now();
        let mut last = String::new();
        while begun.elapsed() < LIMIT {
            let door = self.street.doors.any(&mut self.random);
            self.diary.sent += 1;
            match self.street.doors.ask(door, asked).await {
                // A section that is full stays full.
                Answer::Again(why) if why == CHANGED && is_move(asked) => {
                    return Some(Answer::Refused(why));
                }
                Answer::Again(why) => last = why,
                Answer::Broken(why) => {
                    let what = format!("{door:?} answers {why} to {}: {:?}", asked.key, asked.act);
                    self.diary.wrong.push(what);
                }
                answer => return Some(answer),
            }
            let pause = self.random.random_range(50..600);
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        let what = format!("never answered: {} {:?}: {last}", asked.key, asked.act);
        self.diary.wrong.push(what);
        None
    }

    fn compare(&mut self, asked: &Asked, first: &Done, again: Option<Answer>) {
        match again {
            Some(Answer::Done(done, _)) if done == *first => self.diary.replays += 1,
            None | Some(Answer::Again(_)) => {}
            Some(other) => self.diary.wrong.push(format!(
                "{} was answered {first:?}, a repeat {other:?}",
                asked.key
            )),
        }
    }

    /// Asks once more for everything that was accepted.
    pub async fn once_more(seed: u64, name: u32, street: Street, diary: Diary) -> Diary {
        let mut client = Client::new(seed, name, street);
        client.diary = diary;
        for place in 0..client.diary.accepted.len() {
            let (asked, first) = client.diary.accepted[place].clone();
            let answer = client.insist(&asked).await;
            client.compare(&asked, &first, answer);
        }
        client.diary
    }
}

fn is_move(asked: &Asked) -> bool {
    matches!(asked.act, Act::Staff(Deed::Move(..)))
}
