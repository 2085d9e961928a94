import { readRows } from "./import-file.client.js";
import { saveImport } from "./import-store.client.js";
import { csrfToken, isTemporaryFailure, wait, fetchSignedIn } from "../requests.client.js";

/** @import { Row } from "./import-file.client.js" */
/** @import { Counts, Import, RowProblem } from "./import-store.client.js" */

/**
 * @typedef {{ index: number, reason: string }} RowReason
 * @typedef {{ counts: Counts, refused: RowReason[], left_out: RowReason[] }} BatchAnswer
 */

const MAX_ROWS = 500;
const MAX_BYTES = 900_000;

/** Retries after most errors, because a batch that is sent twice is imported once.
 * @type {(url: string, body: object, onWait: () => void, isStopped: () => boolean) => Promise<BatchAnswer | null>} */
async function sendBatch(url, body, onWait, isStopped) {
  for (let tries = 1; !isStopped(); tries++) {
    const response = await fetchSignedIn(url, () => ({
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRF-Token": csrfToken() },
      body: JSON.stringify(body),
    })).catch(() => undefined);
    if (response?.ok === true) return response.json();
    if (response === null) throw new Error("You're signed out. Continue to sign in.");
    if (response !== undefined && !isTemporaryFailure(response)) {
      const { error } = await response.json();
      throw new Error(error.details?.[0]?.message ?? error.message);
    }
    onWait();
    await wait(Math.min(30_000, 500 * 2 ** tries));
  }
  return null;
}

const encoder = new TextEncoder();

/** @type {(cells: string[]) => string | null} */
function describeUnsendable(cells) {
  if (cells.some((cell) => cell.includes("\0"))) return "It contains an invalid character (NUL).";
  return encoder.encode(JSON.stringify(cells)).length > MAX_BYTES ? "It is longer than 900 KB." : null;
}

/** @type {(file: Blob, state: Import) => AsyncGenerator<{ rows: Row[], bytes: number }>} */
async function* readBatches(file, { format, hasHeads, done }) {
  const first = Math.max(done + 1, hasHeads ? 2 : 1);
  /** @type {Row[]} */
  let batch = [];
  let [size, before, batchEnd] = [0, 0, 0];
  for await (const { rows, bytes } of readRows(file, format)) {
    for (const [at, row] of rows.entries()) {
      if (row.number < first) continue;
      const length = encoder.encode(JSON.stringify(row.cells)).length;
      if (batch.length === MAX_ROWS || (batch.length > 0 && size + length > MAX_BYTES)) {
        yield { rows: batch, bytes: batchEnd };
        [batch, size] = [[], 0];
      }
      batch.push(row);
      size += length;
      batchEnd = before + ((bytes - before) * (at + 1)) / rows.length;
    }
    before = bytes;
  }
  if (batch.length > 0) yield { rows: batch, bytes: batchEnd };
}

/** @type {(one: Counts, other: Counts) => Counts} */
const addCounts = (one, other) => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failed: one.failed + other.failed,
  partial: (one.partial ?? 0) + (other.partial ?? 0),
});

/** @type {BatchAnswer} */
const EMPTY_ANSWER = { counts: { created: 0, updated: 0, unchanged: 0, failed: 0 }, refused: [], left_out: [] };

/** @type {(url: string, file: Blob, state: Import, hooks: {
 *   onProgress: (state: Import, share: number, problems: RowProblem[]) => void, onWait: () => void, isStopped: () => boolean,
 * }) => Promise<void>} */
export async function runImport(url, file, state, { onProgress, onWait, isStopped }) {
  const columns = state.mapping.flatMap((field, at) => (field === "" ? [] : [at]));
  const mapping = columns.map((at) => state.mapping[at] ?? "");
  for await (const { rows, bytes } of readBatches(file, state)) {
    const refusals = new Map(rows.map(({ number, cells }) => [number, describeUnsendable(cells)]));
    const sent = rows.filter(({ number }) => refusals.get(number) === null);
    const body = {
      rows: sent.map((row) => columns.map((at) => row.cells[at] ?? "")),
      mapping,
      tag: state.tag,
      country: state.country ?? "",
      date_order: state.dateOrder ?? null,
      misfits: state.misfits ?? "refuse_row",
    };
    const answer = sent.length === 0 ? EMPTY_ANSWER : await sendBatch(url, body, onWait, isStopped);
    if (answer === null) return;
    for (const { index, reason } of answer.refused) refusals.set(sent[index]?.number ?? 0, reason);
    const partial = new Map(answer.left_out.map(({ index, reason }) => [sent[index]?.number ?? 0, reason]));
    const problems = rows.flatMap((row) => {
      const refusal = refusals.get(row.number) ?? null;
      const reason = refusal ?? partial.get(row.number);
      return reason === undefined ? [] : [{ ...row, reason, isTaken: refusal === null }];
    });
    const failed = problems.filter(({ isTaken }) => !isTaken).length; // rows that are too long to send are included
    state.counts = addCounts(state.counts, { ...answer.counts, failed, partial: partial.size });
    state.done = rows.at(-1)?.number ?? state.done;
    await saveImport(state, problems);
    onProgress(state, bytes / file.size, problems);
    if (isStopped()) return;
  }
  state.isFinished = true;
  await saveImport(state, []);
}
