import { sendView } from "../live.client.js";

/** @import { PresentMember } from "../live.client.js" */

const REPEAT_MS = 4000;
/** If a member has not pressed a key for this long, others see them as viewing instead of typing. */
const PAUSE_MS = 6000;
const LOST_MS = 10_000;

const findLabel = () => document.querySelector("[data-conversation]");
const conversationId = () => findLabel()?.getAttribute("data-conversation") ?? null;

const OBJECT = matchMedia("(max-width: 48rem)").matches ? "" : " this";

/** @type {PresentMember[]} */
let members = [];
let losing = 0;

/** @type {(presence: PresentMember["presence"], one: string, several: string) => string[]} */
function describe(presence, one, several) {
  const names = members.filter((member) => member.presence === presence).map(({ name }) => name);
  if (names.length === 0) return [];
  return [`${new Intl.ListFormat("en").format(names)} ${names.length === 1 ? one : several}`];
}

function show() {
  const label = findLabel();
  if (label === null) return;
  const texts = [
    ...describe("typing", "is replying", "are replying"),
    ...describe("looking", `is viewing${OBJECT}`, `are viewing${OBJECT}`),
  ];
  const text = texts.join(" · ");
  if (label.textContent !== text) label.textContent = text;
}

document.addEventListener("presence", (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { conversation_id, members: present } = event.detail;
  if (conversation_id !== undefined && conversation_id !== conversationId()) return;
  members = present;
  show();
  clearTimeout(losing);
  losing = setTimeout(() => {
    members = members.map((member) => ({ ...member, presence: "looking" }));
    show();
  }, LOST_MS);
});

let typingSentAt = 0;
let pausing = 0;

function sendLooking() {
  clearTimeout(pausing);
  typingSentAt = 0;
  sendView(document.hidden ? null : conversationId(), "looking");
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLTextAreaElement) || target.closest(".composer") === null) return;
  if (target.value === "") return sendLooking();
  clearTimeout(pausing);
  pausing = setTimeout(sendLooking, PAUSE_MS);
  if (Date.now() - typingSentAt < REPEAT_MS) return;
  typingSentAt = Date.now();
  sendView(conversationId(), "typing");
});
document.addEventListener("submit", ({ target }) => {
  if (target instanceof Element && target.closest(".composer") !== null) sendLooking();
});
document.addEventListener("visibilitychange", sendLooking);
sendLooking();
