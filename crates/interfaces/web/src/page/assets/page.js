// The script of the page. Everything works without it; it only saves typing and reloading.
// It makes no markup: what it shows was made by the server.
"use strict";

const one = (selector, within = document) => within.querySelector(selector);
const rows = () => [...document.querySelectorAll("[data-row]")];

// The code of a login comes behind the `#` of a link, where no server sees it.
function logIn(form) {
  if (location.hash.length < 2) return;
  form.elements.code.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  form.requestSubmit();
}

// Keys. Whoever types into a field means the field.
let going = 0;

function step(by) {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  const target = next && (one("a", next) || next);
  if (target === next && next) next.tabIndex = -1;
  target?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input, select, textarea");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  const goes = Date.now() - going < 1500;
  going = 0;
  const section = goes && one(`[data-go="${CSS.escape(event.key)}"]`);
  const dialog = one("#keys");
  if (section) location.assign(section.href);
  else if (event.key === "g") going = Date.now();
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "/") one("form[role=search] input")?.focus();
  else if (event.key === "?" && dialog) dialog.open ? dialog.close() : dialog.showModal();
  else return;
  event.preventDefault();
}

// Fields that nobody filled in need not stand in the address.
function submit(event) {
  if (event.target.method !== "get") return;
  for (const field of event.target.elements) field.disabled = field.value === "" && field.name !== "";
}

// A list that follows the log: told of a call, it asks the server for the list again.
function follow(live) {
  const [news, pause] = [one("[data-news]", live), one("[data-pause]", live)];
  let source = null;
  let waiting = null;
  let fresh = 0;

  async function renew() {
    waiting = null;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer) return;
    if (answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [old, renewed] = [one("[data-list]"), one("[data-list]", page)];
    if (!old || !renewed) return;
    const known = new Set(rows().map((row) => row.id));
    const focused = document.activeElement.closest("[data-row]")?.id;
    old.replaceWith(document.adoptNode(renewed));
    const added = rows().filter((row) => !known.has(row.id));
    added.forEach((row) => row.classList.add("new"));
    fresh += added.length;
    if (added.length) news.textContent = fresh === 1 ? "1 new call" : `${fresh} new calls`;
    if (focused) one("a", document.getElementById(focused) || document)?.focus();
  }

  const soon = () => { waiting ??= setTimeout(renew, 200); };
  const paused = () => pause.getAttribute("aria-pressed") === "true";

  function stop() {
    source?.close();
    source = null;
    live.classList.remove("on");
  }

  function start() {
    if (source || paused() || document.hidden) return;
    source = new EventSource(live.dataset.events);
    source.onopen = () => live.classList.add("on");
    source.onerror = () => {
      live.classList.remove("on");
      if (source.readyState === EventSource.CLOSED) news.textContent = "Not live: reload the page";
    };
    // The first event comes with each connection: what was missed between two is fetched.
    for (const name of ["place", "activity", "gap"]) source.addEventListener(name, soon);
  }

  pause.addEventListener("click", () => {
    pause.setAttribute("aria-pressed", String(!paused()));
    pause.textContent = paused() ? "Resume" : "Pause";
    news.textContent = paused() ? "Paused" : "Live";
    fresh = 0;
    paused() ? stop() : start();
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  live.hidden = false;
  start();
}

// A run that is under way is looked at again: what was opened stays open, and where the keyboard is.
const underWay = () => one("#run[data-live]");

async function again() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer && answer.ok && !answer.redirected) {
    const fresh = one("#run", new DOMParser().parseFromString(await answer.text(), "text/html"));
    const shown = underWay();
    if (fresh && shown) {
      for (const open of shown.querySelectorAll("details[open][id]")) {
        one("#" + CSS.escape(open.id), fresh)?.setAttribute("open", "");
      }
      const focused = document.activeElement?.closest("details[id]")?.id;
      shown.replaceWith(document.adoptNode(fresh));
      if (focused) one("#" + CSS.escape(focused) + " > summary")?.focus();
    }
  }
  if (underWay()) setTimeout(again, 1000);
}

const login = one("form[data-login]");
if (login) logIn(login);
if (one("#keys")) {
  document.addEventListener("keydown", press);
  const button = one("[data-keys]");
  button.hidden = false;
  button.addEventListener("click", () => one("#keys").showModal());
}
document.addEventListener("submit", submit);
// Whoever comes back to this page finds the fields usable.
addEventListener("pageshow", () => document.querySelectorAll("form[role=search] :disabled").forEach((field) => { field.disabled = false; }));
const live = one("[data-events]");
if (live) follow(live);
if (underWay()) setTimeout(again, 1000);
