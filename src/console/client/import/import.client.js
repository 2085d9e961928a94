import { make } from "../elements.client.js";
import { papa } from "../papaparse.js";
import { download } from "../requests.client.js";
import { changePlan, planForm, readPlan, showFile } from "./import-plan.client.js";
import { runImport } from "./import-send.client.js";
import { createImport, deleteImport, loadImport, loadRowProblems } from "./import-store.client.js";

/** @import { Import, RowProblem } from "./import-store.client.js" */

const MAX_LISTED = 100;

/** @type {(count: number, word: string) => string} */
const countOf = (count, word) => `${count.toLocaleString("en")} ${word}`;

/** @type {(state: Import) => string} */
function summarise({ counts }) {
  const { created, updated, failed, partial = 0 } = counts;
  const parts = [countOf(created, "new"), countOf(updated, "updated"), countOf(failed, "skipped")];
  return [...parts, ...(partial > 0 ? [countOf(partial, "partly imported")] : [])].join(", ");
}

/** @type {(problem: RowProblem) => string} */
const resultOf = ({ isTaken }) => (isTaken === true ? "Partly imported" : "Skipped");

/** @type {(state: Import, problems: RowProblem[]) => void} */
function showRowProblems({ counts }, problems) {
  const { problems: section, problemsText, problemRows } = ui;
  const count = counts.failed + (counts.partial ?? 0);
  section.hidden = count === 0;
  for (const problem of problems.slice(0, MAX_LISTED - problemRows.rows.length)) {
    problemRows
      .insertRow()
      .append(
        make("td", { "data-label": "Row" }, problem.number.toLocaleString("en")),
        make("td", { "data-label": "Result" }, resultOf(problem)),
        make("td", { "data-label": "Reason" }, problem.reason),
      );
  }
  const listed = problemRows.rows.length;
  const first = count > listed ? `Showing the first ${listed} of ${count.toLocaleString("en")}. ` : "";
  problemsText.textContent = `${first}Download the rows, correct them, and import that file.`;
}

/** @type {(state: Import, problems: RowProblem[]) => void} */
function downloadRowProblems({ heads, name }, problems) {
  const width = Math.max(heads.length, ...problems.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => heads[at] ?? `Column ${at + 1}`);
  const lines = problems.map((problem) => [
    ...columns.map((_, at) => problem.cells[at] ?? ""),
    String(problem.number),
    resultOf(problem),
    problem.reason,
  ]);
  const text = papa.unparse([[...columns, "Row", "Result", "Reason"], ...lines], {
    escapeFormulae: /^'*[=+\-@\t\r\n＝＋－＠]/u,
  });
  download(new Blob(["\ufeff", text], { type: "text/csv" }), `refused-${name.replace(/\.\w+$/, "")}.csv`);
}

/** @type {<T extends HTMLElement>(id: string, type: new () => T) => T} */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

const ui = {
  root: element("import", HTMLElement),
  error: element("import-error", HTMLElement),
  resume: element("import-resume", HTMLElement),
  resumeText: element("import-resume-text", HTMLElement),
  continue: element("import-continue", HTMLButtonElement),
  discard: element("import-discard", HTMLButtonElement),
  choose: element("import-choose", HTMLElement),
  file: element("import-file", HTMLInputElement),
  run: element("import-run", HTMLElement),
  title: element("import-run-title", HTMLElement),
  progress: element("import-progress", HTMLProgressElement),
  status: element("import-status", HTMLElement),
  stop: element("import-stop", HTMLButtonElement),
  startOver: element("import-start-over", HTMLButtonElement),
  done: element("import-done", HTMLElement),
  problems: element("import-problems", HTMLElement),
  problemsText: element("import-problems-text", HTMLElement),
  problemRows: element("import-problem-rows", HTMLTableSectionElement),
  downloadProblems: element("import-download-problems", HTMLButtonElement),
};

const importKey = ui.root.dataset["key"] ?? "";

/** @type {Import | null} */
let current = null;
let isStopped = false;

/** @type {(text: string) => void} */
function showError(text) {
  ui.error.className = text === "" ? "" : "banner error";
  ui.error.textContent = text;
}

const clearError = () => showError("");

/** @type {(work: () => Promise<void>) => void} */
const attempt = (work) =>
  void work().catch((error) => showError(error instanceof Error ? error.message : "Something went wrong. Try again."));

const step = () => element("import-step", HTMLElement);

/** @type {(file: File) => Promise<void>} */
async function choose(file) {
  clearError();
  step().replaceChildren();
  if (current !== null && !current.isFinished && current.file === null) {
    if (file.name !== current.name || file.size !== current.size)
      throw new Error(
        `This is a different version of ${current.name}. Choose the original file to continue, or discard the import.`,
      );
    current.file = file;
    await run();
    return;
  }
  await showFile(ui.root, file);
}

async function start() {
  clearError();
  const plan = await readPlan(ui.root);
  if (plan === null) return;
  const { file } = plan;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const identity = { key: importKey, name: file.name, size: file.size };
  current = await createImport({ ...identity, ...plan, done: 0, counts, isFinished: false });
  current.file = file;
  await run();
}

/** @type {(state: Import, share: number) => void} */
function showProgress(state, share) {
  const percent = state.isFinished ? 100 : Math.min(99, Math.floor(share * 100));
  ui.progress.value = percent / 100;
  ui.status.textContent = `${percent} % of ${state.name}: ${summarise(state)}.`;
}

/** @type {(state: Import) => void} */
function showEnd(state) {
  ui.run.hidden = false;
  ui.choose.hidden = true;
  ui.title.textContent = "Import complete";
  showProgress(state, 1);
  ui.stop.hidden = true;
  ui.startOver.hidden = false;
  ui.done.hidden = false;
}

/** @type {(state: Import) => void} */
function showUnfinished(state) {
  ui.run.hidden = true;
  ui.resume.hidden = false;
  ui.choose.hidden = state.file !== null;
  ui.continue.hidden = state.file === null;
  const where = `${state.name} stopped after row ${state.done.toLocaleString("en")} (${summarise(state)}).`;
  const how =
    state.file === null ? " Choose the file again to continue with the next row." : " It continues with the next row.";
  ui.resumeText.textContent = where + how;
}

async function run() {
  const state = current;
  if (state === null || state.file === null) return;
  clearError();
  isStopped = false;
  ui.resume.hidden = true;
  ui.choose.hidden = true;
  step().replaceChildren();
  ui.run.hidden = false;
  ui.stop.hidden = false;
  ui.title.textContent = "Importing";
  showProgress(state, 0);
  try {
    await runImport(ui.root.dataset["rows"] ?? "", state.file, state, {
      onProgress: (after, share, problems) => {
        showProgress(after, share);
        showRowProblems(after, problems);
      },
      onWait: () => (ui.status.textContent = "Couldn't reach Tidings. The import continues automatically."),
      isStopped: () => isStopped,
    });
  } finally {
    if (state.isFinished) showEnd(state);
    else showUnfinished(state);
  }
}

async function startOver() {
  await deleteImport(importKey);
  location.reload();
}

ui.file.addEventListener("change", () => {
  const [file] = ui.file.files ?? [];
  if (file !== undefined) attempt(() => choose(file));
});
ui.continue.addEventListener("click", () => attempt(run));
ui.discard.addEventListener("click", () => attempt(startOver));
ui.startOver.addEventListener("click", () => attempt(startOver));
ui.stop.addEventListener("click", () => (isStopped = true));
ui.downloadProblems.addEventListener("click", () =>
  attempt(async () => {
    if (current !== null) downloadRowProblems(current, await loadRowProblems(importKey));
  }),
);
ui.root.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLElement && planForm()?.contains(target) === true)
    attempt(() => {
      clearError();
      return changePlan(ui.root, target);
    });
});
ui.root.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(start);
});

attempt(async () => {
  current = (await loadImport(importKey)) ?? null;
  if (current !== null) showRowProblems(current, await loadRowProblems(importKey));
  if (current?.isFinished === true) showEnd(current);
  else if (current !== null) showUnfinished(current);
});
