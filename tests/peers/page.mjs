// The page of `awf serve` in a real browser: Debian's Chromium, driven by playwright-core.
//
//     AWF=<program> ADDRESS=<host:port> KEY=<api key> CHROMIUM=<program> PLAYWRIGHT=<module> node page.mjs <folder for pictures>
//
// Prints one line for each check, `pass <check>` or `fail <check>: <why>`. A check is a function below; it gets a `World`.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { RUN_CHECKS } from "./page_runs.mjs";

const { AWF, ADDRESS, KEY, CHROMIUM, PLAYWRIGHT } = process.env;
const { chromium } = await import(PLAYWRIGHT);
const run = promisify(execFile);
const PICTURES = process.argv[2];
const OWN = `http://${ADDRESS}`;
const PORT = ADDRESS.split(":")[1];
const PATIENCE = 10_000;
const SWITCHES = [
  "--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

// What a browser complains about. A page may give it no reason to.
const complaints = [];

class World {
  constructor(browser, page) {
    Object.assign(this, { browser, page });
  }

  // A path of the page, loaded.
  async at(path) {
    await this.page.goto(OWN + path, { waitUntil: "load" });
  }

  rows() {
    return this.page.locator("[data-row]").count();
  }

  async shot(name) {
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }
}

// A call of a tool, by somebody with the key.
async function call(variant, name, args, more = {}) {
  const intent = { operation_type: variant.replace("call_tool_", ""), ...more };
  const answer = await fetch(`${OWN}/api/v1/tools/call`, {
    method: "POST",
    headers: { "X-API-Key": KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ tool_name: variant, arguments: { name, args, intent } }),
  });
  return answer.text();
}

async function records(query = "") {
  const answer = await fetch(`${OWN}/api/v1/activity?limit=100${query}`, { headers: { "X-API-Key": KEY } });
  return (await answer.json()).activities;
}

async function link() {
  return (await run(AWF, ["open", "--print", "--listen", ADDRESS])).stdout.trim();
}

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

async function history() {
  await call("call_tool_read", "builtin:Read", { file_path: "notes.txt" }, { reason: "to know what is there" });
  await call("call_tool_write", "builtin:Write", { file_path: "report.md", content: "# Report\n" }, { data_sensitivity: "internal" });
  await call("call_tool_destructive", "builtin:Bash", { command: "printf 'one\\ntwo\\n'" });
  await call("call_tool_read", "builtin:Bash", { command: "rm -rf build" }, { reason: "clean up" });
  await call("call_tool_read", "builtin:Read", { file_path: "absent.txt" });
  await call("call_tool_read", HOSTILE, { x: HOSTILE });
  for (let count = 0; count < 60; count += 1) await call("call_tool_read", "builtin:Glob", { pattern: `*.${count}` });
}

// The checks, in the order in which they are made.

async function a_code_logs_in_once({ browser, page }) {
  const once = await link();
  await page.goto(once);
  await page.waitForURL((url) => url.pathname !== "/login", { timeout: PATIENCE });
  assert.equal(new URL(page.url()).hash, "", "the code is gone from the address");
  const cookies = await page.context().cookies();
  assert.deepEqual(cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path })), [
    { name: `awf-${PORT}`, httpOnly: true, sameSite: "Strict", path: "/" },
  ]);
  const other = await browser.newContext();
  const again = await other.newPage();
  await again.goto(once);
  await again.getByText("This code is not good").waitFor({ timeout: PATIENCE });
  await again.screenshot({ path: join(PICTURES, "login.png") });
  assert.deepEqual(await other.cookies(), []);
  await other.close();
}

async function an_empty_log_names_the_next_command(world) {
  await world.at("/activity");
  await world.page.getByText("awf demo").waitFor();
  await world.shot("activity-empty");
}

async function a_live_row_appears(world) {
  await world.at("/activity");
  await world.page.locator(".live.on").waitFor({ timeout: PATIENCE });
  await call("call_tool_read", "builtin:Glob", { pattern: "*.live" });
  await world.page.locator("tr.new").first().waitFor({ timeout: PATIENCE });
  assert.equal(await world.rows(), (await records()).length);
  await world.page.getByRole("status").getByText("new call").waitFor();
  await world.page.getByRole("button", { name: "Pause" }).click();
  const shown = await world.rows();
  await call("call_tool_read", "builtin:Glob", { pattern: "*.paused" });
  await world.page.getByRole("button", { name: "Resume" }).click();
  await world.page.waitForFunction((count) => document.querySelectorAll("[data-row]").length > count, shown, { timeout: PATIENCE });
}

async function filters_work(world) {
  const { page } = world;
  await history();
  await world.at("/activity");
  assert.equal(await world.rows(), 50);
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/cursor=/);
  assert.equal(await world.rows(), (await records()).length - 50);
  await page.getByRole("link", { name: "Newest" }).click();
  await page.getByLabel("Intent").selectOption("destructive");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/intent_type=destructive/);
  assert.equal(await world.rows(), (await records("&intent_type=destructive")).length);
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByLabel("Status").selectOption("denied");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/status=denied/);
  assert.equal(await world.rows(), (await records("&status=denied")).length);
  await page.getByText("More filters").click();
  await page.getByLabel("Since").fill("yesterday");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("`since` must be").waitFor();
  await world.shot("activity-refused");
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("400 (Bad Request)")));
}

async function a_record_opens(world) {
  const denied = (await records("&status=denied")).find((record) => record.tool_name === "Bash");
  await world.at(`/activity?status=denied`);
  await world.page.locator(`[id="${denied.id}"] a`).click();
  await world.page.waitForURL(`${OWN}/activity/${denied.id}`);
  for (const text of ["SERVER_MISMATCH", "clean up", "rm -rf build", denied.request_id]) {
    assert.ok((await world.page.locator("main").innerText()).includes(text), text);
  }
  await world.shot("call");
  const done = (await records("&status=success&tool=Bash"))[0];
  await world.at(`/activity/${done.id}`);
  await world.shot("call-success");
}

async function what_a_tool_said_is_text(world) {
  for (const record of await records("&status=denied")) {
    await world.at(`/activity/${record.id}`);
    assert.notEqual(await world.page.title(), "owned");
    assert.equal(await world.page.locator("main img, main script").count(), 0);
  }
  await world.at(`/activity?tool=${encodeURIComponent(HOSTILE)}`);
  assert.notEqual(await world.page.title(), "owned");
}

async function keys_lead_everywhere(world) {
  const { page } = world;
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-row]")?.id ?? document.activeElement.name);
  await world.at("/activity");
  const ids = await page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => row.id));
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await focused(), ids[1]);
  await page.keyboard.press("k");
  assert.equal(await focused(), ids[0]);
  await page.keyboard.press("/");
  assert.equal(await focused(), "tool");
  await page.keyboard.type("jk?");
  assert.equal(await page.getByLabel("Tool").inputValue(), "jk?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await world.shot("keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.waitForURL(/\/doctor$/);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL(/\/runs$/);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.waitForURL(/\/activity$/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${OWN}/activity/${ids[0]}`);
  // By Tab alone: the first stop is the link past the sections.
  await world.at("/activity");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(new URL(page.url()).hash, "#main");
}

async function nothing_is_wider_than_a_phone(world) {
  const { page } = world;
  await page.setViewportSize({ width: 360, height: 740 });
  const id = (await records("&status=denied"))[0].id;
  for (const [name, path] of [["activity", "/activity?limit=8"], ["call", `/activity/${id}`], ["runs", "/runs"], ["doctor", "/doctor"], ["login", "/login"]]) {
    await world.at(path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${path} is ${width} wide`);
    await world.shot(`phone-${name}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function there_are_two_palettes(world) {
  const { page } = world;
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = {};
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await world.at("/activity?limit=20");
    seen[colorScheme] = await ground();
    await world.shot(`activity-${colorScheme}`);
    await world.at("/doctor");
    await world.shot(`doctor-${colorScheme}`);
  }
  assert.notEqual(seen.light, seen.dark);
  await page.emulateMedia({ colorScheme: "light" });
}

// What a page of somebody else tries, in the same browser, with the visitor's cookie at hand.
async function attack(own) {
  const readable = [];
  const note = (what, text) => { if (text) readable.push(`${what}: ${String(text).slice(0, 80)}`); };
  const body = JSON.stringify({ tool_name: "call_tool_destructive", arguments: { name: "builtin:Bash", args: { command: "touch stolen" }, intent: { operation_type: "destructive" } } });
  for (const path of ["/activity", "/api/v1/activity", "/doctor", "/assets/page.js"]) {
    for (const mode of ["cors", "no-cors"]) {
      await fetch(own + path, { credentials: "include", mode }).then((answer) => answer.text().then((text) => note(`fetch ${mode} ${path}`, text)), () => {});
    }
  }
  for (const [path, headers] of [["/api/v1/tools/call", { "Content-Type": "text/plain" }], ["/api/v1/tools/call", { "Content-Type": "application/json" }], ["/logout", {}], ["/mcp", { "Content-Type": "text/plain" }]]) {
    for (const mode of ["cors", "no-cors"]) {
      await fetch(own + path, { method: "POST", credentials: "include", mode, headers, body }).then((answer) => answer.text().then((text) => note(`post ${mode} ${path}`, text)), () => {});
    }
  }
  const done = (make) => new Promise((resolve) => { make(resolve); setTimeout(() => resolve("silence"), 1500); });
  note("image", await done((resolve) => { const image = new Image(); image.onload = () => resolve("loaded"); image.onerror = () => resolve(""); image.src = `${own}/activity`; }));
  note("script", await done((resolve) => { const script = document.createElement("script"); script.onload = () => resolve("ran"); script.onerror = () => resolve(""); script.src = `${own}/assets/page.js`; document.body.append(script); }));
  note("events", await done((resolve) => { const source = new EventSource(`${own}/api/v1/events`, { withCredentials: true }); source.onopen = () => resolve("open"); source.onmessage = () => resolve("told"); source.onerror = () => { source.close(); resolve(""); }; }));
  note("socket", await done((resolve) => { const socket = new WebSocket(`${own.replace("http", "ws")}/mcp`); socket.onopen = () => resolve("open"); socket.onerror = () => resolve(""); }));
  await done((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { note("frame", frame.contentDocument?.body?.innerText); } catch { /* as it should be */ } resolve(""); };
    frame.src = `${own}/activity`;
    document.body.append(frame);
  });
  for (const [action, enctype] of [["/api/v1/tools/call", "text/plain"], ["/logout", "application/x-www-form-urlencoded"], ["/login", "application/x-www-form-urlencoded"]]) {
    const frame = document.createElement("iframe");
    frame.name = `to-${action}-${enctype}`;
    document.body.append(frame);
    const form = Object.assign(document.createElement("form"), { method: "post", action: own + action, enctype, target: frame.name });
    form.append(Object.assign(document.createElement("input"), { name: body, value: "" }));
    document.body.append(form);
    await done((resolve) => { frame.onload = () => resolve(""); form.submit(); });
  }
  return readable;
}

async function pages_of_others_get_nothing_and_do_nothing({ page }) {
  const evil = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<!doctype html><title>evil</title><body>evil</body>"));
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  const before = await records();
  const heard = complaints.length;
  try {
    const { port } = evil.address();
    for (const host of ["127.0.0.1", "localhost", "evil.localhost"]) {
      const tab = await page.context().newPage();
      await tab.goto(`http://${host}:${port}/`);
      for (const own of [OWN, `http://localhost:${PORT}`]) {
        assert.deepEqual(await tab.evaluate(`(${attack})(${JSON.stringify(own)})`), [], `${host} at ${own}`);
      }
      await tab.close();
    }
  } finally {
    evil.close();
  }
  complaints.length = heard;
  assert.deepEqual((await records()).map(({ id }) => id), before.map(({ id }) => id), "the log has new calls");
  await page.goto(`${OWN}/activity`);
  assert.equal(new URL(page.url()).pathname, "/activity", "the visitor is still logged in");
}

async function leaving_ends_the_visit(world) {
  await world.at("/activity");
  await world.page.getByRole("button", { name: "Log out" }).click();
  await world.page.waitForURL(/\/login$/);
  await world.at("/activity");
  assert.equal(new URL(world.page.url()).pathname, "/login");
}

async function the_browser_has_nothing_to_complain_about() {
  assert.deepEqual(complaints, []);
}

const CHECKS = [
  a_code_logs_in_once,
  an_empty_log_names_the_next_command,
  a_live_row_appears,
  filters_work,
  a_record_opens,
  what_a_tool_said_is_text,
  keys_lead_everywhere,
  nothing_is_wider_than_a_phone,
  there_are_two_palettes,
  ...RUN_CHECKS,
  pages_of_others_get_nothing_and_do_nothing,
  leaving_ends_the_visit,
  the_browser_has_nothing_to_complain_about,
];

await mkdir(PICTURES, { recursive: true });
const profile = await mkdtemp(join(tmpdir(), "awf-page-"));
const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: SWITCHES, env: { ...process.env, HOME: profile } });
let failed = 0;
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`); });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  const world = new World(browser, page);
  for (const check of CHECKS) {
    const name = check.name.replaceAll("_", " ");
    try {
      await check(world);
      console.log(`pass ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`fail ${name}: ${String(error?.message ?? error).replaceAll("\n", " ")}`);
      await world.shot(`failed-${check.name}`).catch(() => {});
    }
  }
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
