// Keeps an import in the browser, so that it goes on where it stopped: the file, how far it is, and what was not taken.

/**
 * @typedef {{ created: number, updated: number, unchanged: number, failed: number, partial?: number }} Counts
 * @typedef {{
 *   key: string, name: string, size: number, file: Blob | null, format: Format, hasHeads: boolean, heads: string[],
 *   mapping: string[], tag: string, country?: string, dateOrder?: string | null, misfits?: string,
 *   done: number, counts: Counts, isFinished: boolean,
 * }} Import `done` is the number of the last row that was taken or refused; without its file, it must be chosen again.
 * What may be left out is not in imports that an earlier version has kept.
 * @typedef {{ number: number, cells: string[], reason: string, isTaken?: boolean }} Note a row that was refused, or taken
 * without some of its cells.
 */

const [IMPORTS, REFUSED] = /** @type {const} */ (["imports", "refused"]);

/** @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const settled = (request) =>
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
  return settled(request);
}

/** All of it or nothing.
 * @type {(change: (transaction: IDBTransaction) => void) => Promise<void>} */
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
async function loadImport(key) {
  const store = await openStore();
  const found = await settled(store.transaction(IMPORTS).objectStore(IMPORTS).get(key));
  store.close();
  return found;
}

/** How far an import is, and what was not taken since it was last kept.
 * @type {(state: Import, notes: Note[]) => Promise<void>} */
const saveImport = (state, notes) =>
  changeStore((transaction) => {
    transaction.objectStore(IMPORTS).put(state);
    if (notes.length > 0) transaction.objectStore(REFUSED).add({ key: state.key, refused: notes });
  });

/** @type {(key: string) => Promise<Note[]>} */
async function notesOf(key) {
  const store = await openStore();
  /** @type {{ refused: Note[] }[]} */
  const lists = await settled(store.transaction(REFUSED).objectStore(REFUSED).index("key").getAll(key));
  store.close();
  return lists.flatMap(({ refused }) => refused);
}

/** @type {(key: string) => Promise<void>} */
const forgetImport = (key) =>
  changeStore((transaction) => {
    transaction.objectStore(IMPORTS).delete(key);
    const cursor = transaction.objectStore(REFUSED).index("key").openCursor(key);
    cursor.addEventListener("success", () => {
      cursor.result?.delete();
      cursor.result?.continue();
    });
  });

/** Keeps a new import; without its file where the browser has no room for that.
 * @type {(state: Import) => Promise<Import>} */
async function keepImport(state) {
  await forgetImport(state.key);
  try {
    await saveImport(state, []);
    return state;
  } catch {
    const bare = { ...state, file: null };
    await saveImport(bare, []);
    return bare;
  }
}
