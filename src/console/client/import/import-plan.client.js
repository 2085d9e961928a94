import { inspectFile, splitSample } from "./import-file.client.js";
import { csrfToken, parsePage, fetchSignedIn } from "../requests.client.js";
import { swapParts } from "../renew.client.js";

/** @import { Format } from "./import-file.client.js" */
/** @typedef {{ file: File, format: Format, sample: string, rows: string[][] }} ChosenFile */

/** @type {ChosenFile | null} */
let chosen = null;
/** @type {Map<number, string>} */
let chosenFields = new Map();
/** @type {AbortController | null} */
let request = null;
let preview = Promise.resolve();
/** The part of the page that the next preview replaces: only the rows, the rows and the columns, or the whole
 * table.
 * @type {"rows" | "columns" | "file"} */
let awaited = "rows";

/** @type {() => HTMLFormElement | null} */
export function planForm() {
  const form = document.getElementById("import-plan");
  return form instanceof HTMLFormElement ? form : null;
}

/** @type {(form: HTMLFormElement, name: string) => string} */
function fieldText(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** @type {(form: HTMLFormElement | null) => object} */
function readSettings(form) {
  if (form === null) return { has_heads: null, mapping: null, tag: "" };
  const [heads, order] = [form.elements.namedItem("has_heads"), fieldText(form, "date_order")];
  const width = form.querySelectorAll('select[name="place"]').length;
  return {
    has_heads: heads instanceof HTMLInputElement && awaited !== "file" ? heads.checked : null,
    mapping:
      awaited !== "rows"
        ? Array.from({ length: width }, (_, at) => chosenFields.get(at) ?? null)
        : new FormData(form).getAll("place"),
    tag: fieldText(form, "tag").trim(),
    country: fieldText(form, "country"),
    date_order: order === "" ? null : order,
    misfits: fieldText(form, "misfits"),
  };
}

/** Aborts the previous request. If its response arrived late, it would overwrite newer choices of the user.
 * @type {(root: HTMLElement, file: ChosenFile) => Promise<void>} */
async function fetchPreview(root, { rows, format: { delimiter } }) {
  request?.abort();
  const { signal } = (request = new AbortController());
  try {
    const response = await fetchSignedIn(root.dataset["preview"] ?? "", () => ({
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrfToken() },
      body: JSON.stringify({ rows, delimiter, ...readSettings(planForm()) }),
      signal,
    }));
    if (response === null) throw new Error("You're signed out. Change a setting to sign in again.");
    const html = await response.text();
    if (signal.aborted) return;
    if (!response.ok) throw new Error("Couldn't read this file. Choose a CSV file with at most 200 columns.");
    const form = planForm();
    const tag = form === null ? "" : fieldText(form, "tag"); // the user may have changed the tag during the request
    swapParts(
      parsePage(html),
      awaited !== "rows" || form === null ? ["import-step"] : ["import-stored", "import-go"],
      true,
    );
    awaited = "rows";
    const field = document.getElementById("import-tag");
    if (field instanceof HTMLInputElement && field.value !== tag) field.value = tag;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @type {(root: HTMLElement) => Promise<void>} */
function showPreview(root) {
  if (chosen !== null) preview = fetchPreview(root, chosen);
  return preview;
}

/** @type {(root: HTMLElement, file: File) => Promise<void>} */
export async function showFile(root, file) {
  chosen = { file, ...(await inspectFile(file)) };
  chosenFields = new Map();
  awaited = "rows";
  await showPreview(root);
}

/** @type {(root: HTMLElement, field: HTMLElement) => Promise<void>} */
export async function changePlan(root, field) {
  if (chosen === null || field.id === "import-tag") return;
  if (field instanceof HTMLSelectElement && field.name === "delimiter") {
    const { rows, newline } = splitSample(chosen.sample, field.value);
    chosen = { ...chosen, rows, format: { ...chosen.format, delimiter: field.value, newline } };
    chosenFields = new Map();
    awaited = "file";
    // Disables the columns until the response replaces them. A choice that the user made before then would be
    // lost.
    document.getElementById("import-places")?.setAttribute("inert", "");
  } else if (field instanceof HTMLSelectElement && field.name === "place") {
    chosenFields.set(Number(field.id.slice("import-place-".length)), field.value);
  } else if (field.id === "import-heads" && awaited === "rows") {
    awaited = "columns";
  }
  await showPreview(root);
}

/** Returns null if the user has not made a required choice.
 * @param {HTMLElement} root */
export async function readPlan(root) {
  /** @type {Promise<void> | null} */
  let latest = null;
  while (latest !== preview) {
    latest = preview;
    await latest.catch(() => showPreview(root));
  }
  const form = planForm();
  const stored = document.querySelector("#import-stored > [data-date-order]");
  if (chosen === null || form === null || !(stored instanceof HTMLElement)) return null;
  if (stored.dataset["problem"] !== undefined) return null;
  const { file, format, rows } = chosen;
  const heads = form.elements.namedItem("has_heads");
  const hasHeads = heads instanceof HTMLInputElement && heads.checked;
  return {
    file,
    format,
    hasHeads,
    heads: hasHeads ? (rows[0] ?? []) : [],
    mapping: new FormData(form).getAll("place").map(String),
    tag: fieldText(form, "tag").trim(),
    country: fieldText(form, "country"),
    dateOrder: stored.dataset["dateOrder"] || null,
    misfits: fieldText(form, "misfits"),
  };
}
