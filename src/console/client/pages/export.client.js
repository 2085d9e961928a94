import { download, isTemporaryFailure, wait } from "../requests.client.js";

/** @typedef {{ head: string, csv: string, count: number, next_cursor: string | null }} Part */

const MAX_ATTEMPTS = 6;

/** @type {(url: URL) => Promise<Part>} */
async function fetchPart(url) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null);
    if (response?.ok === true) return response.json();
    if (!isTemporaryFailure(response) || attempt === MAX_ATTEMPTS) {
      const problem =
        response?.status === 401 ? "You're signed out. Sign in and start again." : "Some parts are missing. Try again.";
      throw new Error(`Export stopped. ${problem}`);
    }
    await wait(Math.max(500 * 2 ** attempt, 1000 * Number(response?.headers.get("Retry-After") ?? 0)));
  }
}

/** @type {(source: HTMLElement, onProgress: (count: number) => void) => Promise<Blob>} */
async function fetchAll(source, onProgress) {
  const url = new URL(source.dataset["part"] ?? "", location.href);
  /** @type {Blob[]} */
  const parts = [];
  let head = "";
  let count = 0;
  for (let next = /** @type {string | null} */ (""); next !== null;) {
    if (next !== "") url.searchParams.set("cursor", next);
    const part = await fetchPart(url);
    if (head === "") parts.push(new Blob([part.head]));
    else if (head !== part.head)
      throw new Error("Custom fields changed during the export, so its parts don't match. Start again.");
    head = part.head;
    parts.push(new Blob([part.csv])); // browsers can keep a Blob on disk
    count += part.count;
    next = part.next_cursor;
    onProgress(count);
  }
  return new Blob(parts, { type: "text/csv" });
}

const root = document.getElementById("export");
const startButton = document.getElementById("export-start");
const status = document.getElementById("export-status");
const progress = document.getElementById("export-progress");

async function exportContacts() {
  if (root === null || !(startButton instanceof HTMLButtonElement) || status === null) return;
  if (!(progress instanceof HTMLProgressElement)) return;
  startButton.disabled = true;
  progress.hidden = false;
  status.textContent = "Fetching …";
  try {
    const file = await fetchAll(root, (count) => {
      progress.value = count;
      status.textContent = `${count.toLocaleString("en")} of ${progress.max.toLocaleString("en")} contacts`;
    });
    download(file, root.dataset["file"] ?? "contacts.csv");
    status.textContent = `${status.textContent} exported: your file is ready.`;
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : "Export stopped.";
  }
  startButton.disabled = false;
}

startButton?.addEventListener("click", () => void exportContacts());
