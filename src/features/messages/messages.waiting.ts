// How long a message waits for what it is sent with. Pure. Times in ms.

/** A file that is fetched queues its thread; should that be lost, the message is looked at after this time. */
export const FETCH_WAIT_MS = 60_000;
/** A message that was claimed and whose file is still being fetched is looked at so often. */
export const FILE_POLL_MS = 5000;

/** A message that answers one that has not left yet waits for it so long; then it goes without the quote. */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
