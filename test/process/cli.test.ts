import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { Tidings, webhooks } from "../../sdk/src/index.ts";
import { serve } from "./local-server.ts";
import { type Account, eventually, newStateDir, type Service, sharedService } from "./service.ts";

const bin = resolve(`.wrangler/cli-${process.pid}.cjs`);
let service: Service;
let account: Account;
let tidings: Tidings;

beforeAll(async () => {
  const build = ["run", "build:cli", "--workspace", "sdk", "--", `--outfile=${bin}`];
  [service] = await Promise.all([sharedService(), promisify(execFile)("npm", build)]);
  account = await service.account(500, 1);
  tidings = new Tidings({ baseUrl: service.url, apiKey: account.key });
});

afterAll(() => rmSync(bin, { force: true }));

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env["PATH"], TIDINGS_BASE_URL: service.url, TIDINGS_API_KEY: account.key, ...env },
  });
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk) => (ran.out += chunk));
  child.stderr.on("data", (chunk) => (ran.err += chunk));
  const closed = once(child, "close").then(([code]) => {
    ran.code = code;
    expect(ran.out + ran.err).not.toContain(account.key);
    return ran;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ran, closed };
}

async function run(
  args: string[],
  { env, input }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  const { child, closed } = start(args, env);
  child.stdin.end(input ?? "");
  return closed;
}

async function pressCtrlC({ child, closed }: ReturnType<typeof start>): Promise<Ran> {
  child.kill("SIGINT");
  return closed;
}

const sent = z.object({ message_id: z.string(), status: z.literal("queued") });
const madeContact = z.object({ contact: z.object({ id: z.string() }), created: z.boolean() });

describe("Command line", () => {
  it("The command line prints its help and its version", async () => {
    const help = await run(["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const command of ["listen", "events", "messages", "custom-fields"]) expect(help.out).toContain(command);
    expect((await run(["messages", "send", "--help"])).out).toContain("--reply-to");
    const update = await run(["contacts", "update", "--help"]);
    expect(update.out).toMatch(/contacts update \[options\] <id>[^]*Change a contact[^]*the body[^]*contacts\.update/);
    expect(update.out).not.toContain("--output");
    expect(await run(["--version"])).toMatchObject({ code: 0, out: "0.2.0\n" });
  });

  it.each([
    [["nothing"], "unknown command"],
    [["listen"], "--forward"],
    [["listen", "--forward", "nowhere"], "--forward requires an address"],
    [["listen", "--forward", "http://localhost:1", "--secret", "x"], "whsec_"],
    [["messages", "send", "--to", "+14155557200"], "exactly one of"],
    [["messages", "send", "--to", "+14155557200", "--text", "a", "--image", "b"], "exactly one of"],
    [["messages", "send", "--text", "a"], "exactly one of --to"],
    [["messages", "send", "--to", "+14155557200", "--contact-id", "ct_1", "--text", "a"], "exactly one of --to"],
    [["messages", "send", "--to", "+14155557200", "--image", "/no/such/file"], "not a readable file"],
    [["messages", "send", "--to", "+14155557200", "--text", "a", "--caption", "b"], "require a file"],
    [["messages", "send", "--to", "+14155557200", "--template", "a", "--filename", "b"], "require a file"],
    [["messages", "send", "--to", "+14155557200", "--image", "/no/file", "--filename", "b"], "requires --document"],
    [["messages", "send", "--to", "+14155557200", "--audio", "/no/file", "--caption", "b"], "requires --image"],
    [["messages", "send", "--to", "+14155557200", "--text", "a", "--variables", "[]"], "requires --template"],
    [["contacts", "list", "--json", "["], "--json requires"],
    [["listen", "--forward", "http://me:hidden@localhost:1"], "--forward requires an address"],
    [["contacts", "get"], "missing required argument 'id'"],
    [["contacts", "get", "a", "b"], "too many arguments"],
    [["messages", "list", "extra"], "too many arguments"],
    [["contacts", "list", "--idempotency-key", "a"], "unknown option"],
    [["media", "upload", "/no/such/file"], "not a readable file"],
  ])("The command line rejects the invalid command %j", async (args, message) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it("The command line requires an address and a key, and reports a wrong key without printing it", async () => {
    expect(await run(["me", "get"], { env: { TIDINGS_BASE_URL: "" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("TIDINGS_BASE_URL"),
    });
    expect(await run(["me", "get"], { env: { TIDINGS_API_KEY: "" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("TIDINGS_API_KEY"),
    });
    const wrong = await run(["me", "get"], { env: { TIDINGS_API_KEY: "tdg_wrong" } });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/unauthorized[^]*request /)]);
    expect(wrong.err).not.toContain("tdg_wrong");
  });

  it("The command line sends texts, templates and local files", async () => {
    const to = ["--to", "+14155557201"];
    const order = ["messages", "send", ...to, "--text", "Hello", "--idempotency-key", "order 1"];
    const first = await run(order);
    expect(first).toMatchObject({ code: 0, err: "" });
    const { message_id } = sent.parse(JSON.parse(first.out));
    expect((await run(order)).out).toBe(first.out);
    expect((await tidings.messages.get(message_id)).message.body).toBe("Hello");

    const { template } = await tidings.templates.create({ name: "Greeting", body: "Hello {{name}}" });
    const named = ["messages", "send", ...to, "--template", template.id, "--variables", '{"name": "Ada"}'];
    const greeting = sent.parse(JSON.parse((await run(named)).out));
    expect((await tidings.messages.get(greeting.message_id)).message.body).toBe("Hello Ada");

    const folder = newStateDir();
    onTestFinished(folder.remove);
    const picture = join(folder.dir, "dot.png");
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    writeFileSync(picture, Buffer.from(png, "base64"));
    const stored = JSON.parse((await run(["media", "upload", picture])).out);
    expect(stored).toMatchObject({ media: { mime_type: "image/png", filename: "dot.png" } });
    const shown = await run(["messages", "send", ...to, "--image", picture, "--caption", "A dot"]);
    expect(shown).toMatchObject({ code: 0, err: "" });
    const { message: image } = await tidings.messages.get(sent.parse(JSON.parse(shown.out)).message_id);
    expect(image).toMatchObject({ type: "image", content: { caption: "A dot" } });
  });

  it("The command line calls operations by name, and prints each error of a rejected request", async () => {
    const upsert = ["contacts", "upsert", "--json", "-"];
    const input = JSON.stringify({ phone: "+14155557202", name: "Ada \u001b[31m\u202e" });
    const made = await run(upsert, { input });
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    const { contact } = madeContact.parse(JSON.parse(made.out));
    expect((await run(["contacts", "get", contact.id])).code).toBe(0);
    expect((await run(["contacts", "update", contact.id, "--json", '{"company": "Acme"}'])).out).toContain('"Acme"');
    const refused = await run(["messages", "send", "--to", "123", "--text", "x"]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/validation_failed[^]*to: [^]*request /);
    expect((await run(["contacts", "get", "ct_unknown"])).err).toContain("not_found");
    for (const mistaken of [["get"], ["get", ".."], ["list", "--json", "[1]"]])
      expect(await run(["contacts", ...mistaken]), mistaken.join(" ")).toMatchObject({ code: 2, out: "" });
  });

  it("Ctrl-C stops the command line immediately with a non-zero exit code", async () => {
    let requests = 0;
    const silent = await serve(() => void requests++);
    const send = start(["messages", "send", "--to", "+14155557203", "--text", "a"], { TIDINGS_BASE_URL: silent });
    await eventually("The request", 20_000, async () => requests > 0 || null);
    expect([(await pressCtrlC(send)).out, send.child.signalCode]).toEqual(["", "SIGINT"]);
  });
});

describe("tidings events tail", () => {
  it("`tidings events tail` prints events as they happen, and Ctrl-C stops it without an error", async () => {
    const tail = start(["events", "tail", "--types", "contact.created", "--json"]);
    const lines = () => tail.ran.out.split("\n").slice(0, -1);
    let made = 0;
    await eventually("The first event", 20_000, async () => {
      await tidings.contacts.upsert({ phone: `+1415555${7300 + made++}`, name: "New\u009b\nline" });
      return lines().length > 0 || null;
    });
    expect((await pressCtrlC(tail)).code).toBe(0);
    for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ type: "contact.created" });
    expect(tail.ran.out).not.toContain("\u009b");
  });
});

const TOO_MANY = JSON.stringify({
  success: false,
  error: { code: "rate_limited", message: "Too many requests.", details: null },
  request_id: "r",
});

describe("tidings listen", () => {
  it("`tidings listen` forwards each event once, in order and with a valid signature, even after outages of either side", async () => {
    let upstream: "up" | "down" | "busy" = "up";
    const met = new Set<string>();
    const proxy = await serve(async (request, response) => {
      const headers = { Authorization: request.headers.authorization ?? "" };
      // The last request waits until the service stops.
      const pass = async () => fetch(`${service.url}${request.url}`, { headers }).catch(() => null);
      const passed = upstream === "up" ? await pass() : null;
      const body = await passed?.text();
      if (upstream !== "up") met.add(upstream);
      if (upstream === "busy") return void response.writeHead(429, { "Retry-After": "1" }).end(TOO_MANY);
      if (upstream === "down" || passed === null) return void request.socket.destroy();
      response.writeHead(passed.status).end(body);
    });
    const secret = `whsec_${Buffer.from("a secret of 24 bytes ok!").toString("base64")}`;
    const received: string[] = [];
    let refusals = 1;
    const hook = await serve(async (request, response) => {
      const delivery = webhooks.verify(await text(request), request.headers, secret);
      if (refusals-- > 0) return void response.writeHead(503).end();
      const phone = delivery.type === "contact.created" ? delivery.data.contact?.phone : undefined;
      received.push(phone ?? String(delivery.type));
      response.writeHead(204).end();
    });
    const add = async (phone: string) => tidings.contacts.upsert({ phone });
    const has = (phone: string) =>
      eventually(`The delivery of ${phone}`, 30_000, () => received.includes(phone) || null);

    const env = { TIDINGS_BASE_URL: proxy, TIDINGS_WEBHOOK_SECRET: secret };
    const { next_after: last } = await tidings.events.list({ after: "now" });
    const listen = start(["listen", "--forward", hook, "--types", "contact.created", "--after", last], env);
    await add("+14155557401");
    await has("+14155557401");
    expect(listen.ran.out).not.toContain(secret);
    for (const [state, phone] of [
      ["down", "+14155557402"],
      ["busy", "+14155557403"],
    ] as const) {
      upstream = state;
      await add(phone);
      await eventually(`A request while it is ${state}`, 30_000, () => met.has(state) || null);
      upstream = "up";
      await has(phone);
    }
    const { code, out, err } = await pressCtrlC(listen);
    expect([code, ...received]).toEqual([0, "+14155557401", "+14155557402", "+14155557403"]);
    expect(out).toMatch(/contact\.created evt_\w+ → 503[^]*contact\.created evt_\w+ → 204/);
    expect(err).toMatch(/network_error[^]*Connected again[^]*rate_limited[^]*Connected again[^]*--after evt_\w+/);
  });
});
