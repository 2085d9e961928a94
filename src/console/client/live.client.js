// A WebSocket reports changes. For each change, this script refreshes the parts whose `data-changes-with`
// contains a topic of the change. Without a WebSocket, parts with `data-poll` are polled.
import { wait, adoptNewerToken, offerSignIn } from "./requests.client.js";
import { idsToSwap, refreshParts, rememberParts, untilAnswered } from "./renew.client.js";

/**
 * @typedef {{ type: string, id?: string, conversation_id?: string, contact_id?: string, campaign_id?: string, actor_id?: string, mentions?: string[] }} Change
 * @typedef {{ id: string, name: string, presence: "looking" | "typing" }} PresentMember
 */

const PING_MS = 25_000;
/**
 * The platform answers pings without waking the Durable Object. After this many pings, the page sends a real
 * message instead, which wakes the object so that it checks its alarm.
 */
const PINGS_PER_VIEW = 12;
const REST_MS = 300;
const LONGEST_DELAY_MS = 60_000;
/** An event may be committed this much later than its timestamp. */
const COMMIT_MS = 2000;
/** If the server closes the socket with one of these codes, the page does not reconnect. */
const SESSION_ENDED = 4001;
const MEMBERSHIP_ENDED = 4003;

const frame = document.querySelector("[data-updates]");
const address = frame?.getAttribute("data-updates") ?? null;
const renderedAt = Number(frame?.getAttribute("data-rendered-at"));

/** @type {WebSocket | null} */
let socket = null;
let isReady = false;
let wasReady = false;
let failures = 0;
let reconnecting = 0;
let isHeard = true;

const openSocket = () => (socket?.readyState === WebSocket.OPEN ? socket : null);

export const isLive = () => isReady;

/** @type {(isNow: boolean) => void} */
function setReady(isNow) {
  isReady = isNow;
  document.documentElement.toggleAttribute("data-live", isNow);
}

/** @type {(change: Change) => Set<string>} */
function topicsOf({ type, id, conversation_id, contact_id, campaign_id }) {
  const kind = type.slice(0, type.indexOf("."));
  const topics = ["event", kind === "message" ? undefined : kind, id, conversation_id, contact_id, campaign_id];
  if (conversation_id !== undefined) topics.push("conversation");
  if (campaign_id !== undefined) topics.push("campaign");
  return new Set(topics.filter((topic) => topic !== undefined));
}

/** @type {() => HTMLElement[]} */
const liveParts = () =>
  [...document.querySelectorAll("[data-changes-with]")].filter((part) => part instanceof HTMLElement);

/** @type {Set<string>} */
const due = new Set();
let isRefreshing = false;

/** True for a part with fields that the user has changed. Refreshing it would lose the input.
 * @type {(id: string) => boolean} */
export const isFilledIn = (id) =>
  [...(document.getElementById(id)?.querySelectorAll("input, textarea") ?? [])].some(
    (field) =>
      (field instanceof HTMLTextAreaElement && field.value !== field.defaultValue) ||
      (field instanceof HTMLInputElement &&
        (field.value !== field.defaultValue || field.checked !== field.defaultChecked)),
  );

/** The address of the part alone, if it has one. Fetching it costs less than fetching the page.
 * @type {(id: string) => string | undefined} */
const sourceOf = (id) => document.getElementById(id)?.dataset["source"];

/** Returns the parts to refresh next: all of them with the address of the page, or one part with its own
 * address. While the page is hidden, only parts with their own address are refreshed.
 * @type {() => { url: string, ids: string[] } | null} */
function takeDue() {
  const ids = [...due].filter((id) => !isFilledIn(id));
  const [first] = ids.filter((id) => sourceOf(id) !== undefined);
  const isPageDue = !document.hidden && ids.some((id) => sourceOf(id) === undefined);
  if (isPageDue) due.clear();
  else if (first !== undefined) due.delete(first);
  if (isPageDue) return { url: location.href, ids };
  return first === undefined ? null : { url: sourceOf(first) ?? location.href, ids: [first] };
}

async function refreshDue() {
  if (isRefreshing) return;
  isRefreshing = true;
  for (;;) {
    await untilAnswered();
    const next = takeDue();
    if (next === null) break;
    // A failure is ignored: when the socket reconnects, all parts are refreshed.
    const isDone = await refreshParts(next.url, next.ids, isFilledIn).catch(() => true);
    if (!isDone) for (const id of next.ids) due.add(id);
    await wait(REST_MS);
  }
  isRefreshing = false;
}

/** @type {(parts: HTMLElement[]) => void} */
function refresh(parts) {
  for (const part of parts) for (const id of [part.id, ...idsToSwap(part)]) due.add(id);
  void refreshDue();
}

/** @type {(changes: Change[]) => void} */
function applyChanges(changes) {
  const topics = new Set(changes.flatMap((change) => [...topicsOf(change)]));
  refresh(
    liveParts().filter((part) => (part.dataset["changesWith"] ?? "").split(" ").some((word) => topics.has(word))),
  );
  for (const detail of changes) document.dispatchEvent(new CustomEvent("changed", { detail }));
}

/** @type {{ conversation_id: string | null, presence: "looking" | "typing" }} */
let view = { conversation_id: null, presence: "looking" };

/** @type {(conversationId: string | null, presence: "looking" | "typing") => void} */
export function sendView(conversationId, presence) {
  if (conversationId === null && view.conversation_id === null) return;
  view = { conversation_id: conversationId, presence };
  if (isReady) repeatView();
}

const repeatView = () => openSocket()?.send(JSON.stringify({ type: "view", ...view }));

/** @type {(event: MessageEvent) => void} */
function hear({ data }) {
  isHeard = true;
  if (data === "pong") {
    failures = 0;
    return;
  }
  const message = JSON.parse(data);
  if (message.type === "changes") applyChanges(message.changes);
  else if (message.type === "resync") refresh(liveParts());
  else if (message.type === "presence") document.dispatchEvent(new CustomEvent("presence", { detail: message }));
  else if (message.type === "welcome") {
    if (wasReady || message.newest_at >= renderedAt - COMMIT_MS) refresh(liveParts());
    wasReady = true;
    setReady(true);
    if (view.conversation_id !== null) sendView(view.conversation_id, view.presence);
  }
}

async function offerWhereEnded() {
  if ((await adoptNewerToken()) === "ended") offerSignIn();
}

function connect() {
  clearTimeout(reconnecting);
  if (address === null || socket !== null || !navigator.onLine) return;
  const opened = new WebSocket(address);
  socket = opened;
  isHeard = true;
  opened.addEventListener("message", hear);
  opened.addEventListener("close", ({ code }) => {
    if (socket !== opened) return;
    drop();
    if (code === SESSION_ENDED) return void offerWhereEnded();
    // Refreshes once more. The server rejects the request, and the user then sees that they are no longer a
    // member.
    if (code === MEMBERSHIP_ENDED) return refresh(liveParts());
    // The delay is partly random. Otherwise, all pages would reconnect at the same moment after a deployment.
    const delay = Math.min(LONGEST_DELAY_MS, 1000 * 2 ** failures++) * (0.5 + Math.random() / 2);
    reconnecting = setTimeout(connect, delay);
  });
}

function drop() {
  const dropped = socket;
  socket = null;
  setReady(false);
  clearTimeout(reconnecting);
  dropped?.close();
  document.dispatchEvent(new CustomEvent("presence", { detail: { members: [] } }));
}

let pings = 0;

/**
 * Sends a ping. If the previous one had no response, closes the connection, which would otherwise stay open
 * although it is dead.
 */
function ping() {
  const open = openSocket();
  if (open === null) return;
  if (isHeard) {
    isHeard = false;
    if (++pings % PINGS_PER_VIEW === 0 && isReady) repeatView();
    return open.send("ping");
  }
  drop();
  connect();
}

if (address !== null) {
  rememberParts(liveParts().flatMap((part) => [part.id, ...idsToSwap(part)]));
  connect();
  setInterval(ping, PING_MS);
  addEventListener("online", connect);
  document.addEventListener("signed-in", connect);
  addEventListener("offline", drop);
  addEventListener("pagehide", drop);
  addEventListener("pageshow", ({ persisted }) => persisted && connect());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (socket === null && failures > 0) connect();
    void refreshDue();
  });
}
