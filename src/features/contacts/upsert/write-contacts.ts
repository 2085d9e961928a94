import { sql, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { transact } from "../../../db/statement.ts";
import { Memo } from "../../../shared/memo.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectFieldDefinitions } from "../../custom-fields/custom-fields.sql.ts";
import type { FieldDefinition } from "../../custom-fields/custom-fields.values.ts";
import { commitOnce, prepareOnce } from "../../commits/commit-once.ts";
import { insertMissingTags, selectTagsByKey } from "../../tags/tags.sql.ts";
import { newTag } from "../../tags/tags.service.ts";
import { contactDefaults } from "../contact-fields.schemas.ts";
import { CONTACTS_CHANGE } from "../contacts.conflicts.ts";
import { foldContact } from "../contacts.patch.ts";
import type { ContactAnswer } from "../contacts.schemas.ts";
import { contactRevision, selectContact, selectContactLayout } from "../contacts.sql.ts";
import { insertSuppressions, suppressionKeysBySeqs, deleteSuppressions } from "../opt-outs/opt-outs.sql.ts";
import type { ExistingContact, PlannedContact, UpsertPlan } from "./upsert-plan.ts";
import { appendSnapshotEvents } from "../contact-snapshots.sql.ts";
import { storePlannedContacts } from "./planned-contacts.sql.ts";
import {
  failIfContactsChanged,
  failIfLayoutChanged,
  isLayoutVersion,
  isNewcomer,
  isReachable,
  selectExistingContacts,
  seqsOfIds,
  type SoughtKeys,
} from "./write-contacts.sql.ts";

export interface PlanQuery {
  phoneKeys: string[];
  emailKeys: string[];
  tags: Map<string, string>;
  contactId: string | null;
  readsContact: boolean;
  hasValues: boolean;
  /**
   * The contacts that the database most likely contains, so that we can plan without reading them first. If null, we
   * always read first.
   */
  assumed: ExistingContact[] | null;
}

export interface PlanData {
  contacts: ExistingContact[];
  tagNumbers: Map<string, number>;
  definitions: FieldDefinition[];
  /** Null unless the query has `readsContact`. */
  stored: ContactAnswer | null;
  /** True if `contacts` are only assumed. An error of the plan might then be wrong. */
  isAssumed: boolean;
}

export interface PlannedWrite {
  plan: UpsertPlan;
  result: SQL;
  source?: string;
}

interface CachedFields {
  definitions: FieldDefinition[];
  layoutVersion: number;
}

const NO_FIELDS: CachedFields = { definitions: [], layoutVersion: 0 };

/** Longer lists (fields with many options) are not cached, because the cache uses the isolate's memory. */
const MAX_CACHED_CHARACTERS = 50_000;

/** Custom fields as this isolate last read them. Each write checks that they are still current. */
const cachedFields = new Memo<CachedFields>(100);

type Planner = (data: PlanData) => PlannedWrite | Promise<PlannedWrite>;

/**
 * Plans with `query.assumed`, and writes this plan and reads the stored contacts in one round trip. If the assumptions
 * are false, that plan writes nothing, and a second round trip writes a plan that is based on the stored contacts.
 */
export async function planAndWrite<R>(ctx: Ctx, query: PlanQuery, shape: z.ZodType<R>, plan: Planner): Promise<R> {
  const ahead = await planAhead(ctx, query, plan);
  return retryOnContention(ctx, { message: CONTACTS_CHANGE }, async (tries) => {
    const { answer, data, layoutVersion } = await writeAheadOrRead(ctx, query, shape, tries === 1 ? ahead : null);
    if (answer !== null) return answer;
    return writePlan(ctx, query.tags, shape, await plan(data), { layoutVersion, contactId: query.contactId });
  });
}

const NO_RESULT = sql`SELECT NULL AS result WHERE FALSE`;

const keysOf = ({ phoneKeys, emailKeys }: PlanQuery): SoughtKeys => ({ phone: phoneKeys, email: emailKeys });

interface PlanAhead {
  planned: PlannedWrite;
  /** True if the assumptions are true. Stays true after the plan is written, because later statements check it too. */
  holds: SQL;
}

/** Returns null if the plan throws an `AppError`, because the error might be wrong. */
async function planAhead(ctx: Ctx, query: PlanQuery, plan: Planner): Promise<PlanAhead | null> {
  const { assumed, contactId, hasValues } = query;
  const fields = hasValues ? cachedFields.get(ctx.workspace.id) : NO_FIELDS;
  if (assumed === null || fields === undefined) return null;
  const { definitions, layoutVersion } = fields;
  try {
    const planned = await plan({
      contacts: assumed,
      tagNumbers: new Map(),
      definitions,
      stored: null,
      isAssumed: true,
    });
    const [first] = planned.plan.changes().created;
    const holds = contactId === null ? isNewcomer(ctx, keysOf(query), first?.id ?? null) : isReachable(ctx, contactId);
    return { planned, holds: hasValues ? sql`(${holds} AND ${isLayoutVersion(ctx, layoutVersion)})` : holds };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** `answer` is the response of the written plan, or the replay of an earlier request. */
async function writeAheadOrRead<R>(ctx: Ctx, query: PlanQuery, shape: z.ZodType<R>, ahead: PlanAhead | null) {
  const { hasValues } = query;
  const once = prepareOnce(ctx, {
    effects: (guard) =>
      ahead === null ? [] : planEffects(ctx, query.tags, ahead.planned, sql`(${guard} AND ${ahead.holds})`),
    result: ahead === null ? NO_RESULT : sql`SELECT result FROM (${ahead.planned.result}) WHERE ${ahead.holds}`,
    shape,
    ...preconditionOf(ctx, query),
  });
  const { contacts, tags, definitions, stored, layouts, ...rows } = await transact(ctx.db, {
    ...once.entries,
    contacts: selectExistingContacts(ctx, keysOf(query), query.contactId, ahead?.holds ?? sql`FALSE`),
    tags: query.tags.size === 0 ? [] : [selectTagsByKey(ctx, [...query.tags.keys()])],
    definitions: hasValues ? [selectFieldDefinitions(ctx)] : [],
    stored: query.contactId === null || !query.readsContact ? [] : [selectContact(ctx, query.contactId)],
    layouts: hasValues ? [selectContactLayout(ctx)] : [],
  });
  const tagNumbers = new Map(tags.map(({ name_key, number }) => [name_key, number]));
  const layoutVersion = layouts[0]?.version ?? 0;
  if (hasValues) {
    const fields = { definitions, layoutVersion };
    if (JSON.stringify(fields).length <= MAX_CACHED_CHARACTERS) cachedFields.set(ctx.workspace.id, fields);
  }
  const data: PlanData = {
    contacts,
    tagNumbers,
    definitions,
    stored: stored[0]?.result ?? null,
    isAssumed: false,
  };
  return { answer: once.read(rows).result, data, layoutVersion };
}

const changesPhone = ({ phone, existing }: PlannedContact & { existing: ExistingContact }): boolean =>
  phone !== undefined && (phone?.key ?? null) !== existing.phoneKey;

/** `tagNames` maps the key of each tag to its name. */
function planEffects(
  ctx: Ctx,
  tagNames: Map<string, string>,
  { plan, source = contactDefaults.source }: PlannedWrite,
  guard: SQL,
): SQL[] {
  const { created, updated } = plan.changes();
  const changed = [...created, ...updated];
  const tagKeys = new Set(changed.flatMap((contact) => contact.tagKeys));
  const newTags = [...tagKeys].flatMap((key) => {
    const name = tagNames.get(key);
    return name === undefined ? [] : [newTag(ctx, name)];
  });
  const idsWith = (isUnsubscribed: boolean) =>
    changed.filter((contact) => contact.isUnsubscribed === isUnsubscribed).map(({ id }) => id);
  const [optedOut, optedIn] = [idsWith(true), idsWith(false)];
  const optOutKeys = (contactIds: string[]) => suppressionKeysBySeqs(seqsOfIds(ctx, contactIds));
  // Opt-outs belong to numbers, so a contact with a new number can gain or lose an opt-out.
  const mayFlip = optedOut.length + optedIn.length > 0 || updated.some(changesPhone);
  const createdWithSource = created.map((contact) => ({
    ...contact,
    set: { source, ...contact.set },
    folded: { ...foldContact({ source }), ...contact.folded },
  }));
  return [
    ...insertMissingTags(ctx, newTags, guard),
    ...storePlannedContacts(
      ctx,
      { created: createdWithSource, updated, newTagIds: newTags.map(({ id }) => id) },
      guard,
    ),
    ...(optedOut.length > 0 ? [insertSuppressions(ctx, optOutKeys(optedOut), ctx.now(), guard)] : []),
    ...(optedIn.length > 0 ? [deleteSuppressions(ctx, optOutKeys(optedIn), guard)] : []),
    ...(mayFlip ? appendSnapshotEvents(ctx) : []),
  ];
}

/** Only requests for a single contact can have a precondition. */
const preconditionOf = (ctx: Ctx, { contactId }: Pick<PlanQuery, "contactId">) =>
  contactId !== null && { currentRevision: contactRevision(ctx, contactId) };

/** Returns null if the contact does not exist. Fails if the plan does not match the stored data. */
async function writePlan<R>(
  ctx: Ctx,
  tagNames: Map<string, string>,
  shape: z.ZodType<R>,
  planned: PlannedWrite,
  { layoutVersion, contactId }: { layoutVersion: number; contactId: string | null },
): Promise<R | null> {
  const { created, updated } = planned.plan.changes();
  const hasValues = [...created, ...updated].some(({ values }) => Object.keys(values).length > 0);
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [
      ...(updated.length > 0 ? [failIfContactsChanged(updated)] : []),
      ...(hasValues ? [failIfLayoutChanged(ctx, layoutVersion)] : []),
      ...planEffects(ctx, tagNames, planned, guard),
    ],
    result: planned.result,
    shape,
    ...preconditionOf(ctx, { contactId }),
  });
  return result;
}
