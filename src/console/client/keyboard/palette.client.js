import { make, makeButton } from "../elements.client.js";
import { areShortcutsOn, isMac, labelOf, listRows, listShortcuts, switchShortcuts, press } from "./shortcuts.client.js";

/** @typedef {{ title: string, detail: string, writes: boolean, run: () => void }} Item */
/** @typedef {{ title: string, items: Item[] }} Group */

const TYPING_MS = 150;

const FURTHER = "More";

/** True for a button that submits fields. The palette omits these buttons, because the user could not fill in
 * the fields there.
 * @type {(element: HTMLElement) => boolean} */
const sendsFields = (element) =>
  element instanceof HTMLButtonElement &&
  element.type === "submit" &&
  element.form !== null &&
  element.form.querySelector("input:not([type=hidden]), textarea, select") !== null;

/** @type {(element: HTMLElement) => boolean} */
const writes = (element) =>
  element instanceof HTMLButtonElement && element.type === "submit" && element.form?.method === "post";

/** @type {(term: string) => Group[]} */
function findHere(term) {
  /** @type {(title: string, selector: string) => Group} */
  const group = (title, selector) => {
    const items = new Map();
    for (const element of document.querySelectorAll(selector)) {
      if (!(element instanceof HTMLElement) || sendsFields(element)) continue;
      const label = labelOf(element);
      if (!label.toLowerCase().includes(term)) continue;
      const detail = element.dataset["key"] ?? "";
      const run = () => {
        // Finds the element again, because a script may have replaced it after the search.
        const current = [...document.querySelectorAll(selector)].find((each) => labelOf(each) === label);
        if (current instanceof HTMLElement) press(current);
      };
      items.set(label, { title: label, detail, writes: writes(element), run });
    }
    return { title, items: [...items.values()] };
  };
  return [
    group("On this page", "main [data-act], main .heading .actions :is(a, button), main [data-key]:is(a, button)"),
    group("Pages", '[aria-label="Main"] a, .places a'),
    ...(term === "" ? [] : [group("Your account", ".menu.user :is(a, button)")]),
  ];
}

/** @type {(term: string, signal: AbortSignal) => Promise<Group[]>} */
async function findRecords(term, signal) {
  const address = document.querySelector("[data-palette]")?.getAttribute("href") ?? "";
  const response = await fetch(`${address}/results?${new URLSearchParams({ q: term })}`, {
    signal,
    headers: { Accept: "application/json" },
  });
  if (!response.ok) return [];
  /** @type {{ groups: { title: string, items: { title: string, detail: string, href: string }[] }[] }} */
  const { groups } = await response.json();
  return groups.map(({ title, items }) => ({
    title,
    items: items.map((item) => ({ ...item, writes: false, run: () => location.assign(item.href) })),
  }));
}

/** @type {(here: Group[], found: Group[]) => Group[]} */
function merge(here, found) {
  const titles = new Set(here.flatMap(({ items }) => items.map(({ title }) => title)));
  const isListed = (/** @type {Group} */ { title }) => here.some((each) => each.title === title);
  const further = found.filter(({ title }) => title === FURTHER);
  const merged = here.map(({ title, items }) => {
    const others = found.filter((each) => each.title === title).flatMap((each) => each.items);
    return { title, items: [...items, ...others.filter((item) => !titles.has(item.title))] };
  });
  return [...found.filter((group) => !isListed(group) && group.title !== FURTHER), ...merged, ...further];
}

/** @type {HTMLDialogElement | null} */
let palette = null;

/** @type {() => HTMLDialogElement} */
function makePalette() {
  const attributes = { type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list" };
  const field = make("input", {
    ...attributes,
    "aria-label": "Search people, campaigns, pages and actions",
    placeholder: "Search or run a command …",
    maxlength: "100",
    autocomplete: "off",
  });
  const list = make("div", { id: "palette-list", role: "listbox", "aria-label": "Found" });
  const count = make("p", { role: "status", class: "unseen" });
  const dialog = make("dialog", { class: "palette", "aria-label": "Go to or run" }, field, list, count);

  /** @type {Item[]} */
  let items = [];
  let chosen = 0;
  const mark = () => {
    for (const [at, option] of list.querySelectorAll("[role=option]").entries()) {
      option.setAttribute("aria-selected", String(at === chosen));
      if (at === chosen) option.scrollIntoView({ block: "nearest" });
    }
    if (items[chosen] === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `palette-${chosen}`);
  };
  /** @type {(item: Item | undefined) => void} */
  const run = (item) => {
    if (item === undefined) return;
    dialog.close();
    item.run();
  };
  /** @type {(groups: Group[], isSearching: boolean) => void} */
  const show = (groups, isSearching) => {
    const filled = groups.filter((group) => group.items.length > 0);
    items = filled.flatMap((group) => group.items);
    chosen = items[0]?.writes === true ? -1 : 0; // an item that changes data is not preselected, because a second Enter would run it
    let at = 0;
    list.replaceChildren(
      ...filled.map((group) => {
        const options = group.items.map((item) => {
          const option = make("div", { role: "option", id: `palette-${at++}` }, make("span", {}, item.title));
          if (item.detail !== "") option.append(make("span", { class: "help" }, item.detail));
          option.addEventListener("click", () => run(item));
          return option;
        });
        const title = make("div", { class: "help", "aria-hidden": "true" }, group.title);
        return make("div", { role: "group", "aria-label": group.title }, title, ...options);
      }),
    );
    const found = filled.flatMap((group) => (group.title === FURTHER ? [] : group.items)).length;
    const nothing = isSearching ? "Searching …" : "No results.";
    if (found === 0) list.prepend(make("p", { class: "help" }, nothing));
    count.textContent = found === 0 ? nothing : `${found} found`;
    mark();
  };

  let asking = new AbortController();
  let isSearching = false;
  let isEntered = false;
  let typing = 0;
  const search = () => {
    asking.abort();
    asking = new AbortController();
    clearTimeout(typing);
    const { signal } = asking;
    const term = field.value.trim();
    const here = findHere(term.toLowerCase());
    isEntered = false;
    isSearching = term !== "";
    show(here, isSearching);
    if (!isSearching) return;
    typing = setTimeout(async () => {
      // If the server does not respond, lists only the items of this page.
      const found = await findRecords(term, signal).catch(() => null);
      if (signal.aborted) return;
      isSearching = false;
      show(found === null ? here : merge(here, found), false);
      if (isEntered && dialog.open) run(items[chosen]);
    }, TYPING_MS);
  };
  field.addEventListener("input", search);
  dialog.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      chosen = (Math.max(chosen, step === 1 ? -1 : 0) + step + items.length) % items.length;
      mark();
    }
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (isSearching && items.length === 0) isEntered = true;
      else run(items[chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault(); // otherwise, the first Escape would only clear the search field
      dialog.close();
    }
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

export function showPalette() {
  palette ??= makePalette();
  if (palette.open) return;
  const field = palette.querySelector("input");
  if (field !== null) field.value = "";
  field?.dispatchEvent(new Event("input"));
  palette.showModal();
}

/** @type {(keys: string) => HTMLElement} */
function drawKeys(keys) {
  const names = (isMac ? keys.replace("Ctrl", "⌘") : keys).split(" ");
  return make("dt", {}, ...names.flatMap((name) => [make("kbd", {}, name), " "]));
}

export function showShortcuts() {
  document.getElementById("shortcuts")?.remove();
  const dialog = make("dialog", { id: "shortcuts", "aria-labelledby": "shortcuts-title" });
  const rows = listRows().length > 0 ? ["j: Next in list", "k: Previous in list", "Enter: Open"] : [];
  const search = document.querySelector("main input[type=search]") === null ? [] : ["/: Search here"];
  const own = [...listShortcuts()].map(([keys, element]) => `${keys}: ${labelOf(element)}`);
  const further = [...document.querySelectorAll("[data-further-keys]")].flatMap((element) =>
    (element.getAttribute("data-further-keys") ?? "").split(";"),
  );
  const lines = [...rows, ...search, ...own, ...further, "Ctrl K: Search or run a command", "?: This list"];
  const list = lines.map((line) => {
    const [keys = "", ...label] = line.trim().split(": ");
    return make("div", {}, drawKeys(keys), make("dd", {}, label.join(": ")));
  });
  const box = make("input", { type: "checkbox" });
  box.checked = areShortcutsOn();
  box.addEventListener("change", () => switchShortcuts(box.checked));
  const close = makeButton("plain", "Close", () => dialog.close());
  dialog.append(
    make("h2", { id: "shortcuts-title" }, "Keyboard shortcuts"),
    make("dl", { class: "shortcuts" }, ...list),
    make("label", { class: "choice" }, box, "Use single-key shortcuts"),
    make("div", { class: "dialog-actions" }, close),
  );
  document.body.append(dialog);
  dialog.showModal();
}
