/** @import { Format } from "./import-file.client.js" */

/**
 * @typedef {{ created: number, updated: number, unchanged: number, failed: number, partial?: number }} Counts
 * @typedef {{
 *   key: string, name: string, size: number, file: Blob | null, format: Format, hasHeads: boolean, heads: string[],
 *   mapping: string[], tag: string, country?: string, dateOrder?: string | null, misfits?: string,
 *   done: number, counts: Counts, isFinished: boolean,
 * }} Import `done` is the number of the last row that was imported or refused. If `file` is null, the user chooses the
 * file again. Imports of earlier versions can lack the optional properties.
 * @typedef {{ number: number, cells: string[], reason: string, isTaken?: boolean }} RowProblem a row that was refused, or
 * imported without some of its cells.
 */

const [IMPORTS, REFUSED] = /** @type {const} */ (["imports", "refused"]);

/** @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const awaitRequest = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/** @type {() => Promise<IDBDatabase>} */
function openStore() {
  const request = indexedDB.open("tidings", 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(IMPORTS, { keyPath: "key" });
    request.result.createObjectStore(REFUSED, { autoIncrement: true }).createIndex("key", "key");
  });
  return awaitRequest(request);
}

/** @type {(change: (transaction: IDBTransaction) => void) => Promise<void>} */
async function changeStore(change) {
  const store = await openStore();
  try {
    await new Promise((resolve, reject) => {
      const transaction = store.transaction([IMPORTS, REFUSED], "readwrite");
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
      change(transaction);
    });
  } finally {
    store.close();
  }
}

/** @type {(key: string) => Promise<Import | undefined>} */
export async function loadImport(key) {
  const store = await openStore();
  const found = await awaitRequest(store.transaction(IMPORTS).objectStore(IMPORTS).get(key));
  store.close();
  return found;
}

/** @type {(state: Import, problems: RowProblem[]) => Promise<void>} */
export const saveImport = (state, problems) =>
  changeStore((transaction) => {
    transaction.objectStore(IMPORTS).put(state);
    if (problems.length > 0) transaction.objectStore(REFUSED).add({ key: state.key, refused: problems });
  });

/** @type {(key: string) => Promise<RowProblem[]>} */
export async function loadRowProblems(key) {
  const store = await openStore();
  /** @type {{ refused: RowProblem[] }[]} */
  const lists = await awaitRequest(store.transaction(REFUSED).objectStore(REFUSED).index("key").getAll(key));
  store.close();
  return lists.flatMap(({ refused }) => refused);
}

/** @type {(key: string) => Promise<void>} */
export const deleteImport = (key) =>
  changeStore((transaction) => {
    transaction.objectStore(IMPORTS).delete(key);
    const cursor = transaction.objectStore(REFUSED).index("key").openCursor(key);
    cursor.addEventListener("success", () => {
      cursor.result?.delete();
      cursor.result?.continue();
    });
  });

/** @type {(state: Import) => Promise<Import>} */
export async function createImport(state) {
  await deleteImport(state.key);
  try {
    await saveImport(state, []);
    return state;
  } catch {
    const withoutFile = { ...state, file: null };
    await saveImport(withoutFile, []);
    return withoutFile;
  }
}
