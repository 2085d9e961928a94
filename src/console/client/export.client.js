// Fetches an export part by part and hands it over as one file.

/** @typedef {{ head: string, csv: string, count: number, next_cursor: string | null }} Part */

const TRIES = 6;

/** @type {(ms: number) => Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again while the connection or the service fails.
 * @type {(url: URL) => Promise<Part>} */
async function fetchPart(url) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null);
    if (response?.ok === true) return response.json();
    const isOver = response !== null && response.status < 500 && response.status !== 429;
    if (isOver || tries === TRIES) {
      const problem =
        response?.status === 401 ? "You are signed out. Sign in and start again." : "Parts are missing. Try again.";
      throw new Error(`The export has stopped. ${problem}`);
    }
    await pause(Math.max(500 * 2 ** tries, 1000 * Number(response?.headers.get("Retry-After") ?? 0)));
  }
}

/** @type {(root: HTMLElement, onProgress: (done: number) => void) => Promise<Blob>} */
async function fetchAll(root, onProgress) {
  const url = new URL(root.dataset["part"] ?? "", location.href);
  /** @type {Blob[]} */
  const parts = [];
  let head = "";
  let done = 0;
  for (let next = /** @type {string | null} */ (""); next !== null;) {
    if (next !== "") url.searchParams.set("cursor", next);
    const part = await fetchPart(url);
    if (head === "") parts.push(new Blob([part.head]));
    else if (head !== part.head) throw new Error("The custom fields were changed meanwhile. Start again.");
    head = part.head;
    parts.push(new Blob([part.csv])); // a browser may keep it on disk
    done += part.count;
    next = part.next_cursor;
    onProgress(done);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** @type {(blob: Blob, name: string) => void} */
function handOver(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const exportRoot = document.getElementById("export");
const exportStart = document.getElementById("export-start");
const exportStatus = document.getElementById("export-status");
const exportProgress = document.getElementById("export-progress");

async function exportContacts() {
  if (exportRoot === null || !(exportStart instanceof HTMLButtonElement) || exportStatus === null) return;
  if (!(exportProgress instanceof HTMLProgressElement)) return;
  exportStart.disabled = true;
  exportProgress.hidden = false;
  exportStatus.textContent = "Fetching …";
  try {
    const file = await fetchAll(exportRoot, (done) => {
      exportProgress.value = done;
      exportStatus.textContent = `${done.toLocaleString("en")} of ${exportProgress.max.toLocaleString("en")} contacts`;
    });
    handOver(file, exportRoot.dataset["file"] ?? "contacts.csv");
    exportStatus.textContent = `${exportStatus.textContent}: the file is ready.`;
  } catch (error) {
    exportStatus.textContent = error instanceof Error ? error.message : "The export has stopped.";
  }
  exportStart.disabled = false;
}

exportStart?.addEventListener("click", () => void exportContacts());
