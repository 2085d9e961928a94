import { makeButton, showToast } from "../elements.client.js";
import { parsePage, UNSEEN, fetchSignedIn } from "../requests.client.js";

/** @type {{ cell: HTMLElement, field: string, id: string } | null} */
let open = null;

/** @type {(cell: Element) => string} */
const contactIn = (cell) => {
  const tick = cell.closest("tr")?.querySelector('input[name="ids"]');
  return tick instanceof HTMLInputElement ? tick.value : "";
};

/** @type {(id: string, field: string) => HTMLButtonElement | null} */
function buttonOf(id, field) {
  for (const button of document.querySelectorAll("button.edit-cell")) {
    const cell = button.closest("td");
    if (button instanceof HTMLButtonElement && cell?.dataset["edit"] === field && contactIn(cell) === id) return button;
  }
  return null;
}

/** Adds an edit button to each cell. Tab reaches only one button per row; the arrow keys reach the others. */
function addButtons() {
  for (const row of document.querySelectorAll("#results tbody tr")) {
    const name = row.querySelector("td a")?.textContent ?? "";
    for (const [index, cell] of [...row.querySelectorAll("td[data-edit]")].entries()) {
      if (!(cell instanceof HTMLElement) || cell.querySelector(".edit-cell") !== null) continue;
      const button = makeButton("plain edit-cell", "Edit");
      button.tabIndex = index === 0 ? 0 : -1;
      button.ariaLabel = `Edit ${cell.dataset["label"] ?? ""} of ${name}`;
      cell.append(button);
    }
  }
}

function closeCell() {
  if (open === null) return;
  const { cell, field, id } = open;
  open = null;
  cell.classList.remove("editing");
  cell.querySelector("#cell")?.remove();
  buttonOf(id, field)?.focus();
}

/** @type {(cell: HTMLElement) => Promise<void>} */
async function openCell(cell) {
  closeCell();
  const [id, field] = [contactIn(cell), cell.dataset["edit"] ?? ""];
  const address = `${location.pathname}/${encodeURIComponent(id)}/cell?field=${encodeURIComponent(field)}`;
  const response = await fetchSignedIn(address, () => ({ headers: UNSEEN })).catch(() => null);
  const form = response === null ? null : parsePage(await response.text()).getElementById("cell");
  if (form === null) {
    showToast("Couldn't reach Tidings. Check your connection and try again.", { kind: "error" });
    return;
  }
  closeCell();
  open = { cell, field, id };
  cell.classList.add("editing");
  cell.append(form);
  const input = form.querySelector("input:not([type=hidden]), select, textarea");
  if (input instanceof HTMLElement) input.focus();
  if (input instanceof HTMLInputElement && input.type !== "checkbox") input.select();
}

/** @type {(button: Element, key: string) => Element | null | undefined} */
function neighbour(button, key) {
  const [cell, row] = [button.closest("td"), button.closest("tr")];
  if (cell === null || row === null) return null;
  const inRow = [...row.querySelectorAll(".edit-cell")];
  if (key === "ArrowLeft") return inRow[inRow.indexOf(button) - 1];
  if (key === "ArrowRight") return inRow[inRow.indexOf(button) + 1];
  const other = key === "ArrowUp" ? row.previousElementSibling : key === "ArrowDown" ? row.nextElementSibling : null;
  return other?.querySelector(`td[data-edit="${cell.dataset["edit"]}"] .edit-cell`);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const cell = target?.closest("button.edit-cell")?.closest("td");
  if (cell instanceof HTMLElement) void openCell(cell);
  if (open !== null && target?.closest("#cell .actions a") !== null && open.cell.contains(target)) {
    event.preventDefault();
    closeCell();
  }
});

document.addEventListener("dblclick", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const cell = target?.closest("td[data-edit]");
  if (cell instanceof HTMLElement && cell !== open?.cell && target?.closest("a, input") === null) void openCell(cell);
});

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.key === "Escape" && open?.cell.contains(target) === true) closeCell();
  if (target === null || !target.matches("button.edit-cell")) return;
  const next = neighbour(target, event.key);
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
});

function countTicked() {
  const count = document.querySelectorAll('input[name="ids"]:checked').length;
  for (const button of document.querySelectorAll("button[data-ticked]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.disabled = count === 0;
    button.textContent = (button.dataset["ticked"] ?? "").replace("#", count === 0 ? "" : String(count));
  }
}

document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.name === "ids") countTicked();
});

document.addEventListener("swapped", (event) => {
  if (!(event.target instanceof HTMLElement) || event.target.id !== "results") return;
  addButtons();
  countTicked();
  if (open === null) return;
  const { id, field } = open;
  open = null; // the form was in the old list
  buttonOf(id, field)?.focus();
});

addButtons();
countTicked();
