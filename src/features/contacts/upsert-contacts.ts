import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { AppError, boundError, invalid } from "../../shared/errors.ts";
import { phoneKey } from "../../shared/phone.ts";
import { checkValues } from "../custom-fields/custom-fields.values.ts";
import { tagKey } from "../tags/tags.service.ts";
import { UpsertPlan, type Wish } from "./contacts.plan.ts";
import { contactAnswer, jsonAnswer } from "./contacts.sql.ts";
import { batchCounts, batchResult, contactLayout, contactRecord, upsertOutcome } from "./contacts.schemas.ts";
import { type ContactInput, emailKey, wishOf } from "./contacts.wish.ts";
import { decideAndWrite, type Knowledge, type Needs } from "./write-contacts.ts";
import { hasOwn } from "../../shared/own.ts";

export interface UpsertInput extends ContactInput {
  custom_fields?: Record<string, unknown> | undefined;
  update?: boolean | undefined;
}

/** What must be known to plan for these inputs. */
export function needsOf(inputs: ContactInput[], contactId: string | null = null): Needs {
  const present = (values: (string | null | undefined)[]) =>
    values.flatMap((value) => (typeof value === "string" ? [value] : []));
  return {
    phoneKeys: present(inputs.map(({ phone }) => phone)).map(phoneKey),
    emailKeys: present(inputs.map(({ email }) => email)).map(emailKey),
    tags: new Map(inputs.flatMap(({ tags = [] }) => tags.map((name) => [tagKey(name), name] as const))),
    contactId,
  };
}

/** Throws `validation_failed` for custom fields that do not fit their definitions. */
export function toWish(input: UpsertInput, { definitions }: Knowledge, options: { replaceTags: boolean }): Wish {
  const { values, faults } = checkValues(definitions, input.custom_fields ?? {});
  if (faults.length > 0) throw invalid(faults);
  return wishOf({ ...input, values }, { ...options, tagKeys: (input.tags ?? []).map(tagKey) });
}

export const planOver = (ctx: Ctx, { contacts, tagNumbers }: Knowledge): UpsertPlan =>
  new UpsertPlan(contacts, tagNumbers, () => ctx.newId("ct"));

const upserted = z.object({ contact: contactRecord, layout: contactLayout, extra: z.object(upsertOutcome) });

/**
 * Creates a contact, or updates the one that has the phone or email. Throws `conflict` when they belong to two contacts,
 * `validation_failed` for custom fields that do not fit.
 */
export function upsertContact(ctx: Ctx, input: UpsertInput): Promise<z.infer<typeof upserted>> {
  return decideAndWrite(ctx, needsOf([input]), upserted, (knowledge) => {
    const plan = planOver(ctx, knowledge);
    const { contactId, created, updated, restored, matchedBy } = plan.upsert(
      toWish(input, knowledge, { replaceTags: false }),
      input.update !== false,
    );
    return { plan, result: contactAnswer(ctx, contactId, { created, updated, restored, matched_by: matchedBy }) };
  });
}

type Result = z.infer<typeof batchResult>;

/** A row that was understood, or the reason why it was not. */
export type BatchRow = { input: UpsertInput } | { error: AppError };

/** A row of the answer has 2 KB at most, which 500 of them also need to fit into one record of the answer. */
const MAX_ERROR_BYTES = 1900;

const failed = (index: number, error: AppError): Result => ({
  index,
  status: "failed",
  contact_id: null,
  error: boundError(error, MAX_ERROR_BYTES),
});

function upsertRow(plan: UpsertPlan, row: BatchRow, index: number, knowledge: Knowledge): Result {
  try {
    if (hasOwn(row, "error")) return failed(index, row.error);
    const wish = toWish(row.input, knowledge, { replaceTags: false });
    const { contactId, created, updated } = plan.upsert(wish, row.input.update !== false);
    const status = created ? "created" : updated ? "updated" : "unchanged";
    return { index, status, contact_id: contactId, error: null };
  } catch (error) {
    if (error instanceof AppError) return failed(index, error);
    throw error;
  }
}

const batchAnswer = z.object({ results: z.array(batchResult), counts: batchCounts });

/**
 * Upserts up to 500 contacts in the order given; a row may match an earlier one, and a bad row fails alone. `source` is
 * that of new contacts whose row names none.
 */
export function upsertBatch(
  ctx: Ctx,
  rows: BatchRow[],
  { source }: { source?: string } = {},
): Promise<z.infer<typeof batchAnswer>> {
  const inputs = rows.flatMap((row) => (hasOwn(row, "input") ? [row.input] : []));
  return decideAndWrite(ctx, needsOf(inputs), batchAnswer, (knowledge) => {
    const plan = planOver(ctx, knowledge);
    const results = rows.map((row, index) => upsertRow(plan, row, index, knowledge));
    const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    for (const { status } of results) counts[status]++;
    return { plan, result: jsonAnswer({ results, counts }), ...(source !== undefined && { source }) };
  });
}
