import { describe, expect, it } from "vitest";
import { withoutProviderNoise } from "../../scripts/start/provider-noise.ts";

const red = (text: string) =>
  `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${text}\u001b[0m`;

const stack =
  "  stack: /node_modules/workerd@57ff0c0 /node_modules/workerd@565f670; wdErrId = fnn8qt2qs25jdjh2momrvm1c";

const shown = (...lines: string[]) => lines.filter(withoutProviderNoise());

describe("errors of the local runtime", () => {
  it.each([
    "e = rust/cxx/kj-rs-io/ffi.rs:176: failed: getaddrinfo(): DNS lookup failed. host = waha.invalid; service = (none)",
    "e = kj/compat/tls.c++:82: failed: OpenSSL error; message = error:100000f7:SSL routines:WRONG_VERSION_NUMBER",
    "e = kj/async-io-unix.c++:186: failed: connect(): Network is unreachable",
  ])("are not shown where they say that a provider cannot be reached: %s", (message) => {
    expect(shown("before", red(message), "", stack, "", "", "after")).toEqual(["before", "after"]);
    expect(shown(red(message), "", stack, "", "", red(message), "", stack, "", "", "after")).toEqual(["after"]);
  });

  it("are not shown either where they name such an error by its id, once", () => {
    const unreachable = [red("e = kj/async-io-unix.c++:186: failed: connect(): Connection refused"), "", stack, "", ""];
    const again = red("Uncaught Error: internal error; reference = fnn8qt2qs25jdjh2momrvm1c ");
    const other = red("Uncaught Error: internal error; reference = m5ioso7qjffqnqogen886and ");
    expect(shown(...unreachable, again, "", "", other, "after", again)).toEqual([other, "after", again]);
  });

  it("are shown where they say anything else, with their stacks", () => {
    for (const message of [
      "Uncaught Error: getaddrinfo() was asked for nothing",
      "e = workerd/io/worker.c++:12: failed: expected a lock",
      "Build failed with 1 error:",
    ]) {
      const lines = [red(message), "", stack, "", "after"];
      expect(shown(...lines)).toEqual(lines);
    }
    expect(shown("", stack, "")).toEqual(["", stack, ""]);
  });
});
