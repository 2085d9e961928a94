// What the local runtime prints of providers that cannot be reached. Their connections and messages say so already.
import { stripVTControlCharacters } from "node:util";

/** Names, addresses and certificates that do not work; errors of the product itself come from other places. */
const UNREACHABLE = /\[ERROR\] e = \S*(?:kj-rs-io|kj\/async-io|kj\/compat\/(?:tls|http))\S*:\d+: /;

/** What follows such an error: the addresses of the runtime's functions, and empty lines around them. */
const REST = /^\s*(?:stack: .*)?$/;

/** Tells of each line in turn whether it is to be shown. */
export function withoutProviderNoise(): (line: string) => boolean {
  let isWithin = false;
  return (line) => {
    const text = stripVTControlCharacters(line);
    isWithin = UNREACHABLE.test(text) || (isWithin && REST.test(text));
    return !isWithin;
  };
}
