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

describe("Failed queries in the log", () => {
  it("A failed query is logged with statement, cause and stack, but without parameters", () => {
    const { line, event, requestId, error } = logged(failedQuery());
    expect({ event, requestId }).toEqual({ event: "request_failed", requestId: "req_1" });
    expect(error.message).toBe("Failed query: insert into messages values (?, ?, ?)");
    expect(error.cause.message).toBe("D1_ERROR: database is locked");
    expect(error.stack[0]).toMatch(/^at .*logger\.test/);
    expectNoSecrets(line);
  });

  it("If a failed query is the cause of an error or one of several errors, it is logged without parameters", () => {
    const deep = new Error("Outer", { cause: new Error("Middle", { cause: failedQuery() }) });
    const { line, error } = logged(deep);
    expect(error.cause.cause.message).toMatch(/^Failed query: insert/);
    expectNoSecrets(line);

    const several = logged(new AggregateError([failedQuery(), deep], "Several"));
    expect(several.error.errors).toHaveLength(2);
    expectNoSecrets(several.line);
  });

  it("An error is logged without stack frames if its stack does not begin with its message", () => {
    const error = failedQuery();
    error.message = "Something else";
    expectNoSecrets(logged(error).line);
  });

  it("If the cause of an error is not an error itself, its parameters are not logged", () => {
    const cause = { params: secrets };
    expectNoSecrets(logged(new Error("Failed", { cause })).line);
  });
});

describe("Unreadable input in the log", () => {
  it("The log does not quote invalid JSON", () => {
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

  it("Input that violates a schema is logged with path and code, but without values", () => {
    const shape = z.object({ contact: z.object({ phone: z.number() }) });
    const { error: thrown } = shape.safeParse({ contact: { phone: secrets[0] } }, { reportInput: true });
    const { line, error } = logged(thrown);
    expect(error.message).toBe("contact.phone: invalid_type");
    expectNoSecrets(line);
  });
});

describe("Lines of the log", () => {
  it("A line of the log has a maximum length, however long its messages and causes are", () => {
    let error = new Error("x".repeat(1_000_000));
    for (let depth = 0; depth < 100; depth++) error = new Error(`${depth}`.repeat(10_000), { cause: error });
    expect(logged(error).line.length).toBeLessThan(60_000);
  });
});
