import { memberId, wait } from "../requests.client.js";
import { showToast } from "../elements.client.js";

const menu = document.getElementById("alerts");
const note = document.getElementById("alerts-note");

/** @typedef {"sound" | "notification"} Kind */

/** @type {(kind: Kind) => string} */
const keyOf = (kind) => `alerts:${memberId()}:${kind}`;
/** @type {(kind: Kind) => boolean} */
const isOn = (kind) => localStorage.getItem(keyOf(kind)) === "on";

/** @type {() => Promise<void>} */
async function playSound() {
  const audio = new AudioContext();
  for (const { pitch, delay } of [
    { pitch: 660, delay: 0 },
    { pitch: 880, delay: 0.12 },
  ]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    const start = audio.currentTime + delay;
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.25);
  }
  await wait(600);
  await audio.close();
}

/** @type {(conversationId: string) => void} */
function openConversation(conversationId) {
  const updates = document.querySelector("[data-updates]")?.getAttribute("data-updates") ?? "";
  location.assign(updates.replace(/live$/, `inbox/${conversationId}`));
}

/** @type {(title: string, body: string, conversationId: string) => void} */
function notify(title, body, conversationId) {
  // The tag is the conversation's id. If several pages of the console are open, their notifications have the
  // same tag, and the browser shows only one.
  const notification = new Notification(title, { body, tag: conversationId });
  notification.addEventListener("click", () => {
    window.focus();
    openConversation(conversationId);
  });
}

/** @type {(event: Event) => void} */
function notifyMember(event) {
  if (!(event instanceof CustomEvent)) return;
  const { type, conversation_id: id, actor_id: actor, mentions = [] } = event.detail;
  const isMention = mentions.includes(memberId()) && actor !== memberId();
  if (id === undefined || (type !== "message.received" && !isMention)) return;
  if (!document.hidden && location.pathname.includes(id)) return;
  if (isMention)
    showToast("A note mentions you.", { act: { label: "Open conversation", run: () => openConversation(id) } });
  if (isOn("notification") && Notification.permission === "granted") {
    if (isMention) notify("A note mentions you", "Open the conversation to read it.", id);
    else notify("New message", "A contact sent a message.", id);
  }
  // All open pages try to get the lock. Only the page that gets it plays the sound.
  if (isOn("sound"))
    void navigator.locks.request("alert", { ifAvailable: true }, (lock) => (lock === null ? undefined : playSound()));
}

/** @type {(text: string) => void} */
function explain(text) {
  if (note !== null) note.textContent = text;
}

export function listenForAlerts() {
  document.addEventListener("changed", notifyMember);
  for (const box of menu?.querySelectorAll("input") ?? []) {
    const kind = box.dataset["alert"] === "sound" ? "sound" : "notification";
    box.checked = isOn(kind) && (kind === "sound" || Notification.permission === "granted");
    const change = async () => {
      explain("");
      if (box.checked && kind === "sound") void playSound();
      if (box.checked && kind === "notification" && (await Notification.requestPermission()) !== "granted") {
        box.checked = false;
        explain("Your browser blocks notifications for this site. Allow them in the browser's settings.");
      }
      localStorage.setItem(keyOf(kind), box.checked ? "on" : "off");
    };
    box.addEventListener("change", () => void change());
  }
}
