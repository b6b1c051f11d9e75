// An order as its payer sees it. The token comes behind `#` and stays in this tab.
"use strict";

const WORDS = {
  ca: { order: "Inscripció", total: "Preu", paid: "Pagat", due: "Per pagar", refunded: "Tornat", until: "Reservada fins al", number: "Núm.", name: "Nom", section: "Grup", status: "Estat", price: "Preu",
    pay: "Paga", leave: "Cancel·la la inscripció", ask: (back, kept) => `Se us tornarà ${back}; l'organització reté ${kept}. Voleu cancel·lar la inscripció?`, link: "Obriu aquesta pàgina des de l'enllaç del correu.", wait: "Un moment…",
    waitlisted: "en llista d'espera", held: "plaça reservada", pending_approval: "pendent d'aprovació", confirmed: "confirmada", expired: "caducada", cancelled_by_player: "cancel·lada", cancelled_by_organiser: "anul·lada per l'organització", rejected: "no admesa", withdrawn: "retirada" },
  es: { order: "Inscripción", total: "Precio", paid: "Pagado", due: "Por pagar", refunded: "Devuelto", until: "Reservada hasta el", number: "N.º", name: "Nombre", section: "Grupo", status: "Estado", price: "Precio",
    pay: "Pagar", leave: "Cancelar la inscripción", ask: (back, kept) => `Se le devolverá ${back}; la organización retiene ${kept}. ¿Quiere cancelar la inscripción?`, link: "Abra esta página desde el enlace del correo.", wait: "Un momento…",
    waitlisted: "en lista de espera", held: "plaza reservada", pending_approval: "pendiente de aprobación", confirmed: "confirmada", expired: "caducada", cancelled_by_player: "cancelada", cancelled_by_organiser: "anulada por la organización", rejected: "no admitida", withdrawn: "retirada" },
  en: { order: "Entry", total: "Price", paid: "Paid", due: "To pay", refunded: "Given back", until: "Kept until", number: "No.", name: "Name", section: "Section", status: "Status", price: "Price",
    pay: "Pay", leave: "Cancel the entry", ask: (back, kept) => `You will get ${back} back; the organiser keeps ${kept}. Cancel the entry?`, link: "Please open this page from the link in your mail.", wait: "One moment…",
    waitlisted: "in the waiting list", held: "seat kept", pending_approval: "awaiting approval", confirmed: "confirmed", expired: "expired", cancelled_by_player: "cancelled", cancelled_by_organiser: "cancelled by the organiser", rejected: "not admitted", withdrawn: "withdrawn" },
};

const id = location.pathname.split("/").pop();
const memory = `token of ${id}`;
if (location.hash.length > 1) {
  sessionStorage.setItem(memory, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
const token = sessionStorage.getItem(memory);
let language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in WORDS) ?? "ca";
const at = (name) => document.getElementById(name);
const say = (text) => { at("message").textContent = text; };
const money = (sum) => {
  const style = new Intl.NumberFormat(language, { style: "currency", currency: sum.currency });
  return style.format(sum.amount / 10 ** style.resolvedOptions().maximumFractionDigits);
};

async function ask(path, body) {
  const headers = { authorization: `Bearer ${token}`, "accept-language": language };
  const request = { headers };
  if (body) {
    Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    Object.assign(headers, { "content-type": "application/json", "idempotency-key": crypto.randomUUID() });
  }
  const answer = await fetch(`/v1/orders/${id}${path}`, request);
  const value = await answer.json();
  if (!answer.ok) {
    throw new Error(value.detail ?? value.title);
  }
  return value;
}

function show(order) {
  language = order.payer.language;
  const words = WORDS[language];
  document.documentElement.lang = language;
  document.title = at("title").textContent = `${words.order} ${order.reference}`;
  for (const name of ["number", "name", "section", "status", "price"]) {
    at(`h-${name}`).textContent = words[name];
  }
  const sums = ["total", "paid", "due", "refunded"].filter((name) => name === "total" || order[name].amount !== 0);
  const pairs = sums.map((name) => [words[name], money(order[name])]);
  if (order.hold_until && order.due.amount > 0) {
    pairs.push([words.until, new Date(order.hold_until).toLocaleString(language)]);
  }
  at("sums").replaceChildren(...pairs.flatMap((pair) => pair.map((text, place) => cell(place ? "dd" : "dt", text))));
  at("entries").replaceChildren(...order.entries.map((entry) => {
    const name = entry.entrant?.name ?? entry.team?.name ?? "";
    const row = document.createElement("tr");
    row.append(...[entry.form_number, name, entry.section ?? "", words[entry.status], money(entry.price)].map((text) => cell("td", text)));
    return row;
  }));
  const live = order.entries.some((entry) => ["waitlisted", "held", "pending_approval", "confirmed"].includes(entry.status));
  at("pay").textContent = `${words.pay} ${money(order.due)}`;
  at("pay").hidden = order.due.amount <= 0 || order.entries.some((entry) => ["waitlisted", "pending_approval"].includes(entry.status)) && order.paid.amount === 0;
  at("leave").textContent = words.leave;
  at("leave").hidden = !live;
  at("order").hidden = false;
}

function cell(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

async function doing(work) {
  say(WORDS[language].wait);
  try {
    await work();
    say("");
  } catch (error) {
    say(error.message);
  }
}

const look = async () => show(await ask(""));

at("pay").addEventListener("click", () => doing(async () => {
  const opened = await ask("/payments", { method: "session", return_url: location.href });
  location.assign(opened.url);
}));

at("leave").addEventListener("click", () => doing(async () => {
  const back = await ask("/cancellation");
  if (confirm(WORDS[language].ask(money(back.refund), money(back.kept)))) {
    await ask("/cancellation", {});
  }
  await look();
}));

if (token) {
  doing(look);
} else {
  say(WORDS[language].link);
}
