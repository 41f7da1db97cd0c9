// A streamable-HTTP front for an MCP server that speaks over stdio, for peers that only know addresses.
//
//     node bridge.mjs <server> [argument …]
//
// Prints its address as its only line on stdout and serves on loopback until its stdin ends. Each `initialize` opens a
// session with a server of its own; requests of the sessionless revision share one.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const SESSIONLESS = "2026-07-28";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** What the sessionless revision wants as HTTP status beside a JSON-RPC error; everything else is 200. */
const STATUS_OF_ERROR = new Map([[-32601, 404], [-32602, 400], [-32020, 400], [-32021, 400], [-32022, 400]]);

const [program, ...words] = process.argv.slice(2);

/** One server process and the HTTP exchanges that wait for it. */
class Peer {
  #waiting = new Map();
  #lastId = 0;

  constructor() {
    this.process = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    // A write to a server that just ended fails; the exchange is answered when its exit is seen.
    this.process.stdin.on("error", () => {});
    this.process.on("error", (error) => console.error(`bridge: ${error.message}`));
    this.process.on("close", () => this.#endAll());
    createInterface({ input: this.process.stdout }).on("line", (line) => this.#receive(JSON.parse(line)));
  }

  tell(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request under an id of the bridge's own: two clients may use the same one. */
  ask(request, exchange) {
    const id = ++this.#lastId;
    this.#waiting.set(id, { request, exchange });
    this.tell({ ...request, id });
    return () => {
      if (this.#waiting.delete(id)) {
        this.tell({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      }
    };
  }

  stop() {
    this.process.stdin.end();
  }

  #receive(message) {
    if (message.method === undefined) {
      const { request, exchange } = this.#waiting.get(message.id) ?? {};
      this.#waiting.delete(message.id);
      exchange?.answer({ ...message, id: request.id });
      return;
    }
    const token = message.params?.progressToken;
    for (const { request, exchange } of this.#waiting.values()) {
      if (token === undefined || token === request.params?._meta?.progressToken) exchange.notify(message);
    }
  }

  #endAll() {
    for (const { request, exchange } of this.#waiting.values()) {
      exchange.answer({ jsonrpc: "2.0", id: request.id, error: { code: -32603, message: "the server ended" } });
    }
    this.#waiting.clear();
  }
}

/** One POST: plain JSON if the answer comes alone, an event stream if a notification comes before it. */
class Exchange {
  constructor(response, headers, sessionless) {
    Object.assign(this, { response, headers, sessionless });
  }

  notify(message) {
    if (!this.response.headersSent) {
      this.response.writeHead(200, { ...this.headers, "content-type": "text/event-stream" });
    }
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  answer(message) {
    if (this.response.headersSent) {
      this.notify(message);
      this.response.end();
      return;
    }
    const status = this.sessionless ? (STATUS_OF_ERROR.get(message.error?.code) ?? 200) : 200;
    this.response.writeHead(status, { ...this.headers, "content-type": "application/json" });
    this.response.end(JSON.stringify(message));
  }
}

const sessions = new Map();
let shared;

/** The server a message belongs to, with the headers of the answer; none if its session is not known. */
function route(message, headers) {
  const session = headers["mcp-session-id"];
  const named = message.params?._meta?.[VERSION_KEY] !== undefined;
  if (!session && (named || headers["mcp-protocol-version"] === SESSIONLESS)) {
    shared ??= new Peer();
    return { peer: shared, headers: {}, sessionless: true };
  }
  if (message.method === "initialize") {
    const id = randomUUID();
    sessions.set(id, new Peer());
    return { peer: sessions.get(id), headers: { "mcp-session-id": id }, sessionless: false };
  }
  const peer = sessions.get(session);
  return peer && { peer, headers: {}, sessionless: false };
}

function refuse(response, status, code, message) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }));
}

function post(body, request, response) {
  let message;
  try {
    message = JSON.parse(body);
  } catch (error) {
    return refuse(response, 400, -32700, `Parse error: ${error.message}`);
  }
  const place = route(message, request.headers);
  if (!place) return refuse(response, 404, -32600, "no such session");
  if (message.id === undefined || message.method === undefined) {
    place.peer.tell(message);
    return response.writeHead(202).end();
  }
  const cancel = place.peer.ask(message, new Exchange(response, place.headers, place.sessionless));
  response.on("close", cancel);
}

function handle(request, response) {
  if (request.method === "DELETE") {
    const session = request.headers["mcp-session-id"];
    sessions.get(session)?.stop();
    sessions.delete(session);
    return response.writeHead(200).end();
  }
  if (request.method !== "POST") return response.writeHead(405, { allow: "POST, DELETE" }).end();
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text) => (body += text));
  request.on("end", () => post(body, request, response));
}

const http = createServer(handle).listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${http.address().port}/mcp`);
});

// Whoever started the bridge holds its stdin, so it ends with them, by whatever means they end. Servers end with
// their own stdin.
process.stdin.resume().on("end", () => process.exit(0));
