import { upsertBatch } from "../../../features/contacts/upsert/upsert-batch.ts";
import { invalid } from "../../../shared/errors.ts";
import { sendJson } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Banner, Section } from "../../kit/feedback.tsx";
import { useWorkspaceRequest, type WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { guessTargets, looksLikeHeader, findMappingProblem } from "./import-columns.ts";
import { createImportPlan, previewBody, rowsBody } from "./import-settings.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { readImportRow, describeRefusal } from "./import-rows.ts";
import { listAllCustomFields } from "../choices.ts";

export const contactImportPages = workspacePages();

function FileHelp() {
  return (
    <Section title="File requirements">
      <ul class="notes">
        <li>One person per row, with a phone or an email. Columns can have any order; you map them to fields next.</li>
        <li>
          Phone numbers start with the country code, <code>+1 415 555 0100</code> or <code>001 415 555 0100</code>, or
          you select their country.
        </li>
        <li>
          Supported date formats: <code>2026-01-31</code>, <code>31/01/2026</code> or <code>01/31/2026</code>. Times
          without a time zone are in UTC.
        </li>
        <li>Contacts that exist are found by phone, then by email, and updated. Empty cells change nothing.</li>
        <li>Separate several tags with commas. New tags are created.</li>
        <li>An import can opt people out; it never opts anybody in again.</li>
      </ul>
    </Section>
  );
}

/** The page contains all steps of an import, and the script shows one step at a time. */
function ImportPage({ request, step }: { request: WorkspaceRequest; step?: unknown }) {
  const at = (below: string) => useWorkspaceRequest().path(`/contacts/import${below}`);
  return (
    <>
      <div class="no-script">
        <Banner kind="warning">
          Importing requires JavaScript. Enable it for this page, or use the API:{" "}
          <code>POST /api/v1/contacts/batch</code> accepts 500 contacts per request.
        </Banner>
      </div>
      <div
        id="import"
        class="needs-script"
        data-key={request.workspace.id}
        data-preview={at("/preview")}
        data-rows={at("/rows")}
      >
        <div id="import-error" role="alert"></div>
        <div id="import-resume" class="panel" hidden>
          <h2>An import is not finished</h2>
          <p id="import-resume-text"></p>
          <div class="buttons">
            <button type="button" id="import-continue">
              Continue
            </button>
            <button type="button" class="plain" id="import-discard">
              Discard
            </button>
          </div>
        </div>
        <div id="import-choose" class="panel">
          <label for="import-file">A CSV file</label>
          <p class="help" id="import-file-help">
            Separated by commas, semicolons or tabs. Spreadsheets create CSV files with “Save as” or “Download”.
          </p>
          <input type="file" id="import-file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="import-file-help" />
        </div>
        <div id="import-step">{step}</div>
        <div id="import-run" class="panel" hidden>
          <h2 id="import-run-title">Importing</h2>
          <progress id="import-progress" value={0} max={1} aria-labelledby="import-run-title"></progress>
          <p id="import-status" role="status"></p>
          <div class="buttons">
            <button type="button" class="plain" id="import-stop">
              Stop
            </button>
            <button type="button" class="plain" id="import-start-over" hidden>
              Import another file
            </button>
            <span id="import-done" hidden>
              <ButtonLink href={request.path("/contacts")}>Show contacts</ButtonLink>
            </span>
          </div>
        </div>
        <section id="import-problems" hidden>
          <div class="heading">
            <h2>Rows that were skipped or partly imported</h2>
            <div class="actions">
              <button type="button" id="import-download-problems">
                Download rows
              </button>
            </div>
          </div>
          <p class="help" id="import-problems-text"></p>
          <table>
            <caption class="unseen">Rows with their result and reason</caption>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Result</th>
                <th scope="col">Reason</th>
              </tr>
            </thead>
            <tbody id="import-problem-rows"></tbody>
          </table>
        </section>
      </div>
      <FileHelp />
    </>
  );
}

const importPage = (request: WorkspaceRequest, step?: unknown) => (
  <Page title="Import contacts" scripts={["import/import.client.js"]}>
    <ImportPage request={request} step={step} />
  </Page>
);

contactImportPages.get("/contacts/import", { role: "agent" }, (request) => importPage(request));

contactImportPages.post("/contacts/import/preview", { role: "agent", body: previewBody }, async (request, { body }) => {
  const { rows: all, delimiter, has_heads: sentHeads, mapping, ...settings } = body;
  const fields = await listAllCustomFields(request.ctx);
  const hasHeads = sentHeads ?? looksLikeHeader(all);
  const heads = hasHeads ? (all[0] ?? []) : [];
  const rows = hasHeads ? all.slice(1) : all;
  const targets = guessTargets(heads, rows, fields, hasHeads, mapping ?? []);
  const plan = createImportPlan({ ...settings, mapping: targets }, fields);
  return importPage(
    request,
    <ImportPreview heads={heads} hasHeads={hasHeads} rows={rows} delimiter={delimiter} plan={plan} />,
  );
});

contactImportPages.post("/contacts/import/rows", { role: "agent", body: rowsBody }, async ({ ctx }, { body }) => {
  const { rows, ...settings } = body;
  const fields = await listAllCustomFields(ctx);
  const problem = findMappingProblem(body.mapping, fields);
  if (problem !== null) throw invalid({ path: "mapping", code: "invalid_value", message: problem });
  const plan = createImportPlan(settings, fields);
  const read = rows.map((cells, index) => ({ index, ...readImportRow(cells, plan) }));
  const taken = read.filter((row) => row.kind === "taken");
  const unread = read.filter((row) => row.kind === "refused").map(({ index, reason }) => ({ index, reason }));
  const { results, counts } = await upsertBatch(ctx, taken, (row) => row, { source: "import" });
  const unstored = results.flatMap(({ index, error }) =>
    error === null ? [] : [{ index: taken[index]?.index ?? index, reason: describeRefusal(error) }],
  );
  const stored = taken.filter((_, at) => results[at]?.error === null);
  return sendJson({
    counts: { ...counts, failed: counts.failed + unread.length },
    refused: [...unread, ...unstored].toSorted((a, b) => a.index - b.index),
    left_out: stored.flatMap(({ index, leftOut }) =>
      leftOut.length === 0 ? [] : [{ index, reason: leftOut.join(" ") }],
    ),
  });
});
