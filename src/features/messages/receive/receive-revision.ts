import { lt } from "drizzle-orm";
import type { RevisionEvent } from "../../../channels/channel-events.ts";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { messageRevisions } from "../../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { optOutKeysOfPerson, storeMarketingChoice } from "../../contacts/opt-outs/store-choices.sql.ts";
import { insertSuppressions } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { laterOptOutKeys } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { storeReportedKeys } from "../settle/store-reported-keys.sql.ts";
import { identifiersOf, toReportedMessage } from "./read-event.ts";
import type { OptOutRequest } from "./receive-message.ts";
import { applyRevisions, applyWaitingRevisions, insertRevision, isNewRevision } from "./receive-revision.sql.ts";

export interface ReceivedRevision extends OptOutRequest {
  connectionId: string;
  event: RevisionEvent;
}

/**
 * An edit or deletion is not a new message, so it opens no window and marks nothing as unread. An edit to STOP opts the
 * person out, but an edit to START has no effect.
 */
export async function receiveRevision(
  ctx: Ctx,
  { connectionId, event, word, stopsMarketing }: ReceivedRevision,
): Promise<void> {
  const { by, to = null, kind, revisionId, providerKeys, body } = event;
  const at = Math.min(event.at, ctx.now());
  const phone = by?.phone ?? null;
  const author = {
    fromContact: by !== null,
    address: phone ?? by?.userId ?? null,
    phoneKey: phone === null ? null : phoneKey(phone),
  };
  const keyLists =
    by === null
      ? []
      : [optOutKeysOfPerson(ctx, connectionId, identifiersOf(by), at), laterOptOutKeys(ctx, connectionId, by, at)];
  for (const providerKey of providerKeys) {
    const revision = { connectionId, providerKey, revisionId, kind, body, at, ...author };
    const isNew = isNewRevision(revision);
    const before = [
      ...(to === null ? [] : storeReportedKeys([toReportedMessage(ctx, connectionId, providerKey, to)])),
      ...(word === "stop" ? keyLists.map((keys) => insertSuppressions(ctx, keys, at, isNew)) : []),
      ...(stopsMarketing
        ? keyLists.flatMap((keys) => storeMarketingChoice(ctx, keys, { marketing: "stop", at }, isNew))
        : []),
      insertRevision(ctx, revision),
    ];
    const after = word === "stop" || stopsMarketing ? appendSnapshotEvents(ctx) : [];
    await applyRevisions(ctx, connectionId, providerKey, { before, after });
  }
}

/** Providers retry for a week. If a message is still missing after this time, it will never arrive. */
const KEPT_MS = 8 * DAY_MS;
const REVISIONS_PER_RUN = 1000;

export async function sweepRevisions(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await applyWaitingRevisions(db, REVISIONS_PER_RUN, base.now());
  await deleteInChunks(db, messageRevisions, lt(messageRevisions.createdAt, base.now() - KEPT_MS));
}
