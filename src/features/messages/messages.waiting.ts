// How long a message waits for its parts. Pure. Times in ms.

/** A fetched file queues its thread. If that job is lost, the message is checked after this time. */
export const FETCH_WAIT_MS = 60_000;
/** How often a claimed message checks a file that is still being fetched. */
export const FILE_POLL_MS = 5000;

/** How long a reply waits for a quoted message that is not sent yet. After this the reply is sent without the quote. */
export const QUOTE_WAIT_MS = 10_000;
export const QUOTE_POLL_MS = 1000;
