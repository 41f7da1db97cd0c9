// The script of the page. Everything works without it; it only saves typing and reloading.
"use strict";

// The code of a login comes behind the `#` of a link, where no server sees it.
const login = document.querySelector("form[data-login]");
if (login && location.hash.length > 1) {
  login.elements.code.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  login.requestSubmit();
}
