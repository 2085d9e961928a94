// What pages do better where scripts run. Everything works without it.

/** @type {(root: ParentNode) => void} */
function enhance(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (!time.dateTime.includes("T")) {
      time.textContent = at.toLocaleDateString([], { dateStyle: "medium", timeZone: "UTC" }); // a day, in any time zone
      continue;
    }
    time.title = time.textContent ?? "";
    time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

/** What the server said that swapped elements hold, by id.
 * @type {Map<string, string>} */
const shown = new Map();

/** Puts the focus where the page asks for it, else on what has taken the place of what had it; else it stays at that part
 * of the page, from where the keyboard goes on.
 * @type {(part: HTMLElement, id: string) => void} */
function moveFocus(part, id) {
  const asked = part.querySelector("[autofocus]");
  const same = id === "" ? null : document.getElementById(id);
  if (asked instanceof HTMLElement) asked.focus();
  else if (same !== null) same.focus();
  if (part.contains(document.activeElement)) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** Replaces elements by those of the same id in another version of the page: where something changed in them, or always.
 * @type {(html: string, ids: string[], always: boolean) => void} */
function swap(html, ids, always) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const id of ids) {
    const [before, after] = [document.getElementById(id), fresh.getElementById(id)];
    if (before === null || after === null || (!always && shown.get(id) === after.innerHTML)) continue;
    const focused = document.activeElement;
    const hadFocus = before.contains(focused);
    shown.set(id, after.innerHTML);
    enhance(after);
    before.replaceWith(after);
    if (hadFocus) moveFocus(after, focused?.id ?? "");
    after.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  }
}

/** @type {(element: HTMLElement) => string[]} */
const targetsOf = (element) => (element.dataset["swap"] ?? "").split(" ").filter((id) => id !== "");

/** How many forms have been sent. What was asked for before the last of them may be out of date when it comes. */
let sent = 0;

/** Fetches a page and swaps, unless a form was sent meanwhile; where it leads elsewhere, goes there.
 * @type {(url: string, ids: string[]) => Promise<void>} */
async function look(url, ids) {
  const before = sent;
  const response = await fetch(url);
  const html = await response.text();
  if (before === sent) show(response, html, ids, false);
}

/** Sends a form that changes something. What is swapped is swapped always, as it holds what was typed.
 * @type {(form: HTMLFormElement, fields: FormData, ids: string[]) => Promise<void>} */
async function change(form, fields, ids) {
  const body = new URLSearchParams();
  for (const [name, value] of fields) if (typeof value === "string") body.append(name, value);
  sent++;
  const response = await fetch(form.action, { method: "POST", body });
  sent++; // what was asked for while it was on its way, too
  show(response, await response.text(), ids, true);
}

/** @type {(response: Response, html: string, ids: string[], always: boolean) => void} */
function show(response, html, ids, always) {
  const here = new URL(response.url).pathname === location.pathname;
  if (response.redirected && !here) location.assign(response.url);
  else swap(html, ids, always);
}

// Forms with data-swap change parts of the page in place. `data-live` sends a form that looks for something as it is typed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const ids = targetsOf(form);
  if (ids.length === 0) {
    if (form.dataset["sent"] === "true") event.preventDefault();
    else if (form.method === "post") form.dataset["sent"] = "true"; // pressed twice is sent once
    return;
  }
  event.preventDefault();
  const fields = new FormData(form, event.submitter);
  if (form.method === "post") {
    if (form.dataset["sent"] === "true") return; // pressed twice is sent once
    form.dataset["sent"] = "true";
    void change(form, fields, ids).finally(() => delete form.dataset["sent"]);
  } else {
    const url = new URL(form.action);
    for (const [name, value] of fields)
      if (value !== "" && typeof value === "string") url.searchParams.set(name, value);
    history.replaceState(null, "", url);
    sent++;
    void look(url.href, ids);
  }
});

window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form")) delete form.dataset["sent"];
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  if (form === null || form.dataset["live"] === undefined) return;
  clearTimeout(typing);
  typing = setTimeout(() => form.requestSubmit(), 250);
});

// An element with data-poll="5" is looked at anew every 5 seconds while the page is in sight, and those in its data-swap with it.
/** @type {(element: HTMLElement) => void} */
function poll(element) {
  const { id } = element;
  const ms = Number(element.dataset["poll"]) * 1000;
  setTimeout(async () => {
    try {
      if (!document.hidden) await look(location.href, [id, ...targetsOf(element)]);
    } catch {
      // Out of reach for now; the next look may find it.
    }
    const current = document.getElementById(id);
    if (current?.dataset["poll"] !== undefined) poll(current);
  }, ms);
}

const opensDialogs = Object.hasOwn(HTMLButtonElement.prototype, "commandForElement");

/** @type {(button: HTMLButtonElement, field: HTMLInputElement | HTMLTextAreaElement) => Promise<void>} */
async function copy(button, field) {
  field.select();
  await navigator.clipboard.writeText(field.value);
  const label = button.firstChild;
  if (label === null) return;
  const before = label.textContent;
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = before), 2000);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (target === null || !menu.contains(target)) menu.removeAttribute("open");
  const button = target?.closest("button");
  if (!(button instanceof HTMLButtonElement)) return;
  const field = document.getElementById(button.dataset["copy"] ?? "");
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) void copy(button, field);
  // Browsers that do not open dialogs by `commandfor` themselves.
  const dialog = document.getElementById(button.getAttribute("commandfor") ?? "");
  if (dialog instanceof HTMLDialogElement && !opensDialogs) {
    if (button.getAttribute("command") === "close") dialog.close();
    else dialog.showModal();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  }
});

const polled = [...document.querySelectorAll("[data-poll]")].filter((element) => element instanceof HTMLElement);
for (const element of polled)
  for (const id of [element.id, ...targetsOf(element)]) shown.set(id, document.getElementById(id)?.innerHTML ?? "");
document.documentElement.classList.add("js");
enhance(document);
for (const element of polled) poll(element);
