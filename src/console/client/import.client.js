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
  notes: element("import-notes", HTMLElement),
  notesText: element("import-notes-text", HTMLElement),
  noteRows: element("import-note-rows", HTMLTableSectionElement),
  done: element("import-done", HTMLElement),
};

const importKey = ui.root.dataset["key"] ?? "";

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

const step = () => element("import-step", HTMLElement);

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
  await showFile(ui.root, file);
}

async function start() {
  tell("");
  const plan = await plannedImport(ui.root);
  if (plan === null) return;
  const { file } = plan;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const known = { key: importKey, name: file.name, size: file.size };
  current = await keepImport({ ...known, ...plan, done: 0, counts, isFinished: false });
  current.file = file;
  await run();
}

/** All of it is done only when the last row is.
 * @type {(state: Import, share: number) => void} */
function showProgress(state, share) {
  const percent = state.isFinished ? 100 : Math.min(99, Math.floor(share * 100));
  ui.progress.value = percent / 100;
  ui.status.textContent = `${percent} % of ${state.name}: ${summary(state)}.`;
}

/** @type {(state: Import) => void} */
function showEnd(state) {
  ui.run.hidden = false;
  ui.choose.hidden = true;
  ui.title.textContent = "Import done";
  showProgress(state, 1);
  ui.stop.hidden = true;
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
      onProgress: (after, share, notes) => {
        showProgress(after, share);
        showNotes(ui, after, notes);
      },
      onWait: () => (ui.status.textContent = "No answer at the moment. It goes on by itself as soon as there is one."),
      isStopped: () => stopped,
    });
  } finally {
    if (state.isFinished) showEnd(state);
    else showUnfinished(state);
  }
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
ui.refused.addEventListener("click", () =>
  attempt(async () => {
    if (current !== null) downloadNotes(current, await notesOf(importKey));
  }),
);
ui.root.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLElement && planForm()?.contains(target) === true)
    attempt(() => {
      tell("");
      return changePlan(ui.root, target);
    });
});
ui.root.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(start);
});

attempt(async () => {
  current = (await loadImport(importKey)) ?? null;
  if (current !== null) showNotes(ui, current, await notesOf(importKey));
  if (current?.isFinished === true) showEnd(current);
  else if (current !== null) showUnfinished(current);
});
