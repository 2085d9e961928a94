import type { RevisionEvent } from "../../../channels/people.ts";
import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { suppress } from "../../contacts/contacts.sql.ts";
import { chooseMarketing, keysOfPerson } from "../../contacts/choose-marketing.sql.ts";
import { keysFollowing } from "../../contacts/follow-changes.sql.ts";
import { namesOf } from "./receive-message.ts";
import * as repository from "./receive-revision.sql.ts";

export interface ReceivedRevision {
  connectionId: string;
  event: RevisionEvent;
  /** As of `Received`: what the new text asks for as a whole. */
  word: "stop" | "start" | null;
  stopsMarketing: boolean;
}

/**
 * Changes the message that its author edited or took back; kept until the message comes, where it has not. Opens no window and
 * counts as nothing unread. A text that was made an opt-out word is obeyed; one that was made START is not: that must be written.
 */
export async function receiveRevision(
  ctx: Ctx,
  { connectionId, event, word, stopsMarketing }: ReceivedRevision,
): Promise<void> {
  const { by, kind, revisionId, providerKeys, body } = event;
  const at = Math.min(event.at, ctx.now());
  for (const providerKey of providerKeys) {
    const phone = by?.phone ?? null;
    const author = {
      fromContact: by !== null,
      address: phone ?? by?.userId ?? null,
      phoneKey: phone === null ? null : phoneKey(phone),
    };
    const revision = { connectionId, providerKey, revisionId, kind, body, at, ...author };
    const isNews = repository.isNews(revision);
    const lists =
      by === null ? [] : [keysOfPerson(ctx, connectionId, namesOf(by), at), keysFollowing(ctx, connectionId, by, at)];
    await repository.applyTo(ctx, connectionId, providerKey, [
      ...(word === "stop" ? lists.map((keys) => suppress(ctx, keys, at, isNews)) : []),
      ...(stopsMarketing ? lists.flatMap((keys) => chooseMarketing(ctx, keys, { marketing: "stop", at }, isNews)) : []),
      repository.keep(ctx, revision),
    ]);
  }
}

/** Providers retry for a week: by then a message has come, or never will. */
const KEPT_MS = 8 * DAY_MS;
const LIMIT = 1000;

/** Applies changes whose message has come since, or whose key became known when a send was settled; forgets the oldest. */
export async function sweepRevisions(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await repository.applyAll(db, LIMIT);
  await repository.deleteOld(db, base.now() - KEPT_MS);
}
