// The page that imports contacts: choose a file, say what is in it, watch it being taken.

/** @type {<T extends HTMLElement>(id: string, type: new () => T) => T} */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

const ui = {
  root: element("import", HTMLElement),
  trouble: element("import-trouble", HTMLElement),
  resume: element("import-resume", HTMLElement),
  resumeText: element("import-resume-text", HTMLElement),
  goOn: element("import-go-on", HTMLButtonElement),
  choose: element("import-choose", HTMLElement),
  file: element("import-file", HTMLInputElement),
  run: element("import-run", HTMLElement),
  title: element("import-run-title", HTMLElement),
  progress: element("import-progress", HTMLProgressElement),
  status: element("import-status", HTMLElement),
  stop: element("import-stop", HTMLButtonElement),
  refused: element("import-refused", HTMLButtonElement),
  again: element("import-again", HTMLButtonElement),
  done: element("import-done", HTMLElement),
};

const importKey = ui.root.dataset["key"] ?? "";

/** @type {{ file: File, format: Format, rows: string[][] } | null} */
let chosen = null;
/** @type {Import | null} */
let current = null;
let stopped = false;

/** @type {(text: string) => void} */
function tell(text) {
  ui.trouble.className = text === "" ? "" : "banner error";
  ui.trouble.textContent = text;
}

/** @type {(error: unknown) => void} */
const tellError = (error) => tell(error instanceof Error ? error.message : "Something went wrong. Try again.");

/** @type {(work: () => Promise<void>) => void} */
const attempt = (work) => void work().catch(tellError);

/** @type {(count: number, word: string) => string} */
const many = (count, word) => `${count.toLocaleString("en")} ${word}`;

/** @type {(state: Import) => string} */
function summary({ counts }) {
  const parts = [many(counts.created, "new"), many(counts.updated, "changed"), many(counts.unchanged, "as they were")];
  return [...parts, many(counts.failed, "refused")].join(", ");
}

const step = () => element("import-step", HTMLElement);

/** @type {() => HTMLFormElement | null} */
function planForm() {
  const form = document.getElementById("import-plan");
  return form instanceof HTMLFormElement ? form : null;
}

/** What the form says of the file; null for what is still to be guessed. */
function planOf() {
  const form = planForm();
  if (form === null) return { has_heads: null, mapping: null, tag: "" };
  const places = [...form.querySelectorAll("select")].map(({ value }) => value);
  return {
    has_heads: element("import-heads", HTMLInputElement).checked,
    mapping: places,
    tag: element("import-tag", HTMLInputElement).value.trim(),
  };
}

/** Has the service show the first rows under the plan given.
 * @type {(plan: object) => Promise<void>} */
async function preview(plan) {
  if (chosen === null) return;
  const response = await fetch(ui.root.dataset["preview"] ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrfToken() },
    body: JSON.stringify({ rows: chosen.rows, ...plan }),
  });
  if (response.redirected) location.assign(response.url);
  else if (response.ok) swap(await response.text(), ["import-step"], true);
  else throw new Error("This file cannot be shown. Is it a CSV file of at most 200 columns?");
}

/** @type {(file: File) => Promise<void>} */
async function choose(file) {
  tell("");
  step().replaceChildren();
  if (current !== null && !current.isFinished && current.file === null) {
    if (file.name !== current.name || file.size !== current.size)
      throw new Error(`This is not ${current.name} as it was. Choose that file to go on, or forget that import.`);
    current.file = file;
    await run();
    return;
  }
  chosen = { file, ...(await inspect(file)) };
  await preview({ has_heads: null, mapping: null, tag: "" });
}

async function start() {
  if (chosen === null) return;
  const { has_heads: hasHeads, mapping, tag } = planOf();
  const { file, format, rows } = chosen;
  const heads = hasHeads === true ? (rows[0] ?? []) : [];
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const known = { key: importKey, name: file.name, size: file.size, file, format, hasHeads: hasHeads === true, heads };
  current = await keepImport({ ...known, mapping: mapping ?? [], tag, done: 0, counts, isFinished: false });
  current.file = file;
  await run();
}

/** @type {(state: Import, share: number) => void} */
function showProgress(state, share) {
  ui.progress.value = share;
  ui.status.textContent = `${many(Math.round(share * 100), "%")} of ${state.name}: ${summary(state)}.`;
}

/** @type {(state: Import) => void} */
function showEnd(state) {
  ui.run.hidden = false;
  ui.choose.hidden = true;
  ui.title.textContent = "Import done";
  showProgress(state, 1);
  ui.stop.hidden = true;
  ui.refused.hidden = state.counts.failed === 0;
  ui.again.hidden = false;
  ui.done.hidden = false;
}

/** @type {(state: Import) => void} */
function showUnfinished(state) {
  ui.run.hidden = true;
  ui.resume.hidden = false;
  ui.choose.hidden = state.file !== null;
  ui.goOn.hidden = state.file === null;
  const where = `${state.name} stopped after row ${state.done.toLocaleString("en")} (${summary(state)}).`;
  const how =
    state.file === null ? " Choose the file again to go on with the next row." : " It goes on with the next row.";
  ui.resumeText.textContent = where + how;
}

async function run() {
  const state = current;
  if (state === null || state.file === null) return;
  tell("");
  stopped = false;
  ui.resume.hidden = true;
  ui.choose.hidden = true;
  step().replaceChildren();
  ui.run.hidden = false;
  ui.stop.hidden = false;
  ui.title.textContent = "Importing";
  showProgress(state, 0);
  try {
    await runImport(ui.root.dataset["rows"] ?? "", state.file, state, {
      onProgress: showProgress,
      onWait: () => (ui.status.textContent = "No answer at the moment. It goes on by itself as soon as there is one."),
      isStopped: () => stopped,
    });
  } finally {
    if (state.isFinished) showEnd(state);
    else showUnfinished(state);
  }
}

async function downloadRefused() {
  if (current === null) return;
  const { heads, name } = current;
  const refused = await refusedOf(importKey);
  const width = Math.max(heads.length, ...refused.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => heads[at] ?? `Column ${at + 1}`);
  const lines = refused.map(({ number, cells, reason }) => [
    ...columns.map((_, at) => cells[at] ?? ""),
    String(number),
    reason,
  ]);
  const text = papa.unparse([[...columns, "Row", "Reason"], ...lines], { escapeFormulae: /^'*[=+\-@\t\r\n＝＋－＠]/u });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = `refused-${name.replace(/\.\w+$/, "")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function startOver() {
  await forgetImport(importKey);
  location.reload();
}

ui.file.addEventListener("change", () => {
  const [file] = ui.file.files ?? [];
  if (file !== undefined) attempt(() => choose(file));
});
ui.goOn.addEventListener("click", () => attempt(run));
element("import-discard", HTMLButtonElement).addEventListener("click", () => attempt(startOver));
ui.again.addEventListener("click", () => attempt(startOver));
ui.stop.addEventListener("click", () => (stopped = true));
ui.refused.addEventListener("click", () => attempt(downloadRefused));
ui.root.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLElement) || planForm()?.contains(target) !== true || target.id === "import-tag") return;
  const plan = planOf();
  // With other heads, columns are guessed anew.
  attempt(() => preview(target.id === "import-heads" ? { ...plan, mapping: null } : plan));
});
ui.root.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(start);
});

attempt(async () => {
  current = (await loadImport(importKey)) ?? null;
  if (current?.isFinished === true) showEnd(current);
  else if (current !== null) showUnfinished(current);
});
