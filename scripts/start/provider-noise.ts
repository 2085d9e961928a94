// What the local runtime prints of providers that cannot be reached. Their connections and messages say so already.
import { stripVTControlCharacters } from "node:util";

/** Names, addresses and certificates that do not work; errors of the product itself come from other places. */
const UNREACHABLE = /\[ERROR\] e = \S*(?:kj-rs-io|kj\/async-io|kj\/compat\/(?:tls|http))\S*:\d+: /;

/** The same error as code that nobody awaits is told of it: by the id at the end of the stack. */
const TOLD_AGAIN = /\[ERROR\] Uncaught Error: internal error; reference = (\w+)/;

const STACK_ID = /; wdErrId = (\w+)$/;

/** What follows such an error: the addresses of the runtime's functions, and empty lines around them. */
const REST = /^\s*(?:stack: .*)?$/;

/** Tells of each line in turn whether it is to be shown. */
export function withoutProviderNoise(): (line: string) => boolean {
  const hiddenIds = new Set<string>();
  let isWithin = false;
  return (line) => {
    const text = stripVTControlCharacters(line);
    const isRepeat = hiddenIds.delete(TOLD_AGAIN.exec(text)?.[1] ?? "");
    isWithin = isRepeat || UNREACHABLE.test(text) || (isWithin && REST.test(text));
    const stackId = STACK_ID.exec(text)?.[1];
    if (isWithin && stackId !== undefined) hiddenIds.add(stackId);
    return !isWithin;
  };
}
