import { parseTemplate, type TemplateSource } from "../../../features/templates/model/parse-template.ts";
import { listTemplatesQuery, type TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { listTemplates } from "../../../features/templates/templates.service.ts";
import { page } from "../../../http/fields.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Badge, EmptyState, type Tone } from "../../kit/feedback.tsx";
import { FilterSelect, FilterForm } from "../../kit/forms/choice-fields.tsx";
import { PagedTable } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import type { FC } from "hono/jsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { listAllConnections, namesOf } from "../choices.ts";

export const templatePages = workspacePages();

const PER_PAGE = 50;

const tones = { APPROVED: "good", PENDING: "warning", REJECTED: "bad" } satisfies Record<
  TemplateRecord["status"],
  Tone
>;

export const TemplateApproval = ({ template }: { template: TemplateSource & Pick<TemplateRecord, "status"> }) => (
  <>
    <Badge tone={tones[template.status]}>{toLabel(template.status.toLowerCase())}</Badge>
    {parseTemplate(template).unsupported.length > 0 && (
      <>
        {" "}
        <Badge tone="warning">Can't be sent yet</Badge>
      </>
    )}
  </>
);

const qualities: Partial<Record<string, { label: string; tone: Tone }>> = {
  GREEN: { label: "High", tone: "good" },
  YELLOW: { label: "Medium", tone: "warning" },
  RED: { label: "Low", tone: "bad" },
};

export const TemplateQuality = ({ quality }: { quality: string }) => {
  const { label, tone } = qualities[quality.toUpperCase()] ?? { label: "Not rated yet", tone: "plain" };
  return <Badge tone={tone}>{label}</Badge>;
};

const ANY = { value: "", label: "Any" };

const statuses = [
  { value: "APPROVED", label: "Approved" },
  { value: "PENDING", label: "Pending" },
  { value: "REJECTED", label: "Rejected" },
] satisfies { value: TemplateRecord["status"]; label: string }[];

/** Shown as the connection of a local template, because each unofficial connection can send it. */
export const ANY_UNOFFICIAL = "Any unofficial";

const sources = [
  { value: "local", label: "Text templates" },
  { value: "external", label: "WhatsApp templates" },
] satisfies { value: TemplateRecord["source"]; label: string }[];

templatePages.get("/templates", { query: listTemplatesQuery }, async ({ ctx, path }, { query }) => {
  const { status, source, cursor } = query;
  const [rows, connections] = await Promise.all([
    listTemplates(ctx, { status, source, limit: PER_PAGE, before: cursor?.[0] }),
    listAllConnections(ctx),
  ]);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ id }) => [id]);
  const names = namesOf(connections);
  const isFiltered = status !== undefined || source !== undefined;
  const isEmpty = items.length === 0 && !isFiltered && cursor === undefined;
  const create = (
    <ButtonLink href={path("/templates/new")} kind="primary">
      New template
    </ButtonLink>
  );
  return (
    <Page title="Templates" actions={!isEmpty && create}>
      {isEmpty ? (
        <EmptyState title="No templates yet" icon="layout-template" action={create}>
          A template is a text with variables for each contact's data. WhatsApp reviews templates of official
          connections before you can send them.
        </EmptyState>
      ) : (
        <>
          <FilterForm action={path("/templates")} label="Templates" swap="results">
            <FilterSelect name="status" label="Status" options={[ANY, ...statuses]} chosen={status ?? ""} />
            <FilterSelect name="source" label="Kind" options={[ANY, ...sources]} chosen={source ?? ""} />
          </FilterForm>
          <div id="results">
            <PagedTable
              caption="Templates, newest first"
              rows={items}
              columns={[
                { label: "Name", cell: ({ id, name }) => <a href={path(`/templates/${id}`)}>{name}</a> },
                { label: "Text", cell: ({ body }) => <span class="cut">{body}</span> },
                {
                  label: "Status",
                  cell: (template) => (
                    <>
                      <TemplateApproval template={template} />
                      {template.rejection_reason !== null && <span class="help cut">{template.rejection_reason}</span>}
                    </>
                  ),
                },
                {
                  label: "Quality",
                  cell: ({ quality }) => (quality === null ? "–" : <TemplateQuality quality={quality} />),
                },
                {
                  label: "Connection",
                  cell: ({ connection_id }) =>
                    connection_id === null ? ANY_UNOFFICIAL : (names.get(connection_id) ?? "A deleted connection"),
                },
                { label: "Language", cell: ({ language }) => language ?? "–" },
              ]}
              empty={
                <EmptyState
                  title="No templates match"
                  icon="layout-template"
                  action={<a href={path("/templates")}>Show all templates</a>}
                >
                  No templates have this status and kind.
                </EmptyState>
              }
              next={nextCursor}
            />
          </div>
        </>
      )}
    </Page>
  );
});

const KINDS = [
  { kind: "text", at: "/templates/new", label: "Text template", help: "For unofficial connections. No review." },
  {
    kind: "whatsapp",
    at: "/templates/new/whatsapp",
    label: "WhatsApp template",
    help: "For official connections. Reviewed by WhatsApp.",
  },
] as const;

export const TemplateKinds: FC<{ chosen: (typeof KINDS)[number]["kind"] }> = ({ chosen }) => {
  const { path } = useWorkspaceRequest();
  return (
    <nav class="kinds" aria-label="Kind of template">
      {KINDS.map(({ kind, at, label, help }) => (
        <a href={path(at)} aria-current={kind === chosen ? "page" : undefined}>
          <strong>{label}</strong>
          <span class="help">{help}</span>
        </a>
      ))}
    </nav>
  );
};
