import { DrizzleQueryError } from "drizzle-orm/errors";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { log } from "../../src/shared/logger.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
});

afterEach(() => vi.restoreAllMocks());

function logged(error: unknown) {
  log.error("request_failed", { requestId: "req_1", error });
  const [line = ""] = lines.splice(0);
  return { line, ...JSON.parse(line) };
}

const secrets = ["+14155550100", "Dear Ada,\n    at home (/x.ts:1:1)\nparams: all yours", "session-token-1"];
const failedQuery = () =>
  new DrizzleQueryError("insert into messages values (?, ?, ?)", secrets, new Error("D1_ERROR: database is locked"));

function expectNoSecrets(line: string): void {
  for (const part of ["4155550100", "Dear Ada", "at home", "all yours", "session-token"])
    expect(line).not.toContain(part);
}

describe("A failed query in the log", () => {
  it("has its statement, its cause and where it failed, but not what it was given", () => {
    const { line, event, requestId, error } = logged(failedQuery());
    expect({ event, requestId }).toEqual({ event: "request_failed", requestId: "req_1" });
    expect(error.message).toBe("Failed query: insert into messages values (?, ?, ?)");
    expect(error.cause.message).toBe("D1_ERROR: database is locked");
    expect(error.stack[0]).toMatch(/^at .*logger\.test/);
    expectNoSecrets(line);
  });

  it("has as little of it as a cause, at any depth, and as one of several", () => {
    const deep = new Error("Outer", { cause: new Error("Middle", { cause: failedQuery() }) });
    const { line, error } = logged(deep);
    expect(error.cause.cause.message).toMatch(/^Failed query: insert/);
    expectNoSecrets(line);

    const several = logged(new AggregateError([failedQuery(), deep], "Several"));
    expect(several.error.errors).toHaveLength(2);
    expectNoSecrets(several.line);
  });

  it("has no frames where the stack does not begin with the message", () => {
    const error = failedQuery();
    error.message = "Something else";
    expectNoSecrets(logged(error).line);
  });

  it("has none of it when what was thrown is no error", () => {
    const cause = { params: secrets };
    expectNoSecrets(logged(new Error("Failed", { cause })).line);
  });
});

describe("What could not be read", () => {
  it("is not quoted by the log when it is no JSON", () => {
    let thrown: unknown;
    try {
      JSON.parse(secrets[1] ?? "");
    } catch (error) {
      thrown = error;
    }
    const { line, error } = logged(thrown);
    expect(error).toMatchObject({ name: "SyntaxError", message: "Invalid JSON." });
    expectNoSecrets(line);
  });

  it("is not quoted when it does not fit a schema: the log says where and how", () => {
    const shape = z.object({ contact: z.object({ phone: z.number() }) });
    const { error: thrown } = shape.safeParse({ contact: { phone: secrets[0] } }, { reportInput: true });
    const { line, error } = logged(thrown);
    expect(error.message).toBe("contact.phone: invalid_type");
    expectNoSecrets(line);
  });
});

describe("A line of the log", () => {
  it("is bounded, however long a message or a chain of causes is", () => {
    let error = new Error("x".repeat(1_000_000));
    for (let depth = 0; depth < 100; depth++) error = new Error(`${depth}`.repeat(10_000), { cause: error });
    expect(logged(error).line.length).toBeLessThan(60_000);
  });
});
