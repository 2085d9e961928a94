import type { z } from "zod";
import { isContradicted } from "../../db/idioms.ts";
import { type SQL, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { selectFieldDefinitions } from "../custom-fields/custom-fields.sql.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import { commitOnce, findReplay, selectIdempotencyRecord } from "../idempotency/idempotency.service.ts";
import { insertMissingTags, selectTagsByKey } from "../tags/tags.sql.ts";
import { newTag } from "../tags/tags.service.ts";
import { contactDefaults } from "./contacts.choices.ts";
import { foldContact } from "./contacts.patch.ts";
import { insertSuppressions, suppressionKeysBySeqs, deleteSuppressions } from "./contacts.sql.ts";
import type { KnownContact, UpsertPlan } from "./contacts.upsert-plan.ts";
import {
  failIfContactsChanged,
  failIfLayoutChanged,
  insertPlannedContacts,
  selectKnownContacts,
  selectLayout,
  seqsOfIds,
  updatePlannedContacts,
} from "./write-contacts.sql.ts";

const MAX_TRIES = 6;

/** The contacts and tags to read before planning. */
export interface PlanQuery {
  phoneKeys: string[];
  emailKeys: string[];
  /** Names by key. */
  tags: Map<string, string>;
  contactId: string | null;
}

/** The data that a plan is made from. */
export interface PlanData {
  contacts: KnownContact[];
  tagNumbers: Map<string, number>;
  definitions: FieldDefinition[];
}

export interface PlannedWrite {
  plan: UpsertPlan;
  /** One row with the answer as JSON in `result`. */
  result: SQL;
  /** The source of new contacts that were sent none. */
  source?: string;
}

/**
 * Reads, plans, writes: two round trips. The write fails whole when a contact of the plan has changed its identity, another
 * request has taken a phone or email of a new one, or the fields have been redefined; then all three steps are repeated.
 * Plain fields need no such check: only what was sent is written.
 */
export async function planAndWrite<R>(
  ctx: Ctx,
  query: PlanQuery,
  shape: z.ZodType<R>,
  plan: (data: PlanData) => PlannedWrite | Promise<PlannedWrite>,
): Promise<R> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const { contacts, tags, definitions, layout, record } = await transact(ctx.db, {
      contacts: selectKnownContacts(ctx, { phone: query.phoneKeys, email: query.emailKeys }, query.contactId),
      tags: selectTagsByKey(ctx, [...query.tags.keys()]),
      definitions: selectFieldDefinitions(ctx),
      layout: selectLayout(ctx),
      record: selectIdempotencyRecord(ctx),
    });
    const replay = findReplay(ctx, record, shape);
    if (replay !== null) return replay;
    const tagNumbers = new Map(tags.map(({ name_key, number }) => [name_key, number]));
    const planned = await plan({ contacts, tagNumbers, definitions });
    const written = await writePlan(ctx, query.tags, shape, planned, layout[0]?.fields ?? "");
    if (written !== null) return written;
  }
  throw new AppError(
    "unavailable",
    "These contacts are being changed by many requests at once. Try again shortly.",
    null,
    1,
  );
}

/** Null when the plan no longer fits. `tagNames` are by key; `layout` is that which the values were checked against. */
async function writePlan<R>(
  ctx: Ctx,
  tagNames: Map<string, string>,
  shape: z.ZodType<R>,
  { plan, result, source = contactDefaults.source }: PlannedWrite,
  layout: string,
): Promise<R | null> {
  const { created, updated } = plan.changes();
  const changed = [...created, ...updated];
  const tagKeys = new Set(changed.flatMap((contact) => contact.tagKeys));
  const newTags = [...tagKeys].flatMap((key) => {
    const name = tagNames.get(key);
    return name === undefined ? [] : [newTag(ctx, name)];
  });
  const hasValues = changed.some(({ values }) => Object.keys(values).length > 0);
  const idsWith = (isUnsubscribed: boolean) =>
    changed.filter((contact) => contact.isUnsubscribed === isUnsubscribed).map(({ id }) => id);
  const [optedOut, optedIn] = [idsWith(true), idsWith(false)];
  const optOutKeys = (contactIds: string[]) => suppressionKeysBySeqs(seqsOfIds(ctx, contactIds));
  const createdWithSource = created.map((contact) => ({
    ...contact,
    set: { source, ...contact.set },
    folded: { ...foldContact({ source }), ...contact.folded },
  }));

  try {
    const { result: answer } = await commitOnce(ctx, {
      effects: (guard) => [
        ...(updated.length > 0 ? [failIfContactsChanged(updated)] : []),
        ...(hasValues ? [failIfLayoutChanged(ctx, layout)] : []),
        ...insertMissingTags(ctx, newTags, guard),
        ...updatePlannedContacts(ctx, updated, guard),
        ...insertPlannedContacts(ctx, createdWithSource, guard),
        ...(optedOut.length > 0 ? [insertSuppressions(ctx, optOutKeys(optedOut), ctx.now(), guard)] : []),
        ...(optedIn.length > 0 ? [deleteSuppressions(ctx, optOutKeys(optedIn), guard)] : []),
      ],
      result,
      shape,
    });
    return answer;
  } catch (error) {
    if (isContradicted(error)) return null;
    throw error;
  }
}
