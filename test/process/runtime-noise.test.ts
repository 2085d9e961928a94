import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNoiseFilter } from "../../scripts/start/runtime-noise.ts";

const red = (text: string) =>
  `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${text}\u001b[0m`;

const stack =
  "  stack: /node_modules/workerd@57ff0c0 /node_modules/workerd@565f670; wdErrId = fnn8qt2qs25jdjh2momrvm1c";

const unreachable = [red("e = kj/async-io-unix.c++:186: failed: connect(): Connection refused"), "", stack, "", ""];
const repetition = red("Uncaught Error: internal error; reference = fnn8qt2qs25jdjh2momrvm1c ");
const other = red("Uncaught Error: internal error; reference = m5ioso7qjffqnqogen886and ");

function filter() {
  const lines: string[] = [];
  const noise = createNoiseFilter((line) => lines.push(line));
  return { shown: lines, end: noise.end, write: (...written: string[]) => written.forEach(noise.write) };
}

function shown(...lines: string[]): string[] {
  const noise = filter();
  noise.write(...lines);
  noise.end();
  return noise.shown;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("Errors of the local runtime", () => {
  it.each([
    "e = rust/cxx/kj-rs-io/ffi.rs:176: failed: getaddrinfo(): DNS lookup failed. host = waha.invalid; service = (none)",
    "e = kj/compat/tls.c++:82: failed: OpenSSL error; message = error:100000f7:SSL routines:WRONG_VERSION_NUMBER",
    "e = kj/async-io-unix.c++:186: failed: connect(): Network is unreachable",
    "e = rust/worker/ffi.rs:104: failed: TLS handshake failed: received corrupt message of type InvalidContentType",
  ])("The start script hides the runtime's error if a provider cannot be reached: %s", (message) => {
    expect(shown("before", red(message), "", stack, "", "", "after")).toEqual(["before", "after"]);
    expect(shown(red(message), "", stack, "", "", red(message), "", stack, "", "", "after")).toEqual(["after"]);
  });

  it.each([
    ["Uncaught Error: Network connection lost. "],
    [
      "Error inside ProxyWorker (the affected request failed): POST http://x/y (failed after 1 attempt): Network connection lost.",
    ],
    [
      "kj::getCaughtExceptionAsKj() = rust/cxx/kj-rs-io/ffi.rs:159: disconnected: write(): Broken pipe",
      "",
      "  stack: @56",
    ],
    [
      "Failed to drain the unused request body. Error: Network connection lost.",
      "",
      "      at async x {",
      "    retryable: true",
      "  }",
    ],
  ])("The start script hides the runtime's error if a caller disconnects during a request: %s", (message, ...rest) => {
    expect(shown("before", red(message), ...rest, "", "", "after")).toEqual(["before", "after"]);
  });

  it("If the runtime prints a hidden error again as an internal error with the same id, the start script hides it before and after the error", () => {
    expect(shown(...unreachable, repetition, "", "", "after")).toEqual(["after"]);
    expect(shown(repetition, "", "", "between", ...unreachable, "after")).toEqual(["between", "after"]);
    expect(shown(...unreachable, repetition, "", repetition)).toEqual([repetition]);
  });

  it("If no hidden error has the id of an internal error, the start script prints the internal error after a second or when the script ends", () => {
    const noise = filter();
    noise.write(other, "", "", "after");
    expect(noise.shown).toEqual(["after"]);
    vi.advanceTimersByTime(1000);
    expect(noise.shown).toEqual(["after", other, "", ""]);
    noise.write(repetition);
    noise.end();
    expect(noise.shown).toEqual(["after", other, "", "", repetition]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("If two internal errors have the same id and no hidden error has it, the start script prints both", () => {
    const noise = filter();
    noise.write(other, "", "between", other, "after");
    expect(noise.shown).toEqual(["between", other, "", "after"]);
    noise.end();
    expect(noise.shown).toEqual(["between", other, "", "after", other]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("If an internal error was printed after a second, the start script also prints the stack that arrives later", () => {
    const noise = filter();
    noise.write(other);
    vi.advanceTimersByTime(1000);
    noise.write(stack, "");
    expect(noise.shown).toEqual([other, stack, ""]);
  });

  it("The start script prints other errors of the runtime with their stacks", () => {
    for (const message of [
      "Uncaught Error: getaddrinfo() was asked for nothing",
      "Uncaught Error: Network connection lost while a campaign was sent",
      "e = workerd/io/worker.c++:12: failed: expected a lock",
      "Build failed with 1 error:",
    ]) {
      const lines = [red(message), "", stack, "", "after"];
      expect(shown(...lines)).toEqual(lines);
    }
    expect(shown("", stack, "")).toEqual(["", stack, ""]);
  });
});
