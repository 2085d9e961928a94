import * as z from "zod";
import { listCustomFields } from "../../../features/custom-fields/custom-fields.service.ts";
import { createSegmentBody, presentSegment, updateSegmentBody } from "../../../features/segments/segments.schemas.ts";
import {
  countFilterContacts,
  createSegment,
  getSegment,
  updateSegment,
} from "../../../features/segments/segments.service.ts";
import { listTags } from "../../../features/tags/tags.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { go, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { unlessBusy } from "../../kit/busy.ts";
import { faultList } from "../../kit/faults.ts";
import { Banner, countOf } from "../../kit/feedback.tsx";
import { Form, TextField } from "../../kit/form-fields.tsx";
import { type FormState, judge, SentForm, untouched } from "../../kit/forms.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";
import { Conditions } from "./segment-builder.tsx";
import {
  change,
  conditionAt,
  type Draft,
  draftOf,
  emptyDraft,
  filterOf,
  placeAfter,
  readDraft,
} from "./segment-draft.ts";
import { type KnownFields, knownFields } from "./segment-words.ts";

export const segmentFormPages = workspacePages();

const MOST_FIELDS = 100;
const MOST_TAGS = 500;

/** Judged once the workspace's fields are known. */
const anyForm = z.instanceof(SentForm);
const asSent = (form: SentForm) => form;

const onlyFilter = createSegmentBody.pick({ filter: true });

const fieldsOf = async (ctx: Ctx) => knownFields(await listCustomFields(ctx, MOST_FIELDS));

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** What keeps a draft from being counted: the first mistake, or else all that is not filled in yet. */
function obstacleOf(error: AppError, draft: Draft, fields: KnownFields): string {
  const faults = faultList(error).map(({ path, code, message }) => {
    const isOpen = code === "required" || code === "invalid_length";
    return { isOpen, message, condition: conditionAt(draft, path, fields) };
  });
  const wrong = faults.find(({ isOpen }) => !isOpen);
  if (wrong !== undefined)
    return wrong.condition === null ? wrong.message : `Look at ${wrong.condition}: ${wrong.message}`;
  const open = new Set(faults.flatMap(({ condition }) => condition ?? []));
  return open.size === 0 ? error.message : `To see how many contacts match, complete ${listed.format(open)}.`;
}

/** How many contacts a draft finds, or what is still missing. */
async function counted(ctx: Ctx, draft: Draft, fields: KnownFields): Promise<{ isCount: boolean; text: string }> {
  try {
    const { filter } = judge(onlyFilter, { filter: filterOf(draft, fields) });
    const count = await unlessBusy(countFilterContacts(ctx, filter));
    return count === null
      ? {
          isCount: false,
          text: "Other counts of this workspace are still running. Change a condition to count again.",
        }
      : { isCount: true, text: `${countOf(count, "contact")} now` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isCount: false, text: obstacleOf(error, draft, fields) };
  }
}

interface Building {
  /** Of the segment that is changed; null for a new one. */
  id: string | null;
  draft: Draft;
  state?: FormState;
  /** The place of the condition that a person goes on with. */
  next?: string | null;
}

/** The form after one of the buttons that change its conditions. */
function changedPage(visit: WorkspaceVisit, id: string | null, before: Draft, action: string) {
  const draft = change(before, action);
  return builderPage(visit, { id, draft, next: placeAfter(draft, action) });
}

/** The faults of no single condition. */
const GENERAL = ["filter", "filter.conditions"];

async function builderPage(visit: WorkspaceVisit, { id, draft, state = untouched, next = null }: Building) {
  const { ctx, path } = visit;
  const [fields, tags] = await Promise.all([fieldsOf(ctx), listTags(ctx, MOST_TAGS)]);
  const count = await counted(ctx, draft, fields);
  const at = id === null ? "/segments" : `/segments/${id}`;
  const general = state.faults.filter(({ path: fault }) => GENERAL.includes(fault)).map(({ message }) => message);
  const isSent = state.values.size > 0;
  const banner = state.faults.length === 0 ? state.banner : general.join(" ") || null;
  return show({
    title: id === null ? "New segment" : "Change segment",
    scripts: ["segments.client.js"],
    body: (
      <div id="builder">
        <Form
          action={path(id === null ? "/segments/new" : `${at}/edit`)}
          id="segment-form"
          swap="builder"
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
          {state.faults.length > general.length && (
            <Banner kind="error">
              {isSent ? "Nothing is saved yet: see below." : "Something that this segment asks for is gone: see below."}
            </Banner>
          )}
          <div class="narrow">
            <TextField name="name" label="Name" required maxlength={120} state={untouched} value={draft.name} />
          </div>
          <Conditions draft={draft} fields={fields} tags={tags.map(({ name }) => name)} state={state} next={next} />
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
    ),
  });
}

segmentFormPages.get("/segments/new", {}, (visit) => builderPage(visit, { id: null, draft: emptyDraft() }));

segmentFormPages.post(
  "/segments/new",
  {
    body: anyForm,
    read: asSent,
    again: (visit, _, state) => builderPage(visit, { id: null, draft: readDraft(state.values), state }),
  },
  async (visit, { body: form }) => {
    const draft = readDraft(form.values);
    const action = form.text("do");
    if (action !== "save") return changedPage(visit, null, draft, action ?? "");
    const sent = { name: draft.name, filter: filterOf(draft, await fieldsOf(visit.ctx)) };
    const { id, name } = await createSegment(visit.ctx, judge(createSegmentBody, sent));
    return go(visit.path(`/segments/${id}`), `The segment ${name} has been created.`);
  },
);

segmentFormPages.get("/segments/:id/edit", {}, async (visit, { params: { id } }) => {
  const { name, filter, reasons } = presentSegment(await getSegment(visit.ctx, id));
  return builderPage(visit, { id, draft: draftOf(name, filter), state: { ...untouched, faults: reasons } });
});

segmentFormPages.post(
  "/segments/:id/edit",
  {
    body: anyForm,
    read: asSent,
    again: async (visit, { id }, state) => {
      await getSegment(visit.ctx, id);
      return builderPage(visit, { id, draft: readDraft(state.values), state });
    },
  },
  async (visit, { params: { id }, body: form }) => {
    const draft = readDraft(form.values);
    const action = form.text("do");
    if (action !== "save") return changedPage(visit, id, draft, action ?? "");
    const sent = { name: draft.name, filter: filterOf(draft, await fieldsOf(visit.ctx)) };
    await updateSegment(visit.ctx, id, judge(updateSegmentBody, sent));
    return go(visit.path(`/segments/${id}`), "Saved.");
  },
);
