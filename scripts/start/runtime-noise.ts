// Hides errors that the local runtime prints if a provider is unreachable or a client disconnects.
import { stripVTControlCharacters } from "node:util";

/**
 * Errors of DNS lookups, connections and certificates. They need not be printed, because Tidings shows them at
 * the connection or the message.
 */
const UNREACHABLE = /\[ERROR\] e = \S*(?:rust\/worker|kj-rs-io|kj\/async-io|kj\/compat\/(?:tls|http))\S*:\d+: /;

/**
 * An error that is printed if a client closes its connection. The runtime and wrangler's proxy print it even if
 * the Worker catches it.
 */
const CALLER_LEFT = new RegExp(
  String.raw`\[ERROR\] (?:${[
    String.raw`kj::getCaughtExceptionAsKj\(\) = \S*(?:rust/worker|kj-rs-io)\S*:\d+: disconnected: `,
    "Uncaught Error: Network connection lost\\.\\s*$",
    "Error inside ProxyWorker \\(.*: Network connection lost\\.",
    "Failed to drain the unused request body\\. +Error: Network connection lost\\.",
  ].join("|")})`,
);

/**
 * The second report of an error, which contains the error's id. The runtime prints it if the failed request had
 * a body.
 */
const REPEATED = /\[ERROR\] Uncaught Error: internal error; reference = (\w+)/;

const STACK_ID = /; wdErrId = (\w+)$/;

/** Lines that follow the error: stack, properties and empty lines. */
const REST = /^\s*(?:stack: .*|at .*|retryable: true|\})?$/;

/** The longest time between the two reports of an error. They arrive over two connections, so either can be first. */
const PAIR_MS = 1000;

export interface NoiseFilter {
  write(line: string): void;
  /** Prints the lines that were still waiting for the other report. */
  end(): void;
}

/**
 * Prints all lines except noise. A second report is held back until the error itself arrives, which decides
 * whether it is noise; if none arrives, it is printed.
 */
export function createNoiseFilter(show: (line: string) => void): NoiseFilter {
  const hiddenIds = new Set<string>();
  const waiting = new Map<string, { lines: string[]; timer: NodeJS.Timeout }>();
  let isHidden = false;
  let held: string[] | null = null;

  const release = (id: string) => {
    const repetition = waiting.get(id);
    waiting.delete(id);
    clearTimeout(repetition?.timer);
    return repetition?.lines ?? [];
  };
  const reveal = (id: string) => {
    const lines = release(id);
    if (lines === held) held = null;
    lines.forEach(show);
  };

  return {
    write(line) {
      const text = stripVTControlCharacters(line);
      const repeatedId = REPEATED.exec(text)?.[1];
      if (repeatedId !== undefined) {
        reveal(repeatedId);
        isHidden = hiddenIds.delete(repeatedId);
        held = isHidden ? null : [line];
        if (held !== null)
          waiting.set(repeatedId, { lines: held, timer: setTimeout(() => reveal(repeatedId), PAIR_MS) });
        return;
      }
      const isRest = REST.test(text);
      if (held !== null && isRest) {
        held.push(line);
        return;
      }
      held = null;
      isHidden = UNREACHABLE.test(text) || CALLER_LEFT.test(text) || (isHidden && isRest);
      const stackId = STACK_ID.exec(text)?.[1];
      if (!isHidden) show(line);
      else if (stackId !== undefined && release(stackId).length === 0) hiddenIds.add(stackId);
    },
    end: () => [...waiting.keys()].forEach(reveal),
  };
}
