// A sound and a notification of the browser when somebody writes, for members who switched them on in this browser.
import { memberId } from "./requests.client.js";

const menu = document.getElementById("alerts");
const note = document.getElementById("alerts-note");

/** @typedef {"sound" | "notification"} Kind */

/** @type {(kind: Kind) => string} */
const keyOf = (kind) => `alerts:${memberId()}:${kind}`;
/** @type {(kind: Kind) => boolean} */
const isOn = (kind) => localStorage.getItem(keyOf(kind)) === "on";

/** Two short tones.
 * @type {() => Promise<void>} */
async function playSound() {
  const audio = new AudioContext();
  for (const [pitch, at] of [
    [660, 0],
    [880, 0.12],
  ]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch ?? 0;
    const start = audio.currentTime + (at ?? 0);
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.25);
  }
  await new Promise((resolve) => setTimeout(resolve, 600));
  await audio.close();
}

/** @type {(conversationId: string) => void} */
function notify(conversationId) {
  // One a conversation, however many pages are open.
  const notification = new Notification("New message", { body: "A contact has written.", tag: conversationId });
  notification.addEventListener("click", () => {
    window.focus();
    const path = document.querySelector("[data-inbox]")?.getAttribute("data-inbox") ?? "";
    location.assign(`${path}/${conversationId}`);
  });
}

document.addEventListener("changed", (event) => {
  if (!(event instanceof CustomEvent) || event.detail.type !== "message.received") return;
  const id = event.detail.conversation_id;
  if (id === undefined) return;
  const isInSight = !document.hidden && location.pathname.includes(id);
  if (isOn("notification") && !isInSight && Notification.permission === "granted") notify(id);
  // One of several pages plays it.
  if (isOn("sound") && !isInSight)
    void navigator.locks.request("alert", { ifAvailable: true }, (lock) => (lock === null ? undefined : playSound()));
});

/** @type {(text: string) => void} */
function explain(text) {
  if (note !== null) note.textContent = text;
}

for (const box of menu?.querySelectorAll("input") ?? []) {
  const kind = box.dataset["alert"] === "sound" ? "sound" : "notification";
  box.checked = isOn(kind) && (kind === "sound" || Notification.permission === "granted");
  const change = async () => {
    explain("");
    if (box.checked && kind === "sound") void playSound();
    if (box.checked && kind === "notification" && (await Notification.requestPermission()) !== "granted") {
      box.checked = false;
      explain("Your browser does not allow notifications of this site. Allow them in its settings.");
    }
    localStorage.setItem(keyOf(kind), box.checked ? "on" : "off");
  };
  box.addEventListener("change", () => void change());
}
