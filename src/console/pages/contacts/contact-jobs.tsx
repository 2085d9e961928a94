import type { JobRecord } from "../../../features/contacts/bulk/bulk.schemas.ts";
import { getJob, listJobs } from "../../../features/contacts/bulk/list-jobs.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Age, Banner, EmptyState, type LabelledState, StateBadge } from "../../kit/feedback.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { PagedTable } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";

export const contactJobPages = workspacePages();

export const jobTitles: Record<JobRecord["action"], string> = {
  add_tags: "Adding tags",
  remove_tags: "Removing tags",
  set: "Changing fields",
  archive: "Archiving contacts",
  opt_out: "Unsubscribing contacts",
};

const LATEST = 50;

const POLL_S = 1;

const states = {
  running: { label: "Running", tone: "info" },
  completed: { label: "Done", tone: "good" },
  failed: { label: "Stopped", tone: "bad" },
} satisfies Record<JobRecord["status"], LabelledState>;

contactJobPages.get("/contacts/jobs", { role: "agent" }, async ({ ctx, path }) => {
  const jobs = await listJobs(ctx, { status: undefined, limit: LATEST, before: undefined });
  return (
    <Page title="Bulk edits">
      <PagedTable
        caption="Bulk edits, newest first"
        rows={jobs.slice(0, LATEST)}
        columns={[
          { label: "Change", cell: ({ id, action }) => <a href={path(`/contacts/jobs/${id}`)}>{jobTitles[action]}</a> },
          { label: "State", cell: ({ status }) => <StateBadge state={states[status]} /> },
          {
            label: "Contacts",
            cell: ({ done, failed, total }) =>
              `${formatNumber(done)} of ${formatNumber(total)}${failed > 0 ? `, ${formatNumber(failed)} failed` : ""}`,
          },
          { label: "Started", cell: ({ created_at }) => <Age at={created_at} /> },
        ]}
        empty={
          <EmptyState title="No bulk edits yet">Select or filter contacts in the list to edit many at once.</EmptyState>
        }
      />
    </Page>
  );
});

contactJobPages.get("/contacts/jobs/:id", { role: "agent" }, async ({ ctx, path }, { params }) => {
  const job = await getJob(ctx, params.id);
  const { status, total, done, failed, error } = job;
  return (
    <Page
      title={jobTitles[job.action]}
      actions={<ButtonLink href={path("/contacts")}>Back to contacts</ButtonLink>}
      trail={[
        { text: "Contacts", href: path("/contacts") },
        { text: "Bulk edits", href: path("/contacts/jobs") },
      ]}
    >
      <div id="job" data-poll={status === "running" ? POLL_S : undefined} aria-live="polite">
        <p>
          <StateBadge state={states[status]} /> {formatNumber(done + failed)} of {formatCount(total, "contact")}
        </p>
        <progress class="wide" aria-label="Progress" value={done + failed} max={Math.max(total, 1)} />
        {error !== null && (
          <Banner kind="error">
            Stopped: {error.message} Contacts edited so far keep their changes. Start again to edit the rest.
          </Banner>
        )}
        {status === "running" ? (
          <p class="help">You can leave this page. Reload it to see the progress.</p>
        ) : (
          <>
            <p>
              {formatCount(done, "contact")} done{failed > 0 && `, ${formatNumber(failed)} couldn't be edited`}.
            </p>
            {failed > 0 && (
              <p class="help">They were merged into another contact, or have the maximum number of tags.</p>
            )}
          </>
        )}
      </div>
    </Page>
  );
});
