import { findFormConflict } from "../../shared/edit-conflicts.ts";
import { AppError, invalid } from "../../shared/errors.ts";
import { isoOrNull } from "../../shared/time/iso-times.ts";
import { createdEvent, type NewEvent, updatedEvents } from "../events/events.changes.ts";
import { REPEATABLE_MS } from "../idempotency/idempotency.days.ts";

interface ChangeableKey {
  id: string;
  name: string;
  readOnly: boolean;
  expiresAt: number | null;
  requests: number | null;
  windowSeconds: number | null;
  revokedAt: number | null;
  revision: number;
}

export type KeyChange = Partial<Omit<ChangeableKey, "id" | "revokedAt" | "revision">>;

export function assertFutureExpiry(expiresAt: number | null | undefined, now: number): void {
  if (typeof expiresAt !== "number" || expiresAt > now) return;
  throw invalid({ path: "expires_at", code: "too_small", message: "Must be in the future." });
}

/**
 * Increments the revision even if no field differs, so that the key is always published again. A client that repeats
 * the request after a failed publication relies on this.
 */
export function changeKey<K extends ChangeableKey>(key: K, change: KeyChange, rendered: KeyChange): K | AppError {
  if (key.revokedAt !== null)
    return new AppError("invalid_state", "A revoked key cannot be changed. Create a new key.", { status: "revoked" });
  return findFormConflict(key, change, rendered) ?? { ...key, ...change, revision: key.revision + 1 };
}

export const revokeKey = <K extends ChangeableKey>(key: K, now: number): K => ({
  ...key,
  revokedAt: key.revokedAt ?? now,
  revision: key.revision + 1,
});

/** A client that repeats the creation of a key within a day receives the same key. Later, it receives this error. */
export const findRepeatFault = ({ createdAt }: { createdAt: number }, now: number): AppError | null =>
  now - createdAt < REPEATABLE_MS
    ? null
    : new AppError(
        "conflict",
        "An earlier request already created this key, too long ago to return it again. Create another key.",
      );

export const createdKeyEvent = ({
  id,
  name,
  connectionId,
  expiresAt,
  readOnly,
  requests,
  windowSeconds,
}: ChangeableKey & { connectionId: string }): NewEvent =>
  createdEvent("api_key.created", id, {
    name,
    connection_id: connectionId,
    expires_at: isoOrNull(expiresAt),
    read_only: readOnly,
    rate_limit: requests === null ? null : { requests, window_seconds: windowSeconds },
  });

export const revokedEvents = (before: ChangeableKey, after: ChangeableKey): NewEvent[] =>
  updatedEvents(
    "api_key.revoked",
    after.id,
    { revoked_at: isoOrNull(before.revokedAt) },
    { revoked_at: isoOrNull(after.revokedAt) },
  );
