// The script of the page. Everything works without it; it only saves typing and reloading.
"use strict";

// The code of a login comes behind the `#` of a link, where no server sees it.
const login = document.querySelector("form[data-login]");
if (login && location.hash.length > 1) {
  login.elements.code.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  login.requestSubmit();
}

// A run that is under way is looked at again: what was opened stays open, and where the keyboard is.
const live = () => document.querySelector("#run[data-live]");
async function again() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer && answer.ok && !answer.redirected) {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#run");
    const shown = live();
    if (fresh && shown) {
      for (const open of shown.querySelectorAll("details[open][id]")) {
        fresh.querySelector("#" + CSS.escape(open.id))?.setAttribute("open", "");
      }
      const focused = document.activeElement?.closest("details[id]")?.id;
      shown.replaceWith(document.adoptNode(fresh));
      if (focused) document.querySelector("#" + CSS.escape(focused) + " > summary")?.focus();
    }
  }
  if (live()) setTimeout(again, 1000);
}
if (live()) setTimeout(again, 1000);
