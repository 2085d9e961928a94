// Hides errors that the local runtime prints if a provider is unreachable or a client disconnects. The runtime can
// report one error twice. Both reports contain the same id.
import { stripVTControlCharacters } from "node:util";

/**
 * Errors of DNS lookups, connections and certificates. Tidings stores these errors with the connection or the
 * message, where the user sees them, so they are not printed.
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
 * The second report of an error, which shows only the error's id. The runtime prints it if the failed request had
 * a body.
 */
const REPEATED = /\[ERROR\] Uncaught Error: internal error; reference = (\w+)/;

const STACK_ID = /; wdErrId = (\w+)$/;

/** Lines that belong to the error above them: its stack, its properties and empty lines. */
const REST = /^\s*(?:stack: .*|at .*|retryable: true|\})?$/;

/**
 * How long a second report waits for the first one. The two reports arrive over two connections, so the second one
 * can be printed before the first.
 */
const PAIR_MS = 1000;

export interface NoiseFilter {
  write(line: string): void;
  /** Prints the second reports that were still waiting for their first report. */
  end(): void;
}

/**
 * Prints all lines except noise. A second report does not show what the error was, so the filter keeps it for
 * `PAIR_MS`. If the first report arrives before this time has passed and is noise, the filter hides both. Otherwise it
 * prints the second one.
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
