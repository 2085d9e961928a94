// Replies show at once, on their way, and go out one after the other. One of which nobody knows whether it was sent is tried again by
// itself; only one that surely was not sent can be edited.
import { make, makeButton } from "./elements.client.js";
import {
  changeOutbox,
  changeReply,
  isRepeatable,
  mayBeSent,
  nextOf,
  OFFLINE,
  outboxOf,
  readOutbox,
  removeReply,
  sendNow,
  SIGNED_OUT,
} from "./outbox.client.js";
import { forgetQuote } from "./quote.client.js";
import { encodeFields } from "./requests.client.js";
import { signInAgain } from "./sign-in.client.js";

/** @typedef {import("./outbox.client.js").Reply} Reply */

const OUTBOX = outboxOf(document.querySelector("[data-conversation]")?.getAttribute("data-conversation") ?? "");

/** As forms have them: 26 letters and digits. */
const newToken = () =>
  `form_${Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => (byte % 32).toString(32)).join("")}`;

/** Puts the text back into the field.
 * @type {(reply: Reply) => void} */
function edit(reply) {
  const field = document.querySelector(".reply-form textarea");
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.value = [reply.text, field.value].filter((text) => text !== "").join("\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  removeReply(OUTBOX, reply);
}

/** Tokens of replies that the member may want to discard.
 * @type {Set<string>} */
const inDoubt = new Set();

/** @type {(reply: Reply, isDoubted: boolean) => void} */
function doubt({ token }, isDoubted) {
  if (isDoubted) inDoubt.add(token);
  else inDoubt.delete(token);
  show();
  const button = document.querySelector(`#outgoing [data-token="${token}"] button`);
  if (button instanceof HTMLButtonElement) button.focus();
}

/** Once signed in, all that waits is sent.
 * @type {(reply: Reply) => void} */
function retry(reply) {
  if (reply.delay === SIGNED_OUT) return void signInAgain();
  changeReply(OUTBOX, reply, { refusal: null, delay: null });
  void sendNow(OUTBOX);
}

/** What is said of a reply, and the buttons beside it. Nothing is offered that could send it twice.
 * @type {(reply: Reply, next: Reply | undefined) => { text: string, buttons: HTMLButtonElement[] }} */
function describe(reply, next) {
  const tryAgain = makeButton("quiet", "Try again", () => retry(reply));
  const change = makeButton("quiet", "Edit", () => edit(reply));
  const remove = makeButton("quiet", "Discard", () => removeReply(OUTBOX, reply));
  const ask = makeButton("quiet", "Discard", () => doubt(reply, true));
  const takeAway = mayBeSent(reply) ? [ask] : [change];
  const { refusal, delay = null } = reply;
  if (refusal) return { text: `Not sent. ${refusal}`, buttons: [tryAgain, change] };
  if (!isRepeatable(reply)) {
    const text = mayBeSent(reply) ? "This may or may not have been sent." : "Not sent. It has waited for a day.";
    return { text, buttons: [remove, change] };
  }
  if (inDoubt.has(reply.token)) {
    const leave = makeButton("quiet", "Keep", () => doubt(reply, false));
    return { text: "It may have been sent already, and is not taken back.", buttons: [remove, leave] };
  }
  if (next !== undefined && reply.token !== next.token && (next.delay ?? null) !== null)
    return { text: "It waits for the one before.", buttons: takeAway };
  if (delay === null) return { text: "Sending …", buttons: [] };
  if (delay === OFFLINE) return { text: delay, buttons: takeAway };
  const text = delay === SIGNED_OUT && !mayBeSent(reply) ? `Not sent. ${delay}` : delay;
  return { text, buttons: [tryAgain, ...takeAway] };
}

/** @type {(reply: Reply, next: Reply | undefined) => HTMLLIElement} */
function createBubble(reply, next) {
  const { text, buttons } = describe(reply, next);
  const state = buttons.length === 0 ? "pending" : "unsent";
  const bubble = make("li", { class: `message out ${state}`, "data-token": reply.token });
  const meta = make("p", { class: "meta" });
  meta.append(text, " ", ...buttons);
  bubble.append(make("p", { class: "body said" }, reply.text), meta);
  return bubble;
}

let shown = "";

/** Below the messages, which are swapped without it. What stays the same is left alone, as somebody may be about to press it. */
function show() {
  const replies = readOutbox(OUTBOX);
  const wanted = JSON.stringify([replies, [...inDoubt]]);
  if (wanted === shown) return;
  shown = wanted;
  let list = document.getElementById("outgoing");
  if (list === null) {
    list = make("ol", { id: "outgoing", class: "thread-messages", "aria-live": "polite" });
    document.querySelector(".messages")?.prepend(list); // it is laid out from its end
  }
  list.replaceChildren(...replies.map((reply) => createBubble(reply, nextOf(replies))));
  document.querySelector(".messages")?.scrollTo({ top: 0 });
}

/** Null for what the form itself sends: files, and what is to be sent later.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null) => Reply | null} */
function readReply(form, submitter) {
  const fields = new FormData(form, submitter);
  const text = fields.get("text");
  const isPlain = typeof text === "string" && text.trim() !== "" && !fields.get("media_id") && !fields.get("send_at");
  if (!isPlain || (submitter?.hasAttribute("formaction") ?? false)) return null;
  const token = newToken();
  fields.set("once", token);
  return { token, at: Date.now(), text, action: form.action, fields: [...encodeFields(fields)], wasTried: false };
}

/** False where the browser has no room for it.
 * @type {(reply: Reply) => boolean} */
function keep(reply) {
  try {
    changeOutbox(OUTBOX, (replies) => [...replies, reply]);
    return true;
  } catch {
    return false;
  }
}

/** True until something is written after a reply: a second press sends nothing, and finds no fault with the empty field. */
let isJustSent = false;

// Before other scripts hear of it: what they do with a form they swap is done here.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".reply-form[data-swap]")) return;
    const reply = readReply(form, event.submitter);
    if (reply === null || !keep(reply)) return;
    event.preventDefault();
    event.stopPropagation();
    const field = form.querySelector("textarea");
    if (field !== null) {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    }
    isJustSent = true;
    document.getElementById("quote")?.replaceChildren();
    forgetQuote();
    void sendNow(OUTBOX);
  },
  { capture: true },
);

document.addEventListener("input", () => (isJustSent = false));
document.addEventListener(
  "invalid",
  (event) => {
    const isReply = event.target instanceof HTMLTextAreaElement && event.target.matches(".reply-form textarea");
    if (isReply && isJustSent && event.target.value === "") event.preventDefault();
  },
  { capture: true },
);
document.addEventListener("outbox-changed", show);
show();
