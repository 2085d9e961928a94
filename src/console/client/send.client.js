// Replies show at once, on their way, and go out one after the other. What could not be sent stays in the browser until it was: over
// reloads, too. Each has a token, so that it is sent once however often it is tried.
import { encodeFields, isTemporaryFailure, memberId, parsePage } from "./requests.client.js";
import { signInAgain } from "./sign-in.client.js";
import { sendFields } from "./swap.client.js";

/** @typedef {{ text: string, action: string, fields: [string, string][], reason: string | null }} Reply `reason`: why it was not sent. */

const PARTS = ["thread", "conversations", "window", "thread-acts"];
const OUTBOX = `outbox:${memberId()}:${location.pathname}`;

const SIGNED_OUT = "Your session has ended.";

/** @type {Reply[]} */
let replies = [];
let isSending = false;

const store = () =>
  replies.length === 0 ? localStorage.removeItem(OUTBOX) : localStorage.setItem(OUTBOX, JSON.stringify(replies));

/** As forms have them: 26 letters and digits. */
const newToken = () =>
  `form_${Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => (byte % 32).toString(32)).join("")}`;

/** @type {(label: string, act: () => void) => HTMLButtonElement} */
function createButton(label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = label;
  button.addEventListener("click", act);
  return button;
}

/** @type {(reply: Reply) => void} */
function discard(reply) {
  replies = replies.filter((each) => each !== reply);
  store();
  show();
}

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
  state.textContent = reply.reason === null ? "Sending …" : `Not sent. ${reply.reason}`;
  if (reply.reason !== null)
    state.append(
      " ",
      createButton("Try again", () => void retry()),
      createButton("Edit", () => edit(reply)),
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
  list.replaceChildren(...replies.map(createBubble));
  document.querySelector(".messages")?.scrollTo({ top: 0 });
}

/** Why an answer is a refusal; null where the reply is accepted.
 * @type {(response: Response | null, html: string) => string | null} */
function readRefusal(response, html) {
  if (response === null) return "You're offline.";
  if (response.redirected && new URL(response.url).pathname.endsWith("/sign-in")) return SIGNED_OUT;
  if (isTemporaryFailure(response)) return "Tidings couldn't send it just now.";
  if (response.ok) return null;
  const page = parsePage(html);
  const said = page.querySelector("#reply .fault:not(:empty), #reply .banner, main p")?.textContent;
  return said?.trim() ?? "Tidings refused it.";
}

/** In order: what could not be sent keeps back what was written after it. */
async function sendNext() {
  if (isSending) return;
  isSending = true;
  for (let [reply] = replies; reply !== undefined && reply.reason === null; [reply] = replies) {
    const sent = reply;
    const fields = new FormData();
    for (const [name, value] of sent.fields) fields.append(name, value);
    fields.set("csrf_token", document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "");
    const refusal = await sendFields(sent.action, encodeFields(fields), PARTS, readRefusal, () => {
      replies = replies.filter((each) => each !== sent);
    });
    if (refusal !== null) for (const each of replies) each.reason = refusal;
    store();
    show();
  }
  isSending = false;
}

async function retry() {
  if (replies.some(({ reason }) => reason === SIGNED_OUT) && !(await signInAgain())) return;
  for (const each of replies) each.reason = null;
  store();
  show();
  void sendNext();
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
    fields.set("once", newToken());
    const sent = [...encodeFields(fields)];
    replies.push({ text, action: form.action, fields: sent, reason: null });
    store();
    show();
    const field = form.querySelector("textarea");
    if (field !== null) {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    }
    document.getElementById("quote")?.replaceChildren();
    const url = new URL(location.href);
    url.searchParams.delete("reply_to");
    history.replaceState(null, "", url);
    void sendNext();
  },
  { capture: true },
);

addEventListener("online", () => void retry());

const kept = localStorage.getItem(OUTBOX);
if (kept !== null) {
  replies = JSON.parse(kept);
  for (const each of replies) each.reason ??= "The page was left before it was.";
  show();
}
