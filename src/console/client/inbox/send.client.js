import { make, makeButton } from "../elements.client.js";
import {
  changeOutbox,
  changeReply,
  CURRENT_OUTBOX as OUTBOX,
  isRepeatable,
  mayHaveBeenSent,
  nextReply,
  OFFLINE,
  readOutbox,
  removeReply,
  sendNow,
  SIGNED_OUT,
} from "./outbox.client.js";
import { forgetQuote } from "./draft-marks.client.js";
import { encodeFields, signInAgain } from "../requests.client.js";

/** @typedef {import("./outbox.client.js").Reply} Reply */

/** Creates a form token: `form_` and 26 letters or digits. */
const newToken = () =>
  `form_${Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => (byte % 32).toString(32)).join("")}`;

/** @type {(reply: Reply) => void} */
function edit(reply) {
  const field = document.querySelector(".reply-form textarea");
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.value = [reply.text, field.value].filter((text) => text !== "").join("\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  removeReply(OUTBOX, reply);
}

/** Replies that the user wants to discard although they may have been sent. The user must confirm this.
 * @type {Set<string>} */
const toBeConfirmed = new Set();

/** @type {(reply: Reply, isConfirming: boolean) => void} */
function confirmDiscard({ token }, isConfirming) {
  if (isConfirming) toBeConfirmed.add(token);
  else toBeConfirmed.delete(token);
  show();
  const button = document.querySelector(`#outgoing [data-token="${token}"] button`);
  if (button instanceof HTMLButtonElement) button.focus();
}

/** Sends the reply again. If the member is signed out, opens the sign-in instead. After the sign-in, all waiting
 * replies are sent.
 * @type {(reply: Reply) => void} */
function retry(reply) {
  if (reply.delay === SIGNED_OUT) return void signInAgain();
  changeReply(OUTBOX, reply, { refusal: null, delay: null });
  void sendNow(OUTBOX);
}

/** Returns the state of a reply as text, and its buttons. None of the buttons can send the reply a second time.
 * @type {(reply: Reply, next: Reply | undefined) => { text: string, buttons: HTMLButtonElement[] }} */
function describeReply(reply, next) {
  const tryAgain = makeButton("quiet", "Try again", () => retry(reply));
  const change = makeButton("quiet", "Edit", () => edit(reply));
  const remove = makeButton("quiet", "Discard", () => removeReply(OUTBOX, reply));
  const ask = makeButton("quiet", "Discard", () => confirmDiscard(reply, true));
  const withdraw = mayHaveBeenSent(reply) ? [ask] : [change];
  const { refusal, delay = null } = reply;
  if (refusal) return { text: `Not sent. ${refusal}`, buttons: [tryAgain, change] };
  if (!isRepeatable(reply)) {
    const text = mayHaveBeenSent(reply) ? "This message might have been sent." : "Not sent within 23 hours.";
    return { text, buttons: [remove, change] };
  }
  if (toBeConfirmed.has(reply.token)) {
    const leave = makeButton("quiet", "Keep", () => confirmDiscard(reply, false));
    return { text: "This message might already be sent, so you can't cancel it.", buttons: [remove, leave] };
  }
  if (next !== undefined && reply.token !== next.token && (next.delay ?? null) !== null)
    return { text: "Waiting for the previous message.", buttons: withdraw };
  if (delay === null) return { text: "Sending …", buttons: [] };
  if (delay === OFFLINE) return { text: delay, buttons: withdraw };
  const text = delay === SIGNED_OUT && !mayHaveBeenSent(reply) ? `Not sent. ${delay}` : delay;
  return { text, buttons: [tryAgain, ...withdraw] };
}

/** @type {(reply: Reply, next: Reply | undefined) => HTMLLIElement} */
function createBubble(reply, next) {
  const { text, buttons } = describeReply(reply, next);
  const state = buttons.length === 0 ? "pending" : "unsent";
  const body = make("p", { class: "body said" }, reply.text);
  const meta = make("p", { class: "meta" }, text, " ", ...buttons);
  return make("li", { class: `message out ${state}`, "data-token": reply.token }, body, meta);
}

let rendered = "";

function show() {
  const replies = readOutbox(OUTBOX);
  const wanted = JSON.stringify([replies, [...toBeConfirmed]]);
  if (wanted === rendered) return;
  rendered = wanted;
  let list = document.getElementById("outgoing");
  if (list === null) {
    list = make("ol", { id: "outgoing", class: "thread-messages", "aria-live": "polite" });
    document.querySelector(".messages")?.prepend(list); // `column-reverse` puts the first element at the bottom
  }
  list.replaceChildren(...replies.map((reply) => createBubble(reply, nextReply(replies))));
  document.querySelector(".messages")?.scrollTo({ top: 0 });
}

/** Returns null if the reply has a file or is scheduled. The browser then submits the form itself.
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

/** @type {(reply: Reply) => boolean} */
function keep(reply) {
  try {
    changeOutbox(OUTBOX, (replies) => [...replies, reply]);
    return true;
  } catch {
    return false;
  }
}

/**
 * True for a short time after a reply was sent. A second click on Send is then ignored, because it would report
 * an empty field.
 */
let isJustSent = false;

// `capture` makes this listener run before the one that submits other forms.
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
