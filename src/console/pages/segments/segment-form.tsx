import { createSegmentBody, presentSegment, updateSegmentBody } from "../../../features/segments/segments.schemas.ts";
import { countFilterContacts } from "../../../features/segments/segment-contacts.ts";
import { createSegment, getSegment, updateSegment } from "../../../features/segments/segments.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { formatCount } from "../../kit/format.ts";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import { readFaults } from "../../kit/forms/faults.ts";
import { Banner } from "../../kit/feedback.tsx";
import { Form, TextField } from "../../kit/forms/form-fields.tsx";
import {
  parseInput,
  type SentForm,
  unsentForm,
  unparsedForm,
  FormStateProvider,
  type FormState,
} from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { FilterDescription, type KnownFields, knownFields } from "./segment-fields.tsx";
import { Conditions } from "./segment-builder.tsx";
import {
  applyAction,
  describeConditionAt,
  type BuilderState,
  builderFor,
  emptyBuilder,
  buildFilter,
  positionToFocus,
  readBuilder,
} from "./segment-builder-state.ts";
import { listAllCustomFields, listAllTags } from "../choices.ts";

export const segmentFormPages = workspacePages();

const onlyFilter = createSegmentBody.pick({ filter: true });

const loadFields = async (ctx: Ctx) => knownFields(await listAllCustomFields(ctx));

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

function describeObstacle(error: AppError, draft: BuilderState, fields: KnownFields): string {
  const faults = readFaults(error).map(({ path, code, message }) => {
    const isOpen = code === "required" || code === "invalid_length";
    return { isOpen, message, condition: describeConditionAt(draft, path, fields) };
  });
  const wrong = faults.find(({ isOpen }) => !isOpen);
  if (wrong !== undefined)
    return wrong.condition === null ? wrong.message : `Check ${wrong.condition}: ${wrong.message}`;
  const open = new Set(faults.flatMap(({ condition }) => condition ?? []));
  return open.size === 0 ? error.message : `Complete ${listed.format(open)} to count matching contacts.`;
}

async function countMatches(
  ctx: Ctx,
  draft: BuilderState,
  fields: KnownFields,
): Promise<{ isCount: boolean; text: string }> {
  try {
    const { filter } = parseInput(onlyFilter, { filter: buildFilter(draft, fields) });
    const count = await nullIfBusy(countFilterContacts(ctx, filter));
    return count === null
      ? { isCount: false, text: "Other counts are still running. Change a condition to count again." }
      : { isCount: true, text: `${formatCount(count, "contact")} now` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isCount: false, text: describeObstacle(error, draft, fields) };
  }
}

interface BuilderPageProps {
  id: string | null;
  draft: BuilderState;
  state?: FormState;
  next?: string | null;
  stored?: ReturnType<typeof presentSegment> | null;
  revision?: number | null;
}

function pageAfterAction(request: WorkspaceRequest, id: string | null, form: SentForm, action: string) {
  const draft = applyAction(readBuilder(form.values), action);
  const { revision } = form.origin;
  return builderPage(request, { id, draft, next: positionToFocus(draft, action), revision });
}

const GENERAL = ["filter", "filter.conditions"];

async function builderPage(
  request: WorkspaceRequest,
  { id, draft, state = request.refused ?? unsentForm, next = null, revision = null, stored = null }: BuilderPageProps,
) {
  const { ctx, path } = request;
  const [fields, tags] = await Promise.all([loadFields(ctx), listAllTags(ctx)]);
  const count = await countMatches(ctx, draft, fields);
  const at = id === null ? "/segments" : `/segments/${id}`;
  const general = state.faults.filter(({ path: fault }) => GENERAL.includes(fault)).map(({ message }) => message);
  const isSent = state.values.size > 0;
  const banner = state.faults.length === 0 ? state.banner : general.join(" ") || null;
  return (
    <Page title={id === null ? "New segment" : "Edit segment"} scripts={["pages/segments.client.js"]}>
      <div id="builder">
        <Form
          action={path(id === null ? "/segments/new" : `${at}/edit`)}
          id="segment-form"
          swap="builder"
          revision={revision}
          state={{ ...state, banner }}
        >
          <button
            type="submit"
            class="unseen"
            formnovalidate
            name="do"
            value="refresh"
            tabindex={-1}
            aria-hidden="true"
          >
            Update
          </button>
          {stored !== null && (
            <div class="changed-meanwhile" role="note">
              <p>
                Their value is “{stored.name}”: <FilterDescription filter={stored.filter} fields={fields} />.
              </p>
              <p>
                Your value is below and replaces their value when you save.{" "}
                <a href={path(`${at}/edit`)}>Use their value</a>
              </p>
            </div>
          )}
          {state.faults.length > general.length && (
            <Banner kind="error">
              {isSent
                ? "Not saved yet: check the fields below."
                : "This segment uses something that was deleted. Check the conditions below."}
            </Banner>
          )}
          <div class="narrow">
            <FormStateProvider value={unsentForm}>
              <TextField name="name" label="Name" required maxlength={120} value={draft.name} />
            </FormStateProvider>
          </div>
          <Conditions draft={draft} fields={fields} tags={tags.map(({ name }) => name)} next={next} />
          <p id="segment-count" class={count.isCount ? "count" : "help"} role="status">
            {count.text}
          </p>
          <div class="buttons">
            <button type="submit" name="do" value="save">
              {id === null ? "Create segment" : "Save"}
            </button>
            <ButtonLink href={path(at)}>Cancel</ButtonLink>
          </div>
        </Form>
      </div>
    </Page>
  );
}

const refusedDraft = ({ refused }: WorkspaceRequest) => readBuilder((refused ?? unsentForm).values);

segmentFormPages.get("/segments/new", {}, (request) => builderPage(request, { id: null, draft: emptyBuilder() }));

segmentFormPages.post(
  "/segments/new",
  { ...unparsedForm, onInvalid: (request) => builderPage(request, { id: null, draft: refusedDraft(request) }) },
  async (request, { body: form }) => {
    const draft = readBuilder(form.values);
    const action = form.text("do");
    if (action !== "save") return pageAfterAction(request, null, form, action ?? "");
    const sent = { name: draft.name, filter: buildFilter(draft, await loadFields(request.ctx)) };
    const { id, name } = await createSegment(request.ctx, parseInput(createSegmentBody, sent));
    return redirectTo(request.path(`/segments/${id}`), `Segment ${name} created.`);
  },
);

segmentFormPages.get("/segments/:id/edit", {}, async (request, { params: { id } }) => {
  const record = await getSegment(request.ctx, id);
  const { name, filter, reasons } = presentSegment(record);
  const state = { ...unsentForm, faults: reasons };
  return builderPage(request, { id, draft: builderFor(name, filter), state, revision: record.revision });
});

segmentFormPages.post(
  "/segments/:id/edit",
  {
    ...unparsedForm,
    onInvalid: async (request, { id }) => {
      const record = await getSegment(request.ctx, id);
      const stored = (request.refused?.conflict ?? null) === null ? null : presentSegment(record);
      return builderPage(request, { id, draft: refusedDraft(request), stored, revision: record.revision });
    },
  },
  async (request, { params: { id }, body: form }) => {
    const draft = readBuilder(form.values);
    const action = form.text("do");
    if (action !== "save") return pageAfterAction(request, id, form, action ?? "");
    const sent = { name: draft.name, filter: buildFilter(draft, await loadFields(request.ctx)) };
    await updateSegment(request.ctx, id, parseInput(updateSegmentBody, sent));
    return redirectTo(request.path(`/segments/${id}`), "Saved.");
  },
);
