import * as z from "zod";
import type { FC } from "hono/jsx";
import { type ApiKey, listApiKeys } from "../../../features/api-keys/api-keys.service.ts";
import type { LoggedRequest } from "../../../features/request-log/request-log.recent.ts";
import { Badge, type Tone, EmptyState, Facts, LocalTime } from "../../kit/feedback.tsx";
import { listRequestsQuery } from "../../../features/request-log/request-log.schemas.ts";
import { getRequest, listRequests } from "../../../features/request-log/request-log.service.ts";
import { page } from "../../../http/fields.ts";
import { notFound } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { FilterSelect, FilterForm } from "../../kit/forms/choice-fields.tsx";
import { formatNumber } from "../../kit/format.ts";
import { PagedTable } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";

export const REQUESTS_PATH = "/settings/requests";

const toneOf = (status: number): Tone => (status < 400 ? "good" : status < 500 ? "warning" : "bad");

const StatusBadge: FC<{ status: number }> = ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>;

/**
 * Shows query parameters without values, such as `GET /api/v1/contacts?limit&search`, because the log does not
 * contain the values.
 */
const RequestLine: FC<{ request: LoggedRequest }> = ({ request: { method, path, query } }) => (
  <>
    <strong>{method}</strong> <code>{path + (query.length > 0 ? `?${query.join("&")}` : "")}</code>
  </>
);

export const keyNames = (keys: readonly ApiKey[]): ReadonlyMap<string, string> =>
  new Map(keys.map(({ id, name, lastFour }) => [id, `${name} (${lastFour})`]));

export const requestPages = workspacePages();

const PER_PAGE = 50;
const MAX_LISTED = 100;

const STATUSES = [
  { value: "", label: "All" },
  { value: "2xx", label: "2xx: done" },
  { value: "4xx", label: "4xx: client error" },
  { value: "429", label: "429: rate limited" },
  { value: "5xx", label: "5xx: server error" },
];

const filters = listRequestsQuery.omit({ limit: true });

requestPages.get(REQUESTS_PATH, { query: filters }, async ({ ctx, path }, { query }) => {
  const { key_id: keyId, status, path: part, cursor } = query;
  const [rows, keys] = await Promise.all([
    listRequests(ctx, { filter: { keyId, status, path: part }, limit: PER_PAGE, before: cursor?.[0] }),
    listApiKeys(ctx, MAX_LISTED, undefined),
  ]);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ number }) => [number]);
  const names = keyNames(keys);
  const isFiltered = keyId !== undefined || status !== undefined || part !== undefined;
  return (
    <Page title="API requests">
      <p class="help">The last 1,000 API requests, without bodies and query values.</p>
      <FilterForm action={path(REQUESTS_PATH)} label="API requests" swap="request-log">
        <FilterSelect
          name="key_id"
          label="Key"
          options={[{ value: "", label: "All keys" }, ...Array.from(names, ([value, label]) => ({ value, label }))]}
          chosen={keyId ?? ""}
        />
        <FilterSelect name="status" label="Status" options={STATUSES} chosen={status ?? ""} />
        <div class="field">
          <label for="filter-path">Path</label>
          <input id="filter-path" type="search" name="path" value={part ?? ""} placeholder="/messages" />
        </div>
      </FilterForm>
      <div id="request-log" data-poll={cursor === undefined ? "10" : undefined}>
        <PagedTable
          caption="API requests, newest first"
          rows={items}
          columns={[
            {
              label: "Request",
              cell: (request) => (
                <a href={path(`${REQUESTS_PATH}/${request.number}`)}>
                  <RequestLine request={request} />
                </a>
              ),
            },
            {
              label: "Status",
              cell: ({ status: answered, errorCode, repeats = 0 }) => (
                <>
                  <StatusBadge status={answered} /> {errorCode}
                  {repeats > 0 && ` and ${formatNumber(repeats)} more in this minute`}
                </>
              ),
            },
            { label: "Key", cell: (request) => names.get(request.keyId) ?? request.keyId },
            { label: "Duration", align: "end", cell: ({ durationMs }) => `${formatNumber(durationMs)} ms` },
            { label: "Time", cell: ({ at }) => <LocalTime at={at} /> },
          ]}
          empty={
            <EmptyState icon="scroll-text" title={isFiltered ? "No matching requests" : "No requests yet"}>
              {isFiltered
                ? "Change the filter, or check again later."
                : "Requests with your API keys appear here within seconds."}
            </EmptyState>
          }
          next={nextCursor}
        />
      </div>
    </Page>
  );
});

const numberParam = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

requestPages.get(`${REQUESTS_PATH}/:number`, {}, async ({ ctx, path }, { params }) => {
  const number = numberParam.safeParse(params.number).data;
  if (number === undefined) throw notFound("request in the log");
  const [request, keys] = await Promise.all([getRequest(ctx, number), listApiKeys(ctx, MAX_LISTED, undefined)]);
  return (
    <Page title={`Request ${formatNumber(number)}`}>
      <Facts
        facts={[
          ["Request", <RequestLine request={request} />],
          ["Endpoint", request.route === null ? "Unknown path" : <code>{request.route}</code>],
          ["Status", <StatusBadge status={request.status} />],
          [
            "Error",
            request.errorCode === null ? (
              "None"
            ) : (
              <a href={`/docs/errors#${request.errorCode}`}>
                <code>{request.errorCode}</code>: what it means and what to do
              </a>
            ),
          ],
          [
            "Key",
            <a href={path(`/settings/api-keys/${request.keyId}`)}>
              {keyNames(keys).get(request.keyId) ?? request.keyId}
            </a>,
          ],
          ["Time", <LocalTime at={request.at} />],
          ["Duration", `${formatNumber(request.durationMs)} ms`],
          ["Request ID", <code>{request.requestId}</code>],
        ]}
      />
    </Page>
  );
});
