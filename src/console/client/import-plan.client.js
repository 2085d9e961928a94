// What a person says of a file, and the first rows as they would be stored.

/** @typedef {{ file: File, format: Format, sample: string, rows: string[][] }} Chosen */

/** @type {Chosen | null} */
let chosen = null;
/** Places that a person has given to columns; others are guessed.
 * @type {Map<number, string>} */
let places = new Map();
/** @type {AbortController | null} */
let asking = null;
/** What is being shown; it rejects where that fails. */
let shownPlan = Promise.resolve();
/** What an answer that is awaited will change: the rows as they would be stored, what columns are called and guessed to
 * be, or how the file is split into columns.
 * @type {"rows" | "columns" | "file"} */
let awaited = "rows";

/** @type {() => HTMLFormElement | null} */
function planForm() {
  const form = document.getElementById("import-plan");
  return form instanceof HTMLFormElement ? form : null;
}

/** @type {(form: HTMLFormElement, name: string) => string} */
function said(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** What the form says of the file; null for what is still to be guessed.
 * @type {(form: HTMLFormElement | null) => object} */
function planOf(form) {
  if (form === null) return { has_heads: null, mapping: null, tag: "" };
  const [heads, order] = [form.elements.namedItem("has_heads"), said(form, "date_order")];
  const width = form.querySelectorAll('select[name="place"]').length;
  return {
    has_heads: heads instanceof HTMLInputElement && awaited !== "file" ? heads.checked : null,
    mapping:
      awaited !== "rows"
        ? Array.from({ length: width }, (_, at) => places.get(at) ?? null)
        : new FormData(form).getAll("place"),
    tag: said(form, "tag").trim(),
    country: said(form, "country"),
    date_order: order === "" ? null : order,
    misfits: said(form, "misfits"),
  };
}

/** Shows the first rows under what the form says now. An answer to what it said before is not awaited any longer: it
 * would undo what was chosen meanwhile.
 * @type {(root: HTMLElement, file: Chosen) => Promise<void>} */
async function askPreview(root, { rows, format: { delimiter } }) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  try {
    const response = await fetch(root.dataset["preview"] ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrfToken() },
      body: JSON.stringify({ rows, delimiter, ...planOf(planForm()) }),
      signal,
    });
    const html = await response.text();
    if (signal.aborted) return;
    if (response.redirected) return location.assign(response.url);
    if (!response.ok) throw new Error("This file cannot be shown. Is it a CSV file of at most 200 columns?");
    const form = planForm();
    const tag = form === null ? "" : said(form, "tag"); // typed meanwhile, perhaps
    swap(html, awaited !== "rows" || form === null ? ["import-step"] : ["import-stored", "import-go"], true);
    awaited = "rows";
    const field = document.getElementById("import-tag");
    if (field instanceof HTMLInputElement && field.value !== tag) field.value = tag;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @type {(root: HTMLElement) => Promise<void>} */
function showPlan(root) {
  if (chosen !== null) shownPlan = askPreview(root, chosen);
  return shownPlan;
}

/** @type {(root: HTMLElement, file: File) => Promise<void>} */
async function showFile(root, file) {
  chosen = { file, ...(await inspect(file)) };
  places = new Map();
  awaited = "rows";
  await showPlan(root);
}

/** Takes over what has just been chosen in the form.
 * @type {(root: HTMLElement, field: HTMLElement) => Promise<void>} */
async function changePlan(root, field) {
  if (chosen === null || field.id === "import-tag") return;
  if (field instanceof HTMLSelectElement && field.name === "delimiter") {
    const { rows, newline } = splitSample(chosen.sample, field.value);
    chosen = { ...chosen, rows, format: { ...chosen.format, delimiter: field.value, newline } };
    places = new Map();
    awaited = "file";
    // These columns are about to go: what would be chosen for them now would be lost.
    document.getElementById("import-places")?.setAttribute("inert", "");
  } else if (field instanceof HTMLSelectElement && field.name === "place") {
    places.set(Number(field.id.slice("import-place-".length)), field.value);
  } else if (field.id === "import-heads" && awaited === "rows") {
    awaited = "columns";
  }
  await showPlan(root);
}

/** What the form has come to, once the rows under it are in sight; null where something is still to be chosen.
 * @param {HTMLElement} root */
async function plannedImport(root) {
  /** @type {Promise<void> | null} */
  let seen = null;
  while (seen !== shownPlan) {
    seen = shownPlan;
    await seen.catch(() => showPlan(root));
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
    tag: said(form, "tag").trim(),
    country: said(form, "country"),
    dateOrder: stored.dataset["dateOrder"] || null,
    misfits: said(form, "misfits"),
  };
}
