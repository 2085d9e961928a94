import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { isSameJson } from "../../shared/text/json.ts";
import { createdEvent, type NewEvent, updatedEvents } from "../events/events.changes.ts";
import { parseBody, variablesIn } from "./model/render-text.ts";
import type { ExternalTemplate, TemplatePatch, TemplateRow } from "./templates.schemas.ts";

interface ChangedTemplate {
  template: TemplateRow;
  events: NewEvent[];
}

export const localNameTaken = (holderId: string): AppError =>
  new AppError("conflict", "Another local template has this name.", { field: "name", template_id: holderId });

export const templateInUse = (campaignId: string): AppError =>
  new AppError(
    "conflict",
    "An unfinished campaign uses this template. Cancel the campaign, or create another template.",
    {
      field: "template_id",
      campaign_id: campaignId,
    },
  );

const externalFault = (path: string): Fault => ({
  path,
  code: "unknown_field",
  message: "The provider stores this template. Only its category and components can be changed.",
});

const newFields = {
  language: null,
  category: null,
  components: [],
  parameters: null,
  quality: null,
  rejection_reason: null,
  revision: 1,
};

export const newLocalTemplate = (
  id: string,
  { name, body }: { name: string; body: string },
  now: number,
): TemplateRow => ({
  ...newFields,
  id,
  name,
  body,
  variables: variablesIn(parseBody(body).pieces),
  status: "APPROVED",
  source: "local",
  connection_id: null,
  created_at: now,
  updated_at: now,
});

export function newExternalTemplate(external: ExternalTemplate, connectionId: string, at: number): TemplateRow {
  const { providerId: _, quality: __, rejectionReason: ___, ...fields } = external;
  return {
    ...newFields,
    ...fields,
    source: "external",
    connection_id: connectionId,
    created_at: at,
    updated_at: at,
  };
}

export const templateCreated = (template: TemplateRow): NewEvent => {
  const { name, body, status, source, connection_id, language, category, variables } = template;
  const components = source === "local" ? null : template.components;
  const fields = { name, body, status, source, connection_id, language, category, variables, components };
  return createdEvent("template.created", template.id, fields);
};

export function changeLocalTemplate(
  template: TemplateRow,
  { holder, campaign }: { holder: { id: string } | undefined; campaign: { id: string } | undefined },
  patch: TemplatePatch,
  now: number,
): ChangedTemplate | AppError {
  const fields = Object.keys(patch);
  if (template.source === "external" && fields.length > 0) return invalid(fields.map(externalFault));
  if (template.source === "local" && campaign !== undefined) return templateInUse(campaign.id);
  if (holder !== undefined && holder.id !== template.id) return localNameTaken(holder.id);
  if (fields.length === 0) return { template, events: [] };
  const { name = template.name, body = template.body } = patch;
  const after = { ...template, name, body, variables: variablesIn(parseBody(body).pieces) };
  const events = updatedEvents("template.updated", template.id, template, after);
  return {
    template: { ...after, updated_at: now, revision: template.revision + (events.length === 0 ? 0 : 1) },
    events,
  };
}

/**
 * `at` is the time when the edit began, and becomes `updated_at`. `claimed` is the revision that was stored before the call
 * of the provider, and already counts this edit. `read` is the template before the call: if its status has changed since
 * then, a review arrived during the call. The review's status remains, because it is newer than the edit's.
 */
export function changeExternal(
  template: TemplateRow,
  edited: Pick<ExternalTemplate, "category" | "status" | "parameters" | "body" | "variables" | "components">,
  { at, claimed, read }: { at: number; claimed: number | null; read: Pick<TemplateRow, "status"> },
): ChangedTemplate {
  const { id } = template;
  const { body, category, parameters, variables, components } = edited;
  const status = template.status === read.status ? edited.status : template.status;
  const reason = status === "REJECTED" ? template.rejection_reason : null;
  const isRevised = category !== template.category || !isSameJson(components, template.components);
  const revision = template.revision - (template.revision === claimed ? 1 : 0) + (isRevised ? 1 : 0);
  return {
    template: {
      ...template,
      body,
      category,
      status,
      parameters,
      variables,
      components,
      rejection_reason: reason,
      updated_at: Math.max(template.updated_at, at),
      revision,
    },
    events: [
      ...updatedEvents("template.updated", id, template, { body, category, variables, components }),
      ...updatedEvents("template.status_changed", id, template, { status, rejection_reason: reason }),
    ],
  };
}

export interface TemplateReview {
  name: string;
  language: string;
  /** If `status`, `quality` or `category` is null or missing, the review does not change the stored value. */
  status: TemplateRow["status"] | null;
  reason?: string | null | undefined;
  quality?: string | null | undefined;
  category?: string | null | undefined;
  at: number;
}

/**
 * Most providers send the time of a review in whole seconds. We use the last millisecond of this second, because
 * otherwise a review could seem older than an earlier change in the same second and be ignored.
 */
const endOfMoment = (at: number): number => (at % 1000 === 0 ? at + 999 : at);

export function reviewTemplate(template: TemplateRow, review: TemplateReview): ChangedTemplate {
  if (template.updated_at > endOfMoment(review.at)) return { template, events: [] };
  const { id } = template;
  const status = review.status ?? template.status;
  const quality = review.quality ?? template.quality;
  const category = review.category ?? template.category;
  const rejected = review.status === "REJECTED" ? (review.reason ?? null) : null;
  const reason = review.status === null ? template.rejection_reason : rejected;
  return {
    template: {
      ...template,
      status,
      quality,
      category,
      rejection_reason: reason,
      updated_at: Math.max(template.updated_at, review.at),
      revision: template.revision + (category === template.category ? 0 : 1),
    },
    events: [
      ...updatedEvents("template.updated", id, template, { category }),
      ...updatedEvents("template.status_changed", id, template, { status, rejection_reason: reason }),
      ...updatedEvents("template.quality_changed", id, template, { quality }),
    ],
  };
}
