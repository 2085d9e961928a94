import { env as bindings } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { override } from "../support/override.ts";
import { World } from "../support/world.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
  for (const level of ["log", "info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => void lines.push(said.map(String).join(" ")));
});

afterEach(() => vi.restoreAllMocks());

function failingDatabase() {
  const state = { fails: false };
  const fail = () => Promise.reject(new Error("D1_ERROR: out of memory"));
  const failing = (statement: D1PreparedStatement): D1PreparedStatement =>
    override(statement, {
      bind: (...values: unknown[]) => failing(statement.bind(...values)),
      all: () => (state.fails ? fail() : statement.all()),
      run: () => (state.fails ? fail() : statement.run()),
      raw: () => (state.fails ? fail() : statement.raw()),
    });
  const database = override(bindings.DB, {
    prepare: (sql: string) => failing(bindings.DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => (state.fails ? fail() : bindings.DB.batch(statements)),
  });
  return { database, state };
}

it("Storage errors are logged without numbers, names, texts and session tokens", async () => {
  const { database, state } = failingDatabase();
  const databases = { DB: database, DB_SHARD_1: database };
  const world = new World(databases);
  const customer = await world.customer();
  const visitor = await customer.member("owner");
  await customer.send("+14155551111", "Dear Ada");
  state.fails = true;

  const answers = await Promise.all([
    customer.call("GET", `/contacts?search=${encodeURIComponent("+14155550177")}`),
    customer.call("POST", "/contacts", { phone: "+14155550177", name: "Ada Lovelace" }),
    customer.send("+14155550177", "Dear Ada Lovelace"),
    visitor.request("GET", `/console/${customer.workspaceId}/contacts?search=%2B14155550177`),
    visitor.signIn("a wrong passphrase"),
  ]);
  await world.queues.deliverDue(world.env);
  await world.cron().catch(() => {});
  state.fails = false;

  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
  const text = lines.join("\n");
  expect(lines.length).toBeGreaterThanOrEqual(answers.length);
  expect(text).toContain("D1_ERROR: out of memory");
  const tokens = [...visitor.cookies.values()].flatMap((value) => [
    value,
    decodeURIComponent(value).split(".")[0] ?? value,
  ]);
  for (const part of ["4155550177", "4155551111", "Lovelace", "Dear", "passphrase", visitor.email, ...tokens])
    expect(text, part).not.toContain(part);
});
