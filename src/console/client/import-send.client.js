// Sends the rows of a file in batches, in order, and keeps how far it is after each.

/**
 * @typedef {{ index: number, reason: string }} RowReason
 * @typedef {{ counts: Counts, refused: RowReason[], left_out: RowReason[] }} BatchAnswer
 */

const MOST_ROWS = 500;
const MOST_BYTES = 900_000;

/** @type {(ms: number) => Promise<void>} */
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const csrfToken = () => document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** Asks again while the connection or the service fails, as a batch sent twice does nothing twice.
 * @type {(url: string, body: object, onWait: () => void, isStopped: () => boolean) => Promise<BatchAnswer | null>} */
async function sendBatch(url, body, onWait, isStopped) {
  for (let tries = 1; !isStopped(); tries++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRF-Token": csrfToken() },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (response?.ok === true) return response.json();
    if (response?.status === 401) throw new Error("You are signed out. Sign in again, then go on here.");
    if (response !== null && response.status < 500 && response.status !== 429) {
      const { error } = await response.json();
      throw new Error(error.details?.[0]?.message ?? error.message);
    }
    onWait();
    await rest(Math.min(30_000, 500 * 2 ** tries));
  }
  return null;
}

const encoder = new TextEncoder();

/** Why a row cannot even be sent, or null.
 * @type {(cells: string[]) => string | null} */
function unsendable(cells) {
  if (cells.some((cell) => cell.includes("\0"))) return "It holds a character that no text has (NUL).";
  return encoder.encode(JSON.stringify(cells)).length > MOST_BYTES ? "It is longer than 900 KB." : null;
}

/** Groups rows into batches that one request takes, with how much of the file they and those before them are.
 * @type {(file: Blob, state: Import) => AsyncGenerator<{ rows: Row[], bytes: number }>} */
async function* batchesOf(file, { format, hasHeads, done }) {
  const first = Math.max(done + 1, hasHeads ? 2 : 1);
  /** @type {Row[]} */
  let batch = [];
  let [size, before, bytesOfBatch] = [0, 0, 0];
  for await (const { rows, bytes } of rowsOf(file, format)) {
    for (const [at, row] of rows.entries()) {
      if (row.number < first) continue;
      const length = encoder.encode(JSON.stringify(row.cells)).length;
      if (batch.length === MOST_ROWS || (batch.length > 0 && size + length > MOST_BYTES)) {
        yield { rows: batch, bytes: bytesOfBatch };
        [batch, size] = [[], 0];
      }
      batch.push(row);
      size += length;
      bytesOfBatch = before + ((bytes - before) * (at + 1)) / rows.length;
    }
    before = bytes;
  }
  if (batch.length > 0) yield { rows: batch, bytes: bytesOfBatch };
}

/** @type {(one: Counts, other: Counts) => Counts} */
const sum = (one, other) => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failed: one.failed + other.failed,
  partial: (one.partial ?? 0) + (other.partial ?? 0),
});

/** @type {BatchAnswer} */
const NOTHING = { counts: { created: 0, updated: 0, unchanged: 0, failed: 0 }, refused: [], left_out: [] };

/**
 * Goes on with an import until its end, or until it is stopped. Throws errors for people; what was done is kept.
 * @type {(url: string, file: Blob, state: Import, hooks: {
 *   onProgress: (state: Import, share: number, notes: Note[]) => void, onWait: () => void, isStopped: () => boolean,
 * }) => Promise<void>}
 */
async function runImport(url, file, state, { onProgress, onWait, isStopped }) {
  const columns = state.mapping.flatMap((place, at) => (place === "" ? [] : [at]));
  const mapping = columns.map((at) => state.mapping[at] ?? "");
  for await (const { rows, bytes } of batchesOf(file, state)) {
    const problems = new Map(rows.map(({ number, cells }) => [number, unsendable(cells)]));
    const sent = rows.filter(({ number }) => problems.get(number) === null);
    const body = {
      rows: sent.map((row) => columns.map((at) => row.cells[at] ?? "")),
      mapping,
      tag: state.tag,
      country: state.country ?? "",
      date_order: state.dateOrder ?? null,
      misfits: state.misfits ?? "refuse_row",
    };
    const answer = sent.length === 0 ? NOTHING : await sendBatch(url, body, onWait, isStopped);
    if (answer === null) return;
    for (const { index, reason } of answer.refused) problems.set(sent[index]?.number ?? 0, reason);
    const partial = new Map(answer.left_out.map(({ index, reason }) => [sent[index]?.number ?? 0, reason]));
    const notes = rows.flatMap((row) => {
      const refusal = problems.get(row.number) ?? null;
      const reason = refusal ?? partial.get(row.number);
      return reason === undefined ? [] : [{ ...row, reason, isTaken: refusal === null }];
    });
    const failed = notes.filter(({ isTaken }) => !isTaken).length; // with those that were not sent
    state.counts = sum(state.counts, { ...answer.counts, failed, partial: partial.size });
    state.done = rows.at(-1)?.number ?? state.done;
    await saveImport(state, notes);
    onProgress(state, bytes / file.size, notes);
    if (isStopped()) return;
  }
  state.isFinished = true;
  await saveImport(state, []);
}
