// Runs on the page, in a real browser: the list, the waterfall against what REST tells, and a run while it goes on.
//
// Part of `page.mjs`, which gives each check a `World` and runs in the directory that `awf serve` was started in.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";

const { AWF, ADDRESS, KEY } = process.env;
const PATIENCE = 20_000;

// Branches, a loop, an agent with a refused call, a second attempt, a failure.
const RELEASE = `
name: release
states:
  initial: both
  both: {type: parallel, parallel: [lint, unit-tests], strategy: all_succeed, on_success: each}
  lint: {type: step, command: "sleep 0.2"}
  unit-tests: {type: step, command: "sleep 0.4"}
  each: {type: for_each, items: [linux, macos], body: [package], on_complete: fix}
  package: {type: step, command: "sleep 0.1"}
  fix:
    type: agent
    provider: scripted:release.turns.yaml
    prompt: Correct the spelling
    mcp_proxy: {enable: true}
    tools: {allow: write}
    on_success: flaky
  flaky: {type: step, command: "sleep 0.1; [ -e again ] || { touch again; exit 1; }", retry: {max_attempts: 2, initial_delay: 50ms}, on_success: publish}
  publish: {type: step, command: "exit 3"}
`;
const TURNS = `
turns:
  - say: "<img src=x onerror=alert(1)> I look first."
    calls:
      - {tool: Glob, arguments: {pattern: "*"}}
      - {tool: Grep, arguments: {pattern: "recieve"}}
  - call: Bash
    arguments: {command: "git commit -a"}
    expect: {refused: true}
  - say: The commit is yours to make.
`;
const WAIT = `
name: wait
states:
  initial: ask
  ask: {type: agent, provider: "scripted:wait.turns.yaml", prompt: x, mcp_proxy: {enable: true}, tools: {allow: destructive}, on_success: after}
  after: {type: step, command: "true"}
`;
const WAITING = `
turns:
  - {call: Glob, arguments: {pattern: "*"}}
  - {call: Bash, arguments: {command: "touch begun; until [ -e go ]; do sleep 0.05; done"}}
`;

async function told(path) {
  const answer = await fetch(`http://${ADDRESS}/api/v1/runs${path}`, { headers: { "X-API-Key": KEY } });
  return answer.json();
}

async function prepare() {
  await mkdir(".awf/workflows", { recursive: true });
  await writeFile(".awf/workflows/release.yaml", RELEASE);
  await writeFile("release.turns.yaml", TURNS);
  await writeFile(".awf/workflows/wait.yaml", WAIT);
  await writeFile("wait.turns.yaml", WAITING);
  for (const left of ["again", "begun", "go", "run.html"]) await rm(left, { force: true });
}

// A run, and its exit code once it has ended.
function start(...words) {
  const child = spawn(AWF, ["run", ...words, "--format", "quiet"], { stdio: "ignore" });
  return once(child, "exit").then(([code]) => code);
}

async function there(file) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    if (await access(file).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${file} did not come`);
}

// Steps, turns and calls as REST has them, in the order of the waterfall.
function rows(timeline) {
  return timeline.steps.flatMap((step) => step.attempts.flatMap((attempt) => [
    [`${step.name}#${attempt.number}`, attempt],
    ...attempt.calls.filter(({ turn }) => turn === null).map((call) => [call.id, call]),
    ...attempt.turns.flatMap((turn) => [
      [`turn ${turn.number}`, turn],
      ...attempt.calls.filter((call) => call.turn === turn.number).map((call) => [call.id, call]),
    ]),
  ]));
}

function shown(page) {
  return page.evaluate(() => [...document.querySelectorAll(".waterfall li")].map((row) => {
    const { step, attempt, turn, call } = row.dataset;
    const bar = row.querySelector("svg rect:not(.break)");
    return {
      what: step ? `${step}#${attempt}` : turn ? `turn ${turn}` : call,
      took: row.querySelector(".took").firstChild.textContent,
      x: Number(bar.getAttribute("x")),
      said: row.querySelector(".label").textContent,
    };
  }));
}

function human(ms) {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

async function the_timeline_is_what_rest_tells(world) {
  await world.at("/runs");
  await world.page.getByText("awf run").waitFor();
  await prepare();
  assert.equal(await start("release", "--html", "run.html"), 3);
  const { runs } = await told("?workflow=release");
  await world.at("/runs?workflow=release");
  assert.equal(await world.page.locator("[data-row]").count(), runs.length);
  await world.shot("runs");
  await world.page.locator("[data-row] a").first().click();
  await world.page.waitForURL(`**/runs/${runs[0].id}`);
  const timeline = await told(`/${runs[0].id}`);
  const [wanted, found] = [rows(timeline), await shown(world.page)];
  assert.deepEqual(found.map(({ what }) => what), wanted.map(([name]) => name));
  assert.deepEqual(found.map(({ took }) => took), wanted.map(([, span]) => human(span.duration_ms)));
  for (const [index, { what, x }] of found.entries()) {
    const place = (Date.parse(wanted[index][1].began) - Date.parse(timeline.began)) / timeline.duration_ms * 1000;
    assert.ok(Math.abs(x - Math.min(place, 996)) < 8, `${what} lies at ${x}, not at ${place}`);
  }
  // Without colour: the words are there.
  const words = found.map(({ said }) => said).join("\n");
  for (const word of ["failed", "completed", "denied", "ABOVE_CEILING", "attempt 2", "<img src=x"]) assert.ok(words.includes(word), word);
}

async function a_call_opens_by_keyboard(world) {
  const call = world.page.locator("summary.line").first();
  await call.focus();
  await world.page.keyboard.press("Enter");
  const details = world.page.locator("details[id^=call-]").first();
  assert.ok(await details.evaluate(({ open }) => open));
  for (const label of ["Arguments", "Result", "Intent", "Decision", "Request"]) await details.getByText(label, { exact: true }).waitFor();
  await world.shot("run");
  await world.page.emulateMedia({ colorScheme: "dark" });
  await world.shot("run-dark");
  await world.page.emulateMedia({ colorScheme: "light" });
  const before = world.page.viewportSize();
  await world.page.setViewportSize({ width: 360, height: 740 });
  assert.ok(await world.page.evaluate(() => document.documentElement.scrollWidth) <= 360, "wider than a phone");
  await world.shot("phone-run");
  await world.page.setViewportSize(before);
}

async function a_run_under_way_shows_its_end_by_itself(world) {
  const ended = start("wait");
  await there("begun");
  const { runs } = await told("?status=running");
  await world.at(`/runs/${runs[0].id}`);
  await world.page.locator("#run[data-live]").waitFor();
  await world.page.locator("summary.line").first().focus();
  await world.page.keyboard.press("Enter");
  await writeFile("go", "");
  await world.page.locator("li[data-step=after]").waitFor({ timeout: PATIENCE });
  await world.page.locator("#run:not([data-live])").waitFor({ timeout: PATIENCE });
  assert.ok(await world.page.locator("details[id^=call-]").first().evaluate(({ open }) => open), "it stays open");
  assert.equal(await world.page.evaluate(() => document.activeElement.tagName), "SUMMARY");
  assert.equal(await ended, 0);
}

async function the_file_of_a_run_stands_alone(world) {
  const context = await world.browser.newContext({ offline: true });
  const page = await context.newPage();
  const [heard, asked] = [[], []];
  page.on("console", (message) => heard.push(message.text()));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`file://${process.cwd()}/run.html`);
  assert.equal(await page.locator("svg.bar").count(), await page.locator(".waterfall li").count());
  // The style is allowed by its hash, or a bar would be as wide as nothing.
  assert.notEqual(await page.locator("svg.bar").first().evaluate((bar) => getComputedStyle(bar).display), "inline");
  assert.deepEqual(heard, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
  await context.close();
}

export const RUN_CHECKS = [
  the_timeline_is_what_rest_tells,
  a_call_opens_by_keyboard,
  a_run_under_way_shows_its_end_by_itself,
  the_file_of_a_run_stands_alone,
];
