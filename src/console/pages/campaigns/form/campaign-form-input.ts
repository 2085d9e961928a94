import * as z from "zod";
import {
  type CampaignPatch,
  type StartCampaign,
  startCampaignBody,
  startShape,
} from "../../../../features/campaigns/campaigns.schemas.ts";
import { isAuthentication } from "../../../../features/templates/model/parse-template.ts";
import { parseBody, variablesIn } from "../../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { AppError, type Fault, invalid } from "../../../../shared/errors.ts";
import { VARIABLE_PREFIX } from "../../../kit/forms/faults.ts";
import { formBody, formFields } from "../../../kit/forms/form-body.ts";
import type { SentForm } from "../../../kit/forms/forms.ts";
import { fieldTime } from "../../../kit/forms/time-field.tsx";
import { readTemplateValues, valueFaults, valueFields } from "../../messages/template/template-fields.tsx";

/**
 * The body of the API plus `when`, with which the user chooses between now and later. The API needs no such
 * field: a campaign without a time starts now.
 */
export const campaignFormBody = startCampaignBody
  .safeExtend({
    connection_id: z.string().optional(),
    when: z.enum(["now", "later"]).default("now"),
    scheduled_at: fieldTime.pipe(startCampaignBody.shape.scheduled_at.unwrap()).optional(),
    send_before: fieldTime.pipe(startCampaignBody.shape.send_before.unwrap()).optional(),
  })
  .superRefine(({ when, scheduled_at }, issues) => {
    if (when === "now" || scheduled_at !== undefined) return;
    issues.addIssue({ code: "custom", path: ["scheduled_at"], message: "Enter a date and a time." });
  });

export const startDraftForm = z.object({ recipients: z.coerce.number().int(), fingerprint: z.string().default("") });

export const confirmedCampaignBody = campaignFormBody.safeExtend(startDraftForm.shape);

export type CampaignFormInput = z.infer<typeof campaignFormBody>;

export const toStartCampaign = (order: CampaignFormInput): StartCampaign => startShape.parse(order);

export const formInputOf = (request: StartCampaign, connectionId: string): CampaignFormInput => ({
  ...request,
  connection_id: connectionId,
  when: request.scheduled_at === undefined ? "now" : "later",
});

/**
 * The form submits all its fields, so an empty field means that the user cleared it. The patch therefore
 * contains null for each field without a value.
 */
export function toPatch(order: CampaignFormInput): CampaignPatch {
  const { connection_id: _, when, scheduled_at, send_before, ...request } = order;
  const withoutFilters = { filter_tags: null, filter_tags_mode: null, filter_status: null, segment_id: null };
  const withoutValues = { name: null, variables: null, header: null, buttons: null, cards: null };
  return {
    ...withoutFilters,
    ...withoutValues,
    ...request,
    scheduled_at: when === "now" ? null : (scheduled_at ?? null),
    send_before: send_before ?? null,
  };
}

const utcToField = (utc: string | undefined) => utc?.replace(/(:00(?:\.000)?)?Z$/, "");

/**
 * Drops the tag mode if no tags are chosen, and the time unless `when` is `later`. The form submits both in any
 * case.
 */
export const readCampaign = (body: z.ZodType) => (form: SentForm) => {
  const { filter_tags_mode, scheduled_at, ...sent } = formBody(body, form);
  const [channel, connection_id] = form.text("channel")?.split(" ") ?? [];
  return {
    ...sent,
    channel,
    connection_id,
    ...(sent["filter_tags"] !== undefined && { filter_tags_mode }),
    ...(sent["when"] === "later" && { scheduled_at }),
    ...readTemplateValues(form),
  };
};

export function toFormFields(order: CampaignFormInput): [name: string, value: string][] {
  const { template_id, channel, connection_id, name, when, scheduled_at, send_before } = order;
  const { filter_tags, filter_tags_mode, filter_status, segment_id } = order;
  const audience = { filter_tags, filter_tags_mode, filter_status, segment_id };
  const fields = {
    template_id,
    channel: [channel, connection_id].filter((part) => part !== undefined).join(" "),
    name,
    when,
    scheduled_at: utcToField(scheduled_at),
    send_before: utcToField(send_before),
    ...audience,
  };
  return [...formFields(fields), ...valueFields(order)];
}

const stateDetails = z.object({ status: z.string(), reasons: z.array(z.object({ message: z.string() })).optional() });

type ChosenTemplate = Pick<TemplateRecord, "variables" | "category">;

const hasField = ({ path }: Fault, { variables }: ChosenTemplate): boolean =>
  !path.startsWith(VARIABLE_PREFIX) || variables.includes(path.slice(VARIABLE_PREFIX.length));

function locateUnknownField({ path, code }: Fault, message: string, { variables = {} }: CampaignFormInput): Fault[] {
  const field = path.slice(VARIABLE_PREFIX.length);
  return Object.entries(variables).flatMap(([name, text]) =>
    variablesIn(parseBody(text).pieces).includes(field) ? [{ path: `${VARIABLE_PREFIX}${name}`, code, message }] : [],
  );
}

function locateFaults(error: AppError, template: ChosenTemplate, order: CampaignFormInput): Fault[] {
  const { code, message, details } = error;
  const faultAt = (path: string, text = message): Fault => ({ path, code, message: text });
  if (code === "template_not_approved") return [faultAt("template_id")];
  if (code === "channel_mismatch") return [faultAt(isAuthentication(template.category) ? "template_id" : "channel")];
  if (code === "validation_failed") return valueFaults(error, order);
  if (code === "missing_variable")
    return valueFaults(error, order).flatMap((fault) =>
      hasField(fault, template) ? [fault] : locateUnknownField(fault, message, order),
    );
  if (code !== "invalid_state") return [];
  // Only a segment can have the status `invalid`. With any other status, the error is about the connection.
  const { status, reasons = [] } = stateDetails.safeParse(details).data ?? {};
  if (status !== "invalid") return [faultAt("channel")];
  if (reasons.length === 0) return [];
  return [faultAt("segment_id", `This segment is broken. ${reasons.map((reason) => reason.message).join(" ")}`)];
}

export async function attachFaultsToFields<T>(
  template: ChosenTemplate,
  order: CampaignFormInput,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const faults = error instanceof AppError ? locateFaults(error, template, order) : [];
    throw faults.length === 0 ? error : invalid(faults);
  }
}
