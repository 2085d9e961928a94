import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import type { Database } from "../../shared/context.ts";
import { sql } from "../../db/sql.ts";

export const deleteSessionsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, { table: "sessions", key: "id", condition: sql`expires_at <= ${time}` });

export const deleteSignInAttemptsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, { table: "sign_in_attempts", key: "key", condition: sql`until <= ${time}` });

/** Used links too: they end within the hour. */
export const deleteResetLinksEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, { table: "reset_links", key: "hash", condition: sql`expires_at <= ${time}` });

/** Accepted invitations too: their links have ended as well. */
export const deleteInvitationsEndedBy = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, { table: "invitations", key: "id", condition: sql`expires_at <= ${time}` });

export const deleteNetworksUnusedSince = (control: Database, time: number): Promise<void> =>
  deleteInChunks(control, { table: "sign_in_networks", key: "user_id, network", condition: sql`last_at < ${time}` });
