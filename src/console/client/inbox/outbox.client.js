// Sends the replies that are stored in this browser, from every page of the console and also after a reload.
// The replies of a conversation are sent in order. Each has a token, so that the server does not send it twice.
import {
  csrfToken,
  isSignedOut,
  isTemporaryFailure,
  memberId,
  parsePage,
  adoptNewerToken,
  offerSignIn,
} from "../requests.client.js";
import { sendFields } from "../renew.client.js";
import { showToast } from "../elements.client.js";

/**
 * @typedef {{ token: string, at?: number, text: string, action: string, fields: [string, string][], wasTried?: boolean,
 *   delay?: string | null, refusal?: string | null, isNotified?: boolean }} Reply
 * `at`: when the reply was written, in ms since the epoch. `wasTried`: an attempt had no response, so the reply might
 * have been sent. Earlier versions stored neither `at` nor `wasTried`. `delay`: why the reply is not sent yet.
 * `refusal`: why
 * the reply is never sent.
 */

const PARTS = ["thread", "conversations", "window", "thread-acts", "thread-marks"];

/**
 * A reply can be retried for this long. The server forgets tokens after 24 hours, after which a retry could
 * send the reply twice; one hour is left for slow connections.
 */
const REPEATABLE_MS = 23 * 60 * 60 * 1000;
const SHORTEST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
const READ_MS = 5000;

export const SIGNED_OUT = "Your session ended.";
export const OFFLINE = "You're offline. The message is sent when you're back online.";
const NO_ANSWER = "Sending … Waiting for a connection.";
const TROUBLE = "Couldn't send. Retrying automatically.";

/** The key contains the member's id: if another member uses this browser, they must not send these replies. */
const OUTBOXES = `outbox:${memberId()}:`;
const currentConversation = document.querySelector("[data-conversation]")?.getAttribute("data-conversation");

/** @type {(conversationId: string) => string} */
export const outboxOf = (conversationId) => OUTBOXES + conversationId;
export const CURRENT_OUTBOX = outboxOf(currentConversation ?? "");

const listOutboxes = () =>
  memberId() === "" ? [] : Object.keys(localStorage).filter((key) => key.startsWith(OUTBOXES));

/** @type {(outbox: string) => Reply[]} */
export const readOutbox = (outbox) => JSON.parse(localStorage.getItem(outbox) ?? "[]");

/** @type {(reply: Reply) => boolean} */
export const isRepeatable = ({ at = 0 }) => Date.now() - at < REPEATABLE_MS;

/** @type {(reply: Reply) => boolean} */
export const mayHaveBeenSent = ({ wasTried }) => wasTried !== false;

/** @type {(replies: Reply[]) => Reply | undefined} */
export const nextReply = (replies) => replies.find((reply) => isRepeatable(reply) && (reply.refusal ?? null) === null);

const announceChange = () => document.dispatchEvent(new CustomEvent("outbox-changed"));

/** Changes the stored replies, which all tabs share. Throws if the browser has no storage left.
 * @type {(outbox: string, act: (replies: Reply[]) => Reply[]) => void} */
export function changeOutbox(outbox, act) {
  const replies = act(readOutbox(outbox));
  if (replies.length === 0) localStorage.removeItem(outbox);
  else localStorage.setItem(outbox, JSON.stringify(replies));
  announceChange();
}

/** @type {(outbox: string, reply: Reply) => void} */
export const removeReply = (outbox, { token }) =>
  changeOutbox(outbox, (replies) => replies.filter((each) => each.token !== token));

/** @type {(outbox: string, reply: Reply, change: Partial<Reply>) => void} */
export const changeReply = (outbox, { token }, change) =>
  changeOutbox(outbox, (replies) => replies.map((each) => (each.token === token ? { ...each, ...change } : each)));

/** @typedef {{ reason: string, isFinal: boolean, mayHaveBeenSent: boolean }} Failure */

/** @type {(reason: string) => Failure} */
const delayed = (reason) => ({ reason, isFinal: false, mayHaveBeenSent: false });
/** @type {(reason: string) => Failure} */
const unknown = (reason) => ({ reason, isFinal: false, mayHaveBeenSent: true });

/** @type {(response: Response | null, html: string) => Failure | null} */
function readFailure(response, html) {
  if (response === null) return unknown(navigator.onLine ? NO_ANSWER : OFFLINE);
  if (isSignedOut(response)) return delayed(SIGNED_OUT);
  if (isTemporaryFailure(response)) return unknown(TROUBLE);
  if (response.ok) return null;
  const page = parsePage(html);
  // The reason is in the form that the server rejected, or on an error page.
  const said =
    page.querySelector("#reply .fault:not(:empty), #reply .banner") ?? page.querySelector("main:not(.panes) p");
  return { reason: said?.textContent.trim() || "Tidings rejected the message.", isFinal: true, mayHaveBeenSent: false };
}

/** Sends one reply. If the server rejects the token because the member signed in again in another tab, sends the
 * reply once more with the token of the new session.
 * @type {(outbox: string, reply: Reply) => Promise<Failure | null>} */
async function send(outbox, reply) {
  const body = new URLSearchParams(reply.fields);
  body.set("csrf_token", csrfToken());
  const parts = outbox === CURRENT_OUTBOX ? PARTS : [];
  let isForbidden = false;
  /** @type {typeof readFailure} */
  const read = (response, html) => {
    isForbidden = response?.status === 403;
    return readFailure(response, html);
  };
  const failure = await sendFields(reply.action, body, parts, read, () => removeReply(outbox, reply));
  if (!isForbidden) return failure;
  const session = await adoptNewerToken().catch(() => "same");
  if (session === "ended") return delayed(SIGNED_OUT);
  return session === "adopted" ? send(outbox, reply) : failure;
}

/** Sends the stored replies in order. If a reply may have been sent, stops until the result is known. If a reply
 * was rejected, continues with the next one.
 * @type {(outbox: string) => Promise<void>} */
async function sendEach(outbox) {
  for (let reply = nextReply(readOutbox(outbox)); reply !== undefined; reply = nextReply(readOutbox(outbox))) {
    if (!navigator.onLine) return changeReply(outbox, reply, { delay: OFFLINE });
    changeReply(outbox, reply, { wasTried: true });
    const failure = await send(outbox, reply);
    if (failure === null) continue;
    const { reason, isFinal } = failure;
    const wasTried = mayHaveBeenSent(reply) || failure.mayHaveBeenSent;
    changeReply(outbox, reply, { wasTried, ...(isFinal ? { refusal: reason, delay: null } : { delay: reason }) });
    if (isFinal) showRefusals();
    else {
      if (reason === SIGNED_OUT && outbox !== CURRENT_OUTBOX) offerSignIn();
      return;
    }
  }
}

/** Sends while holding a lock that all tabs share, so that only one tab sends at a time.
 * @type {(outbox: string, options?: LockOptions) => Promise<void>} */
const sendInTurn = (outbox, options = {}) =>
  navigator.locks.request(outbox, options, (lock) => (lock === null ? undefined : sendEach(outbox)));

let failures = 0;
let trying = 0;

/**
 * Schedules the next attempt, with increasing delays. Also sends the replies that closed tabs left. If the
 * member is signed out, the replies wait for the sign-in.
 */
function scheduleNext() {
  clearTimeout(trying);
  trying = 0;
  const waiting = listOutboxes().map((outbox) => nextReply(readOutbox(outbox)));
  if (waiting.every((reply) => reply === undefined || reply.delay === SIGNED_OUT)) failures = 0;
  else {
    const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** failures++) * (0.75 + Math.random() / 2);
    trying = setTimeout(() => void sendWaiting(), pause);
  }
}

async function sendWaiting() {
  await Promise.allSettled(listOutboxes().map((outbox) => sendInTurn(outbox, { ifAvailable: true })));
  scheduleNext();
}

/** @type {(outbox: string) => Promise<void>} */
export function sendNow(outbox) {
  failures = 0;
  return sendInTurn(outbox).finally(scheduleNext);
}

/** @type {Set<string>} */
const rejected = new Set();

/**
 * Shows a toast for each rejected reply of another conversation. The conversation that is open shows its
 * rejected replies in the thread.
 */
function showRefusals() {
  for (const outbox of listOutboxes())
    for (const reply of readOutbox(outbox)) {
      const { token, text, action, refusal } = reply;
      if (!refusal || reply.isNotified === true || rejected.has(token)) continue;
      rejected.add(token);
      const act = { label: "Open conversation", run: () => location.assign(action) };
      const start = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
      if (outbox !== CURRENT_OUTBOX) showToast(`A reply was not sent: “${start}”. ${refusal}`, { kind: "error", act });
      setTimeout(() => changeReply(outbox, reply, { isNotified: true }), READ_MS);
    }
}

/** Sends the replies that earlier pages left, now and whenever the browser is online again. */
export function sendEarlierReplies() {
  const sendAnew = () => {
    failures = 0;
    void sendWaiting();
  };
  addEventListener("online", sendAnew);
  addEventListener("pageshow", ({ persisted }) => persisted && sendAnew());
  document.addEventListener("signed-in", sendAnew);
  addEventListener("storage", ({ key }) => {
    if (key === null || !key.startsWith(OUTBOXES)) return;
    announceChange();
    if (trying === 0) scheduleNext();
  });
  showRefusals();
  void sendWaiting();
}
