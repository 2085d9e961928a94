// Shows the counts of an import, and the rows that were skipped or partly imported.
import { papa } from "../papaparse.js";
import { download } from "../pages/requests.client.js";

/** @import { Import, RowProblem } from "./import-store.client.js" */

/** Rows on the page; the download contains all. */
const MAX_SHOWN = 100;

/** @type {(count: number, word: string) => string} */
const countOf = (count, word) => `${count.toLocaleString("en")} ${word}`;

/** @type {(state: Import) => string} */
export function summarise({ counts }) {
  const { created, updated, unchanged, failed, partial = 0 } = counts;
  const parts = [countOf(created, "new"), countOf(updated + unchanged, "existing"), countOf(failed, "skipped")];
  return [...parts, ...(partial > 0 ? [countOf(partial, "partly imported")] : [])].join(", ");
}

/** @type {(problem: RowProblem) => string} */
const resultOf = ({ isTaken }) => (isTaken === true ? "Partly imported" : "Skipped");

/** @type {(label: string, text: string) => HTMLTableCellElement} */
function createCell(label, text) {
  const cell = document.createElement("td");
  cell.dataset["label"] = label;
  cell.textContent = text;
  return cell;
}

/** Appends rows to the list.
 * @type {(ui: { problems: HTMLElement, problemsText: HTMLElement, problemRows: HTMLTableSectionElement }, state: Import, problems: RowProblem[]) => void} */
export function showRowProblems({ problems: section, problemsText, problemRows }, { counts }, problems) {
  const count = counts.failed + (counts.partial ?? 0);
  section.hidden = count === 0;
  for (const problem of problems.slice(0, MAX_SHOWN - problemRows.rows.length)) {
    const row = problemRows.insertRow();
    row.append(
      createCell("Row", problem.number.toLocaleString("en")),
      createCell("Result", resultOf(problem)),
      createCell("Reason", problem.reason),
    );
  }
  const shown = problemRows.rows.length;
  const first = count > shown ? `Showing the first ${shown} of ${count.toLocaleString("en")}. ` : "";
  problemsText.textContent = `${first}Download the rows, correct them, and import that file.`;
}

/** Downloads the rows as a file for another import.
 * @type {(state: Import, problems: RowProblem[]) => void} */
export function downloadRowProblems({ heads, name }, problems) {
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
