// What an import has come to: counts, and the rows that were refused or taken in part.

/** As many as a person reads; all of them are in the file to download. */
const MOST_NOTES = 100;

/** @type {(count: number, word: string) => string} */
const many = (count, word) => `${count.toLocaleString("en")} ${word}`;

/** @type {(state: Import) => string} */
function summary({ counts }) {
  const { created, updated, unchanged, failed, partial = 0 } = counts;
  const parts = [many(created, "new"), many(updated + unchanged, "known already"), many(failed, "refused")];
  return [...parts, ...(partial > 0 ? [many(partial, "without some cells")] : [])].join(", ");
}

/** @type {(note: Note) => string} */
const resultOf = ({ isTaken }) => (isTaken === true ? "Taken in part" : "Refused");

/** @type {(label: string, text: string) => HTMLTableCellElement} */
function cellOf(label, text) {
  const cell = document.createElement("td");
  cell.dataset["label"] = label;
  cell.textContent = text;
  return cell;
}

/** Adds rows to the list on the page.
 * @type {(ui: { notes: HTMLElement, notesText: HTMLElement, noteRows: HTMLTableSectionElement }, state: Import, notes: Note[]) => void} */
function showNotes({ notes: list, notesText, noteRows }, { counts }, notes) {
  const count = counts.failed + (counts.partial ?? 0);
  list.hidden = count === 0;
  for (const note of notes.slice(0, MOST_NOTES - noteRows.rows.length)) {
    const row = noteRows.insertRow();
    row.append(
      cellOf("Row", note.number.toLocaleString("en")),
      cellOf("Result", resultOf(note)),
      cellOf("Reason", note.reason),
    );
  }
  const shown = noteRows.rows.length;
  const first = count > shown ? `These are the first ${shown} of ${count.toLocaleString("en")}. ` : "";
  notesText.textContent = `${first}Download them with their cells, mend them there, and import that file.`;
}

/** Hands over all those rows as a file, which may be imported again.
 * @type {(state: Import, notes: Note[]) => void} */
function downloadNotes({ heads, name }, notes) {
  const width = Math.max(heads.length, ...notes.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => heads[at] ?? `Column ${at + 1}`);
  const lines = notes.map((note) => [
    ...columns.map((_, at) => note.cells[at] ?? ""),
    String(note.number),
    resultOf(note),
    note.reason,
  ]);
  const text = papa.unparse([[...columns, "Row", "Result", "Reason"], ...lines], {
    escapeFormulae: /^'*[=+\-@\t\r\n＝＋－＠]/u,
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = `refused-${name.replace(/\.\w+$/, "")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
