import * as z from "zod";
import { bulkBody } from "../../../../features/contacts/bulk/bulk.schemas.ts";
import { startBulk, TotalChanged } from "../../../../features/contacts/bulk/start-bulk.ts";
import {
  type ContactField,
  contactFieldNames,
  contactFields,
} from "../../../../features/contacts/contact-fields.schemas.ts";
import { contactFilterFromQuery, searchContacts } from "../../../../features/contacts/search/search-contacts.ts";
import { statusOf } from "../../../../http/response/errors.ts";
import { AppError, invalid } from "../../../../shared/errors.ts";
import { ButtonLink, FormActions } from "../../../kit/actions.tsx";
import { workspacePages } from "../../../kit/audiences.ts";
import { Banner, EmptyState } from "../../../kit/feedback.tsx";
import { ChoiceField } from "../../../kit/forms/choice-fields.tsx";
import { Form, SelectField, TextField } from "../../../kit/forms/form-fields.tsx";
import { formBody, formFields } from "../../../kit/forms/form-body.ts";
import {
  type FormState,
  parseInput,
  refusedForm,
  type SentForm,
  unparsedForm,
  unsentForm,
} from "../../../kit/forms/forms.ts";
import { formatCount, formatNumber, labelOptions } from "../../../kit/format.ts";
import { nullIfBusy } from "../../../kit/null-if-busy.ts";
import { redirectTo, withStatus } from "../../../kit/results.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { Page } from "../../../kit/page/page.tsx";
import { CustomField, readCustomField } from "../contact-fields.tsx";
import { contactFilterQuery } from "./contact-filters.tsx";
import { listAllCustomFields } from "../../choices.ts";

export const contactBulkPages = workspacePages();

const actions = [
  { value: "add_tags", label: "Add tags" },
  { value: "remove_tags", label: "Remove tags" },
  { value: "set", label: "Edit fields", help: "Empty fields keep their values." },
  {
    value: "archive",
    label: "Archive",
    help: "The contacts are removed from lists, segments and campaigns. You can restore them.",
  },
  { value: "opt_out", label: "Unsubscribe", help: "The contacts receive no more messages." },
];

const isChoice = (name: ContactField) => contactFields[name].kind === "choice";
const shared = contactFieldNames.filter((name) => contactFields[name].isShared);
const sharedFields = [...shared.filter(isChoice), ...shared.filter((name) => !isChoice(name))];

interface Chosen {
  ids: string[] | null;
  filter: Record<string, string>;
  confirmed: number | null;
}

const chosenForm = z
  .object({
    scope: z.string().optional(),
    ids: z.array(z.string()).default([]),
    filter: z.record(z.string(), z.string()).default({}),
    total: z.number().nullable().default(null),
  })
  .transform(({ scope, ids, filter, total }): Chosen => {
    const isAll = scope === "all";
    return { ids: isAll ? null : ids, filter, confirmed: isAll ? total : null };
  });

async function countChosen({ ctx }: WorkspaceRequest, { ids, filter, confirmed }: Chosen): Promise<number | null> {
  if (ids !== null) return new Set(ids).size;
  if (confirmed !== null) return confirmed;
  const query = contactFilterFromQuery(parseInput(contactFilterQuery, filter));
  const page = { limit: 1, offset: 0, after: undefined, includeTotal: true };
  return (await nullIfBusy(searchContacts(ctx, query, page)))?.total ?? null;
}

const ChosenFields = ({ chosen: { ids, filter }, count }: { chosen: Chosen; count: number | null }) => (
  <>
    {formFields(ids === null ? { scope: "all", total: count, filter } : { scope: "ids", ids, filter }).map(
      ([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ),
    )}
  </>
);

/** The styles show only the label of the chosen action. */
const BulkLabels = ({ contacts }: { contacts: string }) => (
  <>
    <span class="for-edit">Edit {contacts}</span>
    <span class="for-archive">Archive {contacts}</span>
    <span class="for-opt-out">Unsubscribe {contacts}</span>
  </>
);

/** `before` is how many contacts the user confirmed. It is set only if the count has changed since then. */
async function choicePage(
  request: WorkspaceRequest,
  chosen: Chosen,
  state: FormState = unsentForm,
  before: number | null = null,
) {
  const { ctx, path } = request;
  if (chosen.ids?.length === 0) {
    return (
      <Page title="Edit contacts">
        <EmptyState
          title="No contacts selected"
          action={<ButtonLink href={path("/contacts")}>Back to contacts</ButtonLink>}
        >
          Select contacts in the list, or edit all that match its filters.
        </EmptyState>
      </Page>
    );
  }
  const [count, fields] = await Promise.all([countChosen(request, chosen), listAllCustomFields(ctx)]);
  const [one, other, ...others] = chosen.ids ?? [];
  const filters = Object.keys(chosen.filter).length === 0 ? "" : `?${new URLSearchParams(chosen.filter).toString()}`;
  const isPair = one !== undefined && other !== undefined && others.length === 0;
  return (
    <Page title={count === null ? "Edit all matching contacts" : `Edit ${formatCount(count, "contact")}`}>
      {before !== null && count !== null && (
        <Banner kind="error">
          {formatCount(count, "contact")} {count === 1 ? "matches" : "match"} now, not {formatNumber(before)}. Nothing
          was changed. Review the number, then confirm.
        </Banner>
      )}
      {isPair && (
        <Banner kind="note">
          Are these the same person? <a href={path(`/contacts/${one}/merge?from=${other}`)}>Merge contacts</a>
        </Banner>
      )}
      <Form action={path("/contacts/bulk")} state={state} class="narrow bulk-form">
        <ChosenFields chosen={chosen} count={count} />
        <ChoiceField name="action" label="Action" value="add_tags" options={actions} />
        <div class="for-tags">
          <TextField name="tags" label="Tags" help="Separate with commas." required="with-choice" />
        </div>
        <div class="for-set">
          {sharedFields.map((name) => {
            const { label, kind, options } = contactFields[name];
            const field = { name: `set.${name}`, label };
            return kind === "choice" ? (
              <SelectField {...field} options={[UNCHANGED, ...labelOptions(options)]} />
            ) : (
              <TextField {...field} />
            );
          })}
          {fields.map((field) => (
            <CustomField field={field} value={null} none={UNCHANGED.label} />
          ))}
        </div>
        <FormActions
          submit={count === null ? "Start" : <BulkLabels contacts={formatCount(count, "contact")} />}
          cancel={path(`/contacts${filters}`)}
        />
      </Form>
    </Page>
  );
}

const UNCHANGED = { value: "", label: "Keep value" };

contactBulkPages.post("/contacts/bulk/choose", { role: "agent", body: chosenForm }, (request, { body: chosen }) =>
  choicePage(request, chosen),
);

async function readBulk({ ctx }: WorkspaceRequest, form: SentForm, { ids, filter }: Chosen) {
  const action = form.text("action");
  const tags = (form.text("tags") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const isOfTags = action === "add_tags" || action === "remove_tags";
  if (isOfTags && tags.length === 0)
    throw invalid({ path: "tags", code: "required", message: "Enter at least one tag." });
  const own = sharedFields.map((name) => [name, form.text(`set.${name}`)] as const);
  const custom =
    action === "set"
      ? (await listAllCustomFields(ctx)).map((field) => [field.field_key, readCustomField(form, field)] as const)
      : [];
  const given = custom.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  const set = {
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
    ...(given.length > 0 && { custom_fields: Object.fromEntries(given) }),
  };
  return parseInput(bulkBody, {
    ...(ids === null ? { filter: { ...filter, archived: filter["archived"] === "true" } } : { ids }),
    action,
    ...(isOfTags && { tags }),
    ...(action === "set" && { set }),
  });
}

contactBulkPages.post("/contacts/bulk", { role: "agent", ...unparsedForm }, async (request, { body: form }) => {
  const chosen = parseInput(chosenForm, formBody(chosenForm, form));
  try {
    const job = await startBulk(request.ctx, await readBulk(request, form, chosen), chosen.confirmed);
    return redirectTo(request.path(`/contacts/jobs/${job.id}`));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refused = refusedForm(form, error);
    const page =
      error instanceof TotalChanged
        ? choicePage(request, { ...chosen, confirmed: error.total }, { ...refused, banner: null }, chosen.confirmed)
        : choicePage(request, chosen, refused);
    return withStatus(statusOf[error.code], await page);
  }
});
