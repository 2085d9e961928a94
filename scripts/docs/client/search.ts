import MiniSearch, { type SearchResult } from "minisearch";
import { find, searchOptions } from "../find.ts";

const MAX_RESULTS = 12;

const dialog = document.querySelector<HTMLDialogElement>("[data-search-dialog]");
const input = dialog?.querySelector("input");
const list = dialog?.querySelector("ul");
const hint = dialog?.querySelector("p");

let index: MiniSearch | undefined;
let selected = 0;

const options = () => [...(list?.querySelectorAll("a") ?? [])];

function select(next: number): void {
  const all = options();
  selected = all.length === 0 ? 0 : (next + all.length) % all.length;
  for (const [position, option] of all.entries()) {
    option.setAttribute("aria-selected", String(position === selected));
    if (position === selected) option.scrollIntoView({ block: "nearest" });
  }
  const id = all[selected]?.id;
  if (id === undefined) input?.removeAttribute("aria-activedescendant");
  else input?.setAttribute("aria-activedescendant", id);
}

function entryOf(result: SearchResult, position: number): HTMLElement {
  const title = String(result["title"] ?? "");
  const heading = String(result["heading"] ?? "");
  const link = document.createElement("a");
  link.id = `search-result-${position}`;
  link.href = String(result.id);
  link.role = "option";
  link.tabIndex = -1;
  const name = document.createElement("strong");
  name.textContent = heading === "" ? title : heading;
  const location = document.createElement("span");
  location.textContent = [result["section"], heading === "" ? "" : title].filter(Boolean).join(" › ");
  link.append(name, location);
  link.addEventListener("click", () => dialog?.close());
  link.addEventListener("pointermove", () => select(position));
  const item = document.createElement("li");
  item.role = "presentation";
  item.append(link);
  return item;
}

function show(): void {
  const text = input?.value.trim() ?? "";
  const results = index === undefined ? [] : find(index, text).slice(0, MAX_RESULTS);
  list?.replaceChildren(...results.map(entryOf));
  input?.setAttribute("aria-expanded", String(results.length > 0));
  const message = text === "" ? "↑ ↓ to choose, Enter to open, Esc to close" : `Nothing found for “${text}”.`;
  hint?.replaceChildren(results.length > 0 ? "" : message);
  select(0);
}

async function load(): Promise<MiniSearch> {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`Couldn't load the search index: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), searchOptions);
}

input?.addEventListener("input", show);
input?.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Enter") options()[selected]?.click();
  else return;
  event.preventDefault();
});
dialog?.querySelector("button")?.addEventListener("click", () => dialog.close());
dialog?.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

export async function open(): Promise<void> {
  if (dialog?.open === false) dialog.showModal();
  input?.select();
  index ??= await load();
  show();
}
