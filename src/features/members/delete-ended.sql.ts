import { lt, lte } from "drizzle-orm";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { invitations, resetLinks, sessions, signInAttempts, signInNetworks } from "../../db/schema/index.ts";
import type { Database } from "../../shared/context.ts";

export const deleteSessionsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, sessions, lte(sessions.expiresAt, new Date(time)));

export const deleteSignInAttemptsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, signInAttempts, lte(signInAttempts.until, time));

/** Used links too: they end within the hour. */
export const deleteResetLinksEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, resetLinks, lte(resetLinks.expiresAt, time));

/** Accepted invitations too: their links have ended as well. */
export const deleteInvitationsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, invitations, lte(invitations.expiresAt, time));

export const deleteNetworksUnusedSince = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, signInNetworks, lt(signInNetworks.lastAt, time));
