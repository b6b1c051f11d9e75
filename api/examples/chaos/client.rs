//! A client: registers, pays, cancels, has sums given back and asks again, at random. It never lets go of what it asked
//! before it knows what came of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sandbox::Control;

use crate::TOURNAMENTS;
use crate::command::{Act, Answer, Asked, Done, Person, Ticket};
use crate::doors::Doors;

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

/// One of them.
pub struct Client {
    name: u32,
    random: StdRng,
    doors: Arc<Doors>,
    gateway: Control,
    asked: u32,
    people: u32,
    tickets: Vec<Ticket>,
    pages: Vec<String>,
    diary: Diary,
}

impl Client {
    /// A client of this name; what it does follows from the seed and from what it is answered.
    pub fn new(seed: u64, name: u32, doors: Arc<Doors>, gateway: Control) -> Client {
        Client {
            name,
            random: StdRng::seed_from_u64(seed ^ (u64::from(name) << 32)),
            doors,
            gateway,
            asked: 0,
            people: 0,
            tickets: Vec::new(),
            pages: Vec::new(),
            diary: Diary::default(),
        }
    }

    /// Goes on until then.
    pub async fn run(mut self, until: Instant) -> Diary {
        while Instant::now() < until {
            match self.random.random_range(0..100) {
                0..35 => self.register().await,
                35..65 => self.pay().await,
                65..75 => self.cancel().await,
                75..85 => self.give_back().await,
                _ => self.replay().await,
            }
            let pause = self.random.random_range(0..60);
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        self.diary
    }

    async fn register(&mut self) {
        let people = if self.random.random_range(0..5) == 0 {
            2
        } else {
            1
        };
        let people = (0..people)
            .map(|_| {
                self.people += 1;
                Person {
                    number: 1_000_000 + self.name * 100_000 + self.people,
                    section: if self.random.random() { "A" } else { "B" },
                }
            })
            .collect();
        let tournament = TOURNAMENTS[self.random.random_range(0..TOURNAMENTS.len())];
        let act = Act::Register { tournament, people };
        match self.do_it(act).await {
            Some(Answer::Done(Done::Registered { order, token, .. }, _)) => {
                self.tickets.push(Ticket { order, token });
            }
            Some(Answer::Refused(slug)) => {
                let what = format!("somebody new may not enter: {slug}");
                self.diary.wrong.push(what);
            }
            Some(_) => {}
            None => {}
        }
    }

    async fn pay(&mut self) {
        // Now and then somebody pays on a page that was opened long ago.
        let old = !self.pages.is_empty() && self.random.random_range(0..6) == 0;
        let page = if old {
            let place = self.random.random_range(0..self.pages.len());
            self.pages.swap_remove(place)
        } else {
            let Some(ticket) = self.ticket() else { return };
            match self.do_it(Act::Pay(ticket)).await {
                Some(Answer::Done(_, Some(page))) => page,
                _ => return,
            }
        };
        let Some(session) = page.rsplit('/').next() else {
            return;
        };
        let card = match self.random.random_range(0..20) {
            0..14 => "4242424242424242",
            14 | 15 => "4000000000000002",
            16 => "4000000000007726",
            17 => "4999990000000015",
            _ => {
                self.pages.push(page);
                return;
            }
        };
        // A page that was closed meanwhile, or a card that is declined.
        let _refused = self.gateway.pay(session, card);
    }

    async fn cancel(&mut self) {
        if let Some(ticket) = self.ticket() {
            self.do_it(Act::Cancel(ticket)).await;
        }
    }

    async fn give_back(&mut self) {
        if let Some(ticket) = self.ticket() {
            let cents = self.random.random_range(1..=12) * 100;
            self.do_it(Act::Refund(ticket, cents)).await;
        }
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

    fn ticket(&mut self) -> Option<Ticket> {
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
    async fn do_it(&mut self, act: Act) -> Option<Answer> {
        self.asked += 1;
        let asked = Asked {
            key: format!("chaos-{}-{}", self.name, self.asked),
            act,
        };
        let twin = self.random.random_range(0..6) == 0;
        let answer = if twin {
            let (one, other) = (
                self.doors.any(&mut self.random),
                self.doors.any(&mut self.random),
            );
            self.diary.sent += 2;
            let answers = tokio::join!(self.doors.ask(one, &asked), self.doors.ask(other, &asked));
            match answers {
                (Answer::Done(first, page), second) => {
                    self.compare(&asked, &first, Some(second));
                    Some(Answer::Done(first, page))
                }
                (_, Answer::Done(second, page)) => Some(Answer::Done(second, page)),
                (one, _) => match one {
                    Answer::Refused(_) => Some(one),
                    Answer::Broken(_) | Answer::Again(_) | Answer::Done(..) => {
                        self.insist(&asked).await
                    }
                },
            }
        } else {
            self.insist(&asked).await
        };
        if let Some(Answer::Done(done, _)) = &answer {
            self.diary.accepted.push((asked, done.clone()));
        }
        answer
    }

    /// Asks at one door after the other until it is done or refused.
    async fn insist(&mut self, asked: &Asked) -> Option<Answer> {
        let begun = Instant::now();
        let mut last = String::new();
        while begun.elapsed() < LIMIT {
            let door = self.doors.any(&mut self.random);
            self.diary.sent += 1;
            match self.doors.ask(door, asked).await {
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
    pub async fn once_more(
        seed: u64,
        name: u32,
        doors: Arc<Doors>,
        gateway: Control,
        diary: Diary,
    ) -> Diary {
        let mut client = Client::new(seed, name, doors, gateway);
        client.diary = diary;
        for place in 0..client.diary.accepted.len() {
            let (asked, first) = client.diary.accepted[place].clone();
            let answer = client.insist(&asked).await;
            client.compare(&asked, &first, answer);
        }
        client.diary
    }
}
