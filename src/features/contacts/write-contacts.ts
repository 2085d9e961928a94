import type { z } from "zod";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import { isContradicted } from "../../db/idioms.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { type Definition } from "../custom-fields/custom-fields.values.ts";
import { definitionsQuery, parseDefinitions } from "../custom-fields/custom-fields.sql.ts";
import { commitOnce, recall, recallQuery } from "../idempotency/idempotency.service.ts";
import { createMissingTags, numbersByKey, tagsByKeys } from "../tags/tags.sql.ts";
import { newTag } from "../tags/tags.service.ts";
import type { KnownContact, UpsertPlan } from "./contacts.plan.ts";
import { suppress, suppressionKeysOf, unsuppress } from "./contacts.sql.ts";
import { foldedOf } from "./contacts.wish.ts";
import * as repository from "./write-contacts.sql.ts";

const MAX_TRIES = 6;

/** What a plan must know before it is made. */
export interface Needs {
  phoneKeys: string[];
  emailKeys: string[];
  /** Names by key. */
  tags: Map<string, string>;
  contactId: string | null;
}

export interface Knowledge {
  contacts: KnownContact[];
  tagNumbers: Map<string, number>;
  definitions: Definition[];
}

export interface Decision {
  plan: UpsertPlan;
  /** One row with the answer as JSON in `result`. */
  result: SQL;
  /** Of new contacts for whom none was sent. */
  source?: string;
}

/**
 * Reads, decides, writes: two round trips. The write fails whole when a contact of the plan has changed its identity, a
 * new one has lost a race for a phone or email, or the fields have been redefined; then everything is decided again. Fields never race: only what was sent is written.
 */
export async function decideAndWrite<R>(
  ctx: Ctx,
  needs: Needs,
  shape: z.ZodType<R>,
  decide: (knowledge: Knowledge) => Decision | Promise<Decision>,
): Promise<R> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const [candidates, tags, definitions, layout, record] = await batch(ctx.db, [
      repository.candidates(ctx, { phone: needs.phoneKeys, email: needs.emailKeys }, needs.contactId),
      tagsByKeys(ctx, [...needs.tags.keys()]),
      definitionsQuery(ctx),
      repository.layoutQuery(ctx),
      recallQuery(ctx),
    ]);
    const known = recall(ctx, record, shape);
    if (known !== null) return known;
    const decision = await decide({
      contacts: repository.parseCandidates(candidates),
      tagNumbers: numbersByKey(tags),
      definitions: parseDefinitions(definitions),
    });
    const written = await write(ctx, needs, shape, decision, repository.parseLayout(layout));
    if (written !== null) return written;
  }
  throw new AppError(
    "unavailable",
    "These contacts are being changed by many requests at once. Try again shortly.",
    null,
    1,
  );
}

/** Null when the plan no longer fits. */
async function write<R>(
  ctx: Ctx,
  { tags }: Needs,
  shape: z.ZodType<R>,
  { plan, result, source = "api" }: Decision,
  layout: string,
): Promise<R | null> {
  const { created, updated } = plan.changes();
  const touched = [...created, ...updated];
  const tagKeys = new Set(touched.flatMap((draft) => draft.tagKeys));
  const newTags = [...tagKeys].flatMap((key) => {
    const name = tags.get(key);
    return name === undefined ? [] : [newTag(ctx, name)];
  });
  const hasValues = touched.some(({ values }) => Object.keys(values).length > 0);
  const ids = (isUnsubscribed: boolean) =>
    touched.filter((draft) => draft.isUnsubscribed === isUnsubscribed).map(({ id }) => id);
  const [optedOut, optedIn] = [ids(true), ids(false)];
  const keysOf = (contactIds: string[]) => suppressionKeysOf(repository.seqsOfIds(ctx, contactIds));
  const born = created.map((draft) => ({
    ...draft,
    set: { source, ...draft.set },
    folded: { ...foldedOf({ source }), ...draft.folded },
  }));

  try {
    const { result: answer } = await commitOnce(ctx, {
      effects: (guard) => [
        ...(updated.length > 0 ? [repository.refuseDrift(updated)] : []),
        ...(hasValues ? [repository.refuseNewLayout(ctx, layout)] : []),
        ...createMissingTags(ctx, newTags, guard),
        ...repository.updateDrafts(ctx, updated, guard),
        ...repository.insertDrafts(ctx, born, guard),
        ...(optedOut.length > 0 ? [suppress(ctx, keysOf(optedOut), ctx.now(), guard)] : []),
        ...(optedIn.length > 0 ? [unsuppress(ctx, keysOf(optedIn), guard)] : []),
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
