// Replies show at once, on their way, and go out one after the other. What could not be sent stays in the browser until it was: over
// reloads and in other tabs, too. Each has a token, so that it is sent once however often it is tried, as long as the token holds.
import { makeButton } from "./elements.client.js";
import { forgetQuote } from "./quote.client.js";
import { csrfToken, encodeFields, isSignedOut, isTemporaryFailure, memberId, parsePage } from "./requests.client.js";
import { adoptNewerToken, signInAgain } from "./sign-in.client.js";
import { sendFields } from "./swap.client.js";

/**
 * @typedef {{ token: string, at?: number, text: string, action: string, fields: [string, string][], reason: string | null }} Reply
 * `at`: when it was first sent, in ms since the epoch; earlier versions did not keep it. `reason`: why it was not sent.
 */

const PARTS = ["thread", "conversations", "window", "thread-acts", "thread-marks"];
const conversationId = document.querySelector("[data-conversation]")?.getAttribute("data-conversation") ?? "";
/** Only the member who wrote a reply sends it. */
const OUTBOX = `outbox:${memberId()}:${conversationId}`;

/** Tokens hold for 24 hours, of which one is left for slow connections. After that a reply whose answer was lost would be sent twice. */
const REPEATABLE_MS = 23 * 60 * 60 * 1000;

const SIGNED_OUT = "Your session has ended.";
const STALE = "You are signed in anew. Reload the page.";
const WAITS = "It waits, as the one before was not sent.";

/** Oldest first.
 * @type {() => Reply[]} */
const readOutbox = () => JSON.parse(localStorage.getItem(OUTBOX) ?? "[]");

/** @type {(reply: Reply) => boolean} */
const isRepeatable = ({ at = 0 }) => Date.now() - at < REPEATABLE_MS;

const nextReply = () => readOutbox().find(isRepeatable);

/** Changes what is kept, which all tabs share, and shows it.
 * @type {(act: (replies: Reply[]) => Reply[]) => void} */
function changeOutbox(act) {
  const replies = act(readOutbox());
  if (replies.length === 0) localStorage.removeItem(OUTBOX);
  else localStorage.setItem(OUTBOX, JSON.stringify(replies));
  show();
}

/** As forms have them: 26 letters and digits. */
const newToken = () =>
  `form_${Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => (byte % 32).toString(32)).join("")}`;

/** @type {(reply: Reply) => void} */
const discard = ({ token }) => changeOutbox((replies) => replies.filter((each) => each.token !== token));

/** Puts the text back into the field.
 * @type {(reply: Reply) => void} */
function edit(reply) {
  const field = document.querySelector(".reply-form textarea");
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.value = [reply.text, field.value].filter((text) => text !== "").join("\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  discard(reply);
}

/** @type {(reply: Reply) => HTMLLIElement} */
function createBubble(reply) {
  const bubble = document.createElement("li");
  bubble.className = `message out ${reply.reason === null ? "pending" : "unsent"}`;
  const body = document.createElement("p");
  body.className = "body said";
  body.textContent = reply.text;
  const state = document.createElement("p");
  state.className = "meta";
  const isUnknown = !isRepeatable(reply);
  const unsent = isUnknown ? "This may or may not have been sent." : `Not sent. ${reply.reason}`;
  state.textContent = reply.reason === null ? "Sending …" : unsent;
  if (reply.reason !== null)
    state.append(
      " ",
      isUnknown ? makeButton("quiet", "Discard", () => discard(reply)) : makeButton("quiet", "Try again", retry),
      makeButton("quiet", "Edit", () => edit(reply)),
    );
  bubble.append(body, state);
  return bubble;
}

/** Below the messages, which are swapped without it. */
function show() {
  let list = document.getElementById("outgoing");
  if (list === null) {
    list = document.createElement("ol");
    list.id = "outgoing";
    list.className = "thread-messages";
    list.setAttribute("aria-live", "polite");
    document.querySelector(".messages")?.prepend(list); // it is laid out from its end
  }
  list.replaceChildren(...readOutbox().map(createBubble));
  document.querySelector(".messages")?.scrollTo({ top: 0 });
}

/** Why an answer is a refusal; null where the reply is accepted.
 * @type {(response: Response | null, html: string) => string | null} */
function readRefusal(response, html) {
  if (response === null) return "You're offline.";
  if (isSignedOut(response)) return SIGNED_OUT;
  if (isTemporaryFailure(response)) return "Tidings couldn't send it just now.";
  if (response.status === 403) return STALE;
  if (response.ok) return null;
  const page = parsePage(html);
  const said = page.querySelector("#reply .fault:not(:empty), #reply .banner, main p")?.textContent;
  return said?.trim() ?? "Tidings refused it.";
}

/** The reason of a refusal, or null. Where the member has signed in anew in another tab, it goes out with that session's token.
 * @type {(reply: Reply) => Promise<string | null>} */
async function send(reply) {
  const body = new URLSearchParams(reply.fields);
  body.set("csrf_token", csrfToken());
  const refusal = await sendFields(reply.action, body, PARTS, readRefusal, () => discard(reply));
  if (refusal !== STALE) return refusal;
  const session = await adoptNewerToken();
  if (session === "ended") return SIGNED_OUT;
  return session === "adopted" ? send(reply) : refusal;
}

/** In order: what could not be sent keeps back what was written after it. One tab sends at a time. */
const sendWaiting = () =>
  navigator.locks.request(OUTBOX, async () => {
    for (let reply = nextReply(); reply?.reason === null; reply = nextReply()) {
      const { token } = reply;
      const refusal = await send(reply);
      if (refusal !== null)
        changeOutbox((all) => all.map((each) => ({ ...each, reason: each.token === token ? refusal : WAITS })));
    }
  });

function sendAgain() {
  changeOutbox((replies) => replies.map((each) => (isRepeatable(each) ? { ...each, reason: null } : each)));
  void sendWaiting();
}

/** Once signed in, all that waits is sent. */
function retry() {
  if (nextReply()?.reason === SIGNED_OUT) void signInAgain();
  else sendAgain();
}

// Before other scripts hear of it: what they do with a form they swap is done here.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".reply-form[data-swap]")) return;
    const fields = new FormData(form, event.submitter);
    const text = fields.get("text");
    const isPlain = typeof text === "string" && text.trim() !== "" && !fields.get("media_id") && !fields.get("send_at");
    if (!isPlain || (event.submitter?.hasAttribute("formaction") ?? false)) return;
    event.preventDefault();
    event.stopPropagation();
    const token = newToken();
    fields.set("once", token);
    const reason = (nextReply()?.reason ?? null) === null ? null : WAITS;
    const reply = { token, at: Date.now(), text, action: form.action, fields: [...encodeFields(fields)], reason };
    changeOutbox((replies) => [...replies, reply]);
    const field = form.querySelector("textarea");
    if (field !== null) {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    }
    document.getElementById("quote")?.replaceChildren();
    forgetQuote();
    void sendWaiting();
  },
  { capture: true },
);

addEventListener("online", sendAgain);
document.addEventListener("signed-in", () => {
  if (nextReply()?.reason === SIGNED_OUT) sendAgain();
});
addEventListener("storage", ({ key }) => {
  if (key === OUTBOX) show();
});

// Replies that were on their way when the page was left, unless another tab is sending them.
void navigator.locks.request(OUTBOX, { ifAvailable: true }, (lock) => {
  const reason = "The page was left before it was.";
  if (lock !== null) changeOutbox((replies) => replies.map((reply) => ({ ...reply, reason: reply.reason ?? reason })));
});
show();
