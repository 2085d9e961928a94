import * as z from "zod";
import { type ContactLayout, listContactsQuery } from "../../../features/contacts/contacts.schemas.ts";
import {
  type ContactHits,
  contactFilterFromQuery,
  searchContacts,
} from "../../../features/contacts/search/search-contacts.ts";
import { runInTurn, type ScanTurn } from "../../../features/scans/scans.service.ts";
import { encodeCursor } from "../../../http/fields.ts";
import { csvHeaders, streamText } from "../../../http/response/streamed-response.ts";
import type { Role } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { BOM, csvLine } from "../../../shared/text/csv.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { formatCount, toLabel } from "../../kit/format.ts";
import { sendJson, sendResponse } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { Page } from "../../kit/page/page.tsx";
import { contactLine, listColumns } from "./contact-csv.ts";
import { contactFilterQuery, filterParams } from "./list/contact-filters.tsx";

export const contactExportPages = workspacePages();

export const EXPORT_ROLE: Role = "admin";

const PER_READ = 100;
/**
 * How many contacts an export reads per turn. All exports of a workspace take turns, and other requests run
 * between two turns.
 */
const PER_TURN = 1000;
/** How many contacts a script fetches with one request, which takes 5 turns. */
const PER_PART = 5000;
/**
 * How many contacts a streamed file contains at most. Such a file takes 500 queries and 50 turns, and the platform
 * allows 1,000 calls per request.
 */
const PER_FILE = 50_000;

const exportQuery = contactFilterQuery.extend({ cursor: listContactsQuery.shape.cursor });

type Query = z.output<typeof exportQuery>;

interface Piece {
  csv: string;
  count: number;
  layout: ContactLayout;
  after: number | null;
}

/**
 * Reads the contacts of one turn. Each later piece gets the columns of the first one as `known`, so that all pieces
 * have the same columns.
 */
async function readPiece(
  turn: ScanTurn,
  query: Query,
  after: number | undefined,
  known?: ContactLayout,
): Promise<Piece> {
  const lines: string[] = [];
  let layout = known;
  let next: number | null | undefined = after;
  do {
    const page = { limit: PER_READ, offset: 0, after: next, includeTotal: false };
    const hits: ContactHits = await searchContacts(turn.ctx, contactFilterFromQuery(query), page, turn);
    const columns: ContactLayout = layout ?? hits.layout;
    lines.push(...hits.rows.map(({ contact }) => contactLine(contact, columns)));
    layout = columns;
    next = hits.next;
  } while (next !== null && lines.length < PER_TURN);
  return { csv: lines.join(""), count: lines.length, layout, after: next };
}

/**
 * Reads at least `least` contacts, newest first, unless there are fewer. Yields them in pieces, so that an
 * export of any size needs constant memory.
 */
async function* readPieces(ctx: Ctx, query: Query, least: number): AsyncGenerator<Piece> {
  let after: number | null | undefined = query.cursor?.[0];
  let layout: ContactLayout | undefined;
  for (let count = 0; count < least && after !== null;) {
    const [from, known]: [number | undefined, ContactLayout | undefined] = [after, layout];
    const piece: Piece = await runInTurn(ctx, (turn) => readPiece(turn, query, from, known));
    count += piece.count;
    ({ layout, after } = piece);
    yield piece;
  }
}

async function* writeFile(ctx: Ctx, query: Query): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { csv, layout } of readPieces(ctx, query, PER_FILE)) {
    yield isFirst ? BOM + csvLine(listColumns(layout)) + csv : csv;
    isFirst = false;
  }
}

const fileName = (ctx: Ctx) => `contacts-${new Date(ctx.now()).toISOString().slice(0, 10)}.csv`;

function describeQuery({ search, tag, status, source, archived }: Query): string {
  const parts = [
    archived === true ? "archived" : "active",
    search === undefined ? "" : `matching “${search}”`,
    tag === undefined ? "" : `tagged “${tag}”`,
    status === undefined ? "" : `with status ${toLabel(status)}`,
    source === undefined ? "" : `from “${source}”`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

contactExportPages.get(
  "/contacts/export",
  { role: EXPORT_ROLE, query: exportQuery },
  async ({ ctx, path }, { query }) => {
    const { total } = await searchContacts(ctx, contactFilterFromQuery(query), {
      limit: 1,
      offset: 0,
      after: undefined,
      includeTotal: true,
    });
    const count = total ?? 0;
    const params = filterParams(query);
    const isOneFile = count <= PER_FILE;
    const file = path(`/contacts/export.csv${params}`);
    return (
      <Page title="Export contacts" scripts={["pages/export.client.js"]}>
        {count === 0 ? (
          <EmptyState
            title="Nothing to export"
            action={<ButtonLink href={path("/contacts")}>Show all contacts</ButtonLink>}
          >
            No contacts match this filter.
          </EmptyState>
        ) : (
          <>
            <p>
              <strong>{formatCount(count, "contact")}</strong>, {describeQuery(query)}, with tags and custom fields, as
              a CSV file.
            </p>
            <p class="help">
              Phone numbers contain spaces, like +1 415 555 0100, so that spreadsheets keep the plus sign. Other values
              that start with =, +, − or @ get an apostrophe, so that they don't run as formulas. Tidings removes both
              when you import the file.
            </p>
            {isOneFile ? (
              <ButtonLink kind="primary" href={file}>
                Download {formatCount(count, "contact")}
              </ButtonLink>
            ) : (
              <>
                <div
                  class="needs-script"
                  id="export"
                  data-part={path(`/contacts/export/part${params}`)}
                  data-file={fileName(ctx)}
                  data-total={count}
                >
                  <p>The file is built in parts of {formatCount(PER_PART, "contact")}. Keep this page open.</p>
                  <button type="button" id="export-start">
                    Download {formatCount(count, "contact")}
                  </button>
                  <progress id="export-progress" value={0} max={count} aria-label="Export progress" hidden></progress>
                  <p id="export-status" role="status"></p>
                </div>
                <p>
                  <a href={file}>Download only the newest {formatCount(PER_FILE, "contact")}</a>
                  <span class="help"> . To get the others, narrow the filter.</span>
                </p>
              </>
            )}
            <p class="below">
              <a href={path(`/contacts${params}`)}>Back to contacts</a>
            </p>
          </>
        )}
      </Page>
    );
  },
);

contactExportPages.get("/contacts/export.csv", { role: EXPORT_ROLE, query: exportQuery }, async ({ ctx }, { query }) =>
  sendResponse(new Response(await streamText(writeFile(ctx, query)), { headers: csvHeaders(fileName(ctx)) })),
);

contactExportPages.get(
  "/contacts/export/part",
  { role: EXPORT_ROLE, query: exportQuery },
  async ({ ctx }, { query }) => {
    const lines: string[] = [];
    let [count, head, next]: [number, string, string | null] = [0, "", null];
    for await (const piece of readPieces(ctx, query, PER_PART)) {
      lines.push(piece.csv);
      count += piece.count;
      head = csvLine(listColumns(piece.layout));
      next = piece.after === null ? null : encodeCursor([piece.after]);
    }
    return sendJson({ head: BOM + head, csv: lines.join(""), count, next_cursor: next });
  },
);
