import * as z from "zod";
import type { Child, FC } from "hono/jsx";
import type { findUsesOfTag, NamedRecord } from "../../../features/campaigns/find-uses.ts";
import { countFilterContacts } from "../../../features/segments/segment-contacts.ts";
import type { Ctx } from "../../../shared/context.ts";
import { ButtonLink } from "../actions.tsx";
import { Links, EmptyState } from "../feedback.tsx";
import { Form, Submit } from "../forms/form-fields.tsx";
import { nullIfBusy } from "../null-if-busy.ts";
import type { WorkspaceRequest } from "../request.ts";
import { formatCount } from "../format.ts";
import { Page } from "./page.tsx";
import { statusOf } from "../../../http/response/errors.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ScriptName } from "./assets.ts";
import { type HandlerResult, withStatus } from "../results.ts";

export const RecordLinks: FC<{ at: string; records: NamedRecord[] }> = ({ at, records }) => (
  <Links links={records.map(({ id, name }) => ({ text: name, href: `${at}/${id}` }))} />
);

interface Deletion {
  title: string;
  action: string;
  back: string;
  consequence: Child;
  uses: Child[];
  confirm: string;
  revision?: number | null;
  /** Hidden fields. With them, the browser submits the form, because the response to a rejected form is another page. */
  fields?: Child;
  allowed?: boolean;
}

export const showDeletionPage = ({
  title,
  action,
  back,
  consequence,
  uses,
  confirm,
  revision = null,
  fields,
  allowed = true,
}: Deletion) => (
  <Page title={title}>
    <div class="readable">
      <p>{consequence}</p>
      {uses.length === 0 ? (
        <p>It isn't used anywhere.</p>
      ) : (
        <ul>
          {uses.map((use) => (
            <li>{use}</li>
          ))}
        </ul>
      )}
      <div class="actions">
        {allowed && (
          <Form action={action} class="inline" revision={revision} leaves={fields !== undefined}>
            {fields}
            <Submit kind="danger">{confirm}</Submit>
          </Form>
        )}
        <ButtonLink href={back}>Cancel</ButtonLink>
      </div>
    </div>
  </Page>
);

interface ContactCondition {
  field: string;
  op: string;
  value?: string[];
}

export const countContactsWith = (ctx: Ctx, condition: ContactCondition): Promise<number | null> =>
  nullIfBusy(countFilterContacts(ctx, { match: "all", conditions: [condition] }));

const describeContacts = (contacts: number | null): Child[] => {
  if (contacts === 0) return [];
  return [<>{contacts === null ? "All contacts that have it" : formatCount(contacts, "contact")} will lose it.</>];
};

type Uses = Pick<Awaited<ReturnType<typeof findUsesOfTag>>, "segments" | "campaigns" | "templates">;

export function describeUses(
  { path }: WorkspaceRequest,
  contacts: number | null,
  { segments, campaigns, templates }: Uses,
): Child[] {
  const describe = (records: NamedRecord[], at: string, introduction: string) =>
    records.length === 0
      ? []
      : [
          <>
            {introduction} <RecordLinks at={path(at)} records={records} />.
          </>,
        ];
  return [
    ...describeContacts(contacts),
    ...describe(segments, "/segments", "These segments will stop working:"),
    ...describe(campaigns, "/campaigns", "These unfinished campaigns use it in their audience:"),
    ...describe(templates, "/templates", "These templates use it and will have no value for it:"),
  ];
}

interface MergedRecord {
  id: string;
  title: string;
  text: string;
  label: string;
  hrefOf: (remainingId: string) => string;
  scripts?: readonly ScriptName[];
}

const mergedDetails = z.object({ merged_into: z.string() });

export async function showOrLeadOn(
  show: () => Promise<HandlerResult>,
  { id, title, text, label, hrefOf, scripts }: MergedRecord,
): Promise<HandlerResult> {
  try {
    return await show();
  } catch (error) {
    const into = error instanceof AppError ? mergedDetails.safeParse(error.details).data?.merged_into : undefined;
    if (!(error instanceof AppError) || into === undefined) throw error;
    const action = (
      <ButtonLink href={hrefOf(into)} kind="primary">
        {label}
      </ButtonLink>
    );
    return withStatus(
      statusOf[error.code],
      <Page title={title} scripts={scripts}>
        <div data-merged={id} data-into={into}>
          <EmptyState title={error.message} action={action}>
            {text}
          </EmptyState>
        </div>
      </Page>,
    );
  }
}
