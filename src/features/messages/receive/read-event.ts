import type { Person } from "../../../channels/channel-events.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { PersonIdentifiers } from "../../contacts/identity/identify-people.sql.ts";
import type { ReportedMessage } from "../settle/store-reported-keys.sql.ts";

/** Providers retry webhooks for a week, so an event with an older time is wrong. */
const MAX_AGE_MS = 7 * DAY_MS;

export const boundEventTime = (at: number, now: number): number => Math.min(now, Math.max(at, now - MAX_AGE_MS));

export const identifiersOf = ({ phone, userId, username = null, aliases = [] }: Person): PersonIdentifiers => ({
  phone,
  userIds: userId === null ? [] : [userId],
  aliases,
  username,
});

export const toReportedMessage = (
  ctx: Ctx,
  connectionId: string,
  providerKey: string,
  { phone, userId, aliases = [] }: Person,
): ReportedMessage => ({
  workspaceId: ctx.workspace.id,
  connectionId,
  providerKey,
  phone,
  userIds: userId === null ? aliases : [userId, ...aliases],
});
