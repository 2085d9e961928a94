// Reads CSV files of any size, a piece at a time.

/**
 * @typedef {{ encoding: string, delimiter: string, newline: string }} Format
 * @typedef {{ number: number, cells: string[] }} Row `number` counts from 1, as spreadsheets do.
 * @typedef {{ data: string[][], meta: { cursor: number } }} Parsed
 * @typedef {{
 *   parse(text: string, options: object): { data: string[][], meta: { linebreak: string } },
 *   unparse(rows: string[][], options: object): string,
 *   Parser: new (format: { delimiter: string, newline: string }) => { parse(text: string, base: number, open: boolean): Parsed },
 * }} PapaParse
 */

/** @type {PapaParse} */
const papa = Reflect.get(globalThis, "Papa");

const SAMPLE_BYTES = 262_144;
const SAMPLE_ROWS = 100;
/** Of the rows that are shown, so that one request takes them. */
const SAMPLE_CHARACTERS = 100_000;
const DELIMITERS = [",", ";", "\t", "|"];
/** More than any row has; without a bound, a quotation mark that is never closed would swallow the file. */
const LONGEST_ROW = 4_000_000;

/** @type {(stream: ReadableStream<Uint8Array>) => AsyncGenerator<Uint8Array>} */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

/** By its mark; else UTF-8 where the whole file is that, else what spreadsheets of old wrote.
 * @type {(file: Blob) => Promise<string>} */
async function encodingOf(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const piece of piecesOf(file.stream())) decoder.decode(piece, { stream: true });
    decoder.decode();
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** @type {(row: string[]) => boolean} */
const holdsSomething = (row) => row.some((cell) => cell.trim() !== "");

/** The first rows of a file as they are with a delimiter.
 * @type {(sample: string, delimiter: string) => { rows: string[][], newline: string }} */
function splitSample(sample, delimiter) {
  const { data, meta } = papa.parse(sample, { delimiter, preview: SAMPLE_ROWS });
  let room = SAMPLE_CHARACTERS;
  const rows = data.filter((row, at) => (room -= row.join("").length + row.length) > 0 || at < 2);
  return { rows, newline: meta.linebreak };
}

/** How well a delimiter fits: the first row names columns, so it must have several, and the others as many. What is
 * followed by a space is rather part of a text.
 * @type {(rows: string[][]) => number} */
function fitOf(rows) {
  const width = rows[0]?.length ?? 0;
  if (width < 2) return 0;
  const even = rows.filter(({ length }) => length === width).length / rows.length;
  const later = rows.flatMap(([, ...cells]) => cells);
  const spaced = later.filter((cell) => cell.startsWith(" ")).length / Math.max(later.length, 1);
  return even - spaced / 2 + width / 10_000;
}

/** @type {(sample: string) => string} */
function guessDelimiter(sample) {
  const fits = DELIMITERS.map((delimiter) => ({
    delimiter,
    fit: fitOf(splitSample(sample, delimiter).rows.filter(holdsSomething)),
  }));
  return fits.reduce((best, each) => (each.fit > best.fit ? each : best)).delimiter;
}

/** How a file is written, and its beginning. Throws an error for people.
 * @type {(file: Blob) => Promise<{ format: Format, sample: string, rows: string[][] }>} */
async function inspect(file) {
  if (file.size === 0) throw new Error("The file is empty.");
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b)
    throw new Error("This is a spreadsheet, not a CSV file. Open it and save it as CSV (UTF-8).");
  const encoding = await encodingOf(file);
  const sample = new TextDecoder(encoding).decode(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  if (sample.includes("\0")) throw new Error("This is not a CSV file.");
  const delimiter = guessDelimiter(sample);
  const { rows, newline } = splitSample(sample, delimiter);
  if (!rows.some(holdsSomething)) throw new Error("There is nothing in this file.");
  return { format: { encoding, delimiter, newline }, sample, rows };
}

/** The rows that hold something, in lists, with how many bytes were read for them. What is held does not grow with the file.
 * @type {(file: Blob, format: Format) => AsyncGenerator<{ rows: Row[], bytes: number }>} */
async function* rowsOf(file, { encoding, delimiter, newline }) {
  const decoder = new TextDecoder(encoding);
  const parser = new papa.Parser({ delimiter, newline });
  let [text, number, bytes] = ["", 0, 0];
  /** @type {(isOpen: boolean) => Row[]} */
  const take = (isOpen) => {
    const { data, meta } = parser.parse(text, 0, isOpen);
    text = isOpen ? text.slice(meta.cursor) : "";
    return data.map((cells) => ({ number: ++number, cells })).filter(({ cells }) => holdsSomething(cells));
  };
  for await (const piece of piecesOf(file.stream())) {
    bytes += piece.byteLength;
    text += decoder.decode(piece, { stream: true });
    const rows = take(true);
    if (text.length > LONGEST_ROW)
      throw new Error(
        `Row ${number + 1} does not end: a quotation mark in it is never closed. Mend the file and choose it again.`,
      );
    yield { rows, bytes };
  }
  text += decoder.decode();
  yield { rows: take(false), bytes };
}
