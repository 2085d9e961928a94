import { papa } from "../papaparse.js";

/**
 * @typedef {{ encoding: string, delimiter: string, newline: string }} Format
 * @typedef {{ number: number, cells: string[] }} Row `number` counts from 1, as spreadsheets do.
 */

const SAMPLE_BYTES = 262_144;
const SAMPLE_ROWS = 100;
const SAMPLE_CHARACTERS = 100_000;
const DELIMITERS = [",", ";", "\t", "|"];
/**
 * No valid row is longer. If a quotation mark is missing, this limit stops the parser from reading the whole
 * file as one row.
 */
const LONGEST_ROW = 4_000_000;

/** @type {(stream: ReadableStream<Uint8Array>) => AsyncGenerator<Uint8Array>} */
async function* readChunks(stream) {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

/** Returns the encoding of the file. A file without a byte order mark is UTF-8 if its bytes are valid UTF-8;
 * otherwise, it is probably from an old spreadsheet program.
 * @type {(file: Blob) => Promise<string>} */
async function detectEncoding(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of readChunks(file.stream())) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** @type {(row: string[]) => boolean} */
const isFilled = (row) => row.some((cell) => cell.trim() !== "");

/** @type {(sample: string, delimiter: string) => { rows: string[][], newline: string }} */
export function splitSample(sample, delimiter) {
  const { data, meta } = papa.parse(sample, { delimiter, preview: SAMPLE_ROWS });
  let charactersLeft = SAMPLE_CHARACTERS;
  const rows = data.filter((row, at) => (charactersLeft -= row.join("").length + row.length) > 0 || at < 2);
  return { rows, newline: meta.linebreak };
}

/** Scores how well a delimiter fits. The right one splits all rows into the same number of columns. A delimiter
 * before a space is probably part of a text.
 * @type {(rows: string[][]) => number} */
function scoreDelimiter(rows) {
  const width = rows[0]?.length ?? 0;
  if (width < 2) return 0;
  const even = rows.filter(({ length }) => length === width).length / rows.length;
  const later = rows.flatMap(([, ...cells]) => cells);
  const spaced = later.filter((cell) => cell.startsWith(" ")).length / Math.max(later.length, 1);
  return even - spaced / 2 + width / 10_000;
}

/** @type {(sample: string) => string} */
function guessDelimiter(sample) {
  const scores = DELIMITERS.map((delimiter) => ({
    delimiter,
    score: scoreDelimiter(splitSample(sample, delimiter).rows.filter(isFilled)),
  }));
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

/** @type {(file: Blob) => Promise<{ format: Format, sample: string, rows: string[][] }>} */
export async function inspectFile(file) {
  if (file.size === 0) throw new Error("The file is empty.");
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b)
    throw new Error("This is a spreadsheet, not a CSV file. Save it as CSV (UTF-8) and choose that file.");
  const encoding = await detectEncoding(file);
  const sample = new TextDecoder(encoding).decode(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  if (sample.includes("\0")) throw new Error("This is not a CSV file.");
  const delimiter = guessDelimiter(sample);
  const { rows, newline } = splitSample(sample, delimiter);
  if (!rows.some(isFilled)) throw new Error("The file is empty.");
  return { format: { encoding, delimiter, newline }, sample, rows };
}

/** Reads a file of any size in constant memory. `bytes` is the number of bytes that were read so far.
 * @type {(file: Blob, format: Format) => AsyncGenerator<{ rows: Row[], bytes: number }>} */
export async function* readRows(file, { encoding, delimiter, newline }) {
  const decoder = new TextDecoder(encoding);
  const parser = new papa.Parser({ delimiter, newline });
  let [text, number, bytes] = ["", 0, 0];
  /** @type {(isOpen: boolean) => Row[]} */
  const take = (isOpen) => {
    const { data, meta } = parser.parse(text, 0, isOpen);
    text = isOpen ? text.slice(meta.cursor) : "";
    return data.map((cells) => ({ number: ++number, cells })).filter(({ cells }) => isFilled(cells));
  };
  for await (const chunk of readChunks(file.stream())) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    const rows = take(true);
    if (text.length > LONGEST_ROW)
      throw new Error(`Row ${number + 1} has an unclosed quotation mark. Correct the file and choose it again.`);
    yield { rows, bytes };
  }
  text += decoder.decode();
  yield { rows: take(false), bytes };
}
