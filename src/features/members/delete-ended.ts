import { lt, lte } from "drizzle-orm";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { invitations, resetLinks, sessions, signInAttempts, signInNetworks } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { NETWORK_KNOWN_MS } from "./members.attempts.ts";

const LINKS_KEPT_MS = 30 * DAY_MS;

export const deleteEndedSessions = ({ control, now }: BaseCtx): Promise<void> =>
  deleteInChunks(control, sessions, lte(sessions.expiresAt, new Date(now())));

export const deleteEndedSignInAttempts = ({ control, now }: BaseCtx): Promise<void> =>
  deleteInChunks(control, signInAttempts, lte(signInAttempts.until, now()));

export const deleteEndedInvitations = ({ control, now }: BaseCtx): Promise<void> =>
  deleteInChunks(control, invitations, lte(invitations.expiresAt, now() - LINKS_KEPT_MS));

export const deleteEndedResetLinks = ({ control, now }: BaseCtx): Promise<void> =>
  deleteInChunks(control, resetLinks, lte(resetLinks.expiresAt, now() - LINKS_KEPT_MS));

export const deleteUnusedNetworks = ({ control, now }: BaseCtx): Promise<void> =>
  deleteInChunks(control, signInNetworks, lt(signInNetworks.lastAt, now() - NETWORK_KNOWN_MS));
