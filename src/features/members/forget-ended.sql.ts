import { sql } from "drizzle-orm";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import type { Database } from "../../shared/context.ts";

export const deleteSessionsEnded = (control: Database, by: number): Promise<void> =>
  deleteInChunks(control, { table: "sessions", key: "id", condition: sql`expires_at <= ${by}` });

export const deleteAttemptsEnded = (control: Database, by: number): Promise<void> =>
  deleteInChunks(control, { table: "sign_in_attempts", key: "key", condition: sql`until <= ${by}` });

/** Used ones too: they end within the hour. */
export const deleteResetLinksEnded = (control: Database, by: number): Promise<void> =>
  deleteInChunks(control, { table: "reset_links", key: "hash", condition: sql`expires_at <= ${by}` });

export const deleteNetworksLastSeen = (control: Database, before: number): Promise<void> =>
  deleteInChunks(control, {
    table: "sign_in_networks",
    key: "user_id, network",
    condition: sql`last_at < ${before}`,
  });

/** Accepted ones too: their links have ended as well. */
export const deleteInvitationsEnded = (control: Database, by: number): Promise<void> =>
  deleteInChunks(control, { table: "invitations", key: "id", condition: sql`expires_at <= ${by}` });
