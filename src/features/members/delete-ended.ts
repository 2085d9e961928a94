import type { BaseCtx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import {
  deleteInvitationsEndedBy,
  deleteNetworksUnusedSince,
  deleteResetLinksEndedBy,
  deleteSessionsEndedBy,
  deleteSignInAttemptsEndedBy,
} from "./delete-ended.sql.ts";
import { NETWORK_KNOWN_MS } from "./members.attempts.ts";

/** So long after its end the link of an invitation or of a new password still says why it does not work. */
const LINKS_KEPT_MS = 30 * DAY_MS;

export const deleteEndedSessions = (base: BaseCtx): Promise<void> => deleteSessionsEndedBy(base.control, base.now());

export const deleteEndedSignInAttempts = (base: BaseCtx): Promise<void> =>
  deleteSignInAttemptsEndedBy(base.control, base.now());

export const deleteEndedInvitations = (base: BaseCtx): Promise<void> =>
  deleteInvitationsEndedBy(base.control, base.now() - LINKS_KEPT_MS);

export const deleteEndedResetLinks = (base: BaseCtx): Promise<void> =>
  deleteResetLinksEndedBy(base.control, base.now() - LINKS_KEPT_MS);

export const deleteUnusedNetworks = (base: BaseCtx): Promise<void> =>
  deleteNetworksUnusedSince(base.control, base.now() - NETWORK_KNOWN_MS);
