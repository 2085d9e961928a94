// After a restore, the database does not show which messages were sent after the restored time. The statements in this
// file keep these messages from being sent again. They repeat some logic of the Worker in SQL, because the commands
// that use them cannot load the Worker's code.

interface Restore {
  /** The restored time, in ms since the epoch. Rows with a later `created_at` were created after the restore. */
  at: number;
  /** The current time, in ms since the epoch. */
  now: number;
}

/** Stored as `last_error` of a campaign, and as the error code of a message. */
const RESTORED = "restored";
const MESSAGE_ERROR = "The database was restored to an earlier time. The message may have been sent after that time.";

/**
 * How many messages one transaction changes at most. Their events are stored in one row of the log, and D1 limits the
 * size of a row.
 */
export const MAX_MESSAGES = 5000;

// The states of messages, as in src/features/messages/messages.states.ts.
const [SCHEDULED, QUEUED, CLAIMED, UNKNOWN] = [-1, 0, 1, 2];

/**
 * Appends events to the log. `changed` is a SELECT of `workspace_id`, `type`, `id` and `changes`. If the last row of
 * the log has a later time than `now`, uses that time, because times in the log must never decrease.
 */
const appendEvents = (changed: string, now: number) => {
  const last = (column: string) =>
    `(SELECT ${column} FROM event_chunks c WHERE c.workspace_id = e.workspace_id ORDER BY c.first DESC LIMIT 1)`;
  return `INSERT INTO event_chunks (workspace_id, first, count, at, actor_type, actor_id, body)
    SELECT workspace_id, coalesce(${last("c.first + c.count")}, 1), count(*), max(${now}, coalesce(${last("c.at")}, 0)), 'system', NULL,
      json_group_array(json_array(type, id, json(changes)))
    FROM (${changed}) e GROUP BY workspace_id`;
};

/**
 * Sets direct messages to `unknown` if they were queued or due, because they may have been sent after the restored
 * time. Repeat the statements until the last one changes fewer than `MAX_MESSAGES` rows.
 */
export function settleDueMessages({ at, now }: Restore): string[] {
  const due = (columns: string) => `
    SELECT ${columns} FROM messages INDEXED BY messages_due
    WHERE created_at <= ${at} AND next_attempt_at IS NOT NULL AND state IN (${QUEUED}, ${CLAIMED})
    UNION ALL SELECT ${columns} FROM messages INDEXED BY messages_scheduled
    WHERE created_at <= ${at} AND state = ${SCHEDULED} AND send_at <= ${now}
    ORDER BY id LIMIT ${MAX_MESSAGES}`;
  return [
    appendEvents(
      `SELECT workspace_id, 'message.unknown' AS type, id,
        json_object('delivery', json_array(iif(state = ${SCHEDULED}, 'scheduled', 'queued'), 'unknown')) AS changes
      FROM (${due("id, workspace_id, state, type AS kind")}) WHERE kind IS NOT 'reaction'`,
      now,
    ),
    `UPDATE messages SET state = ${UNKNOWN}, next_attempt_at = NULL, error_code = '${RESTORED}', error_message = '${MESSAGE_ERROR}'
    WHERE id IN (SELECT id FROM (${due("id")}))`,
  ];
}

/**
 * Stops every campaign that could still send. It may have been sent after the restored time, even if it is a draft in
 * the restored database. Running campaigns are paused, and scheduled campaigns become drafts. All of these campaigns,
 * also drafts and paused ones, get a `last_error`, so that a person decides whether they continue. The cron settles
 * recipients that were claimed at the restored time.
 */
export function stopCampaigns({ at, now }: Restore): string[] {
  const stopped = `created_at <= ${at} AND (status IN ('running', 'scheduled')
    OR (status IN ('paused', 'draft') AND last_error IS NOT '${RESTORED}'))`;
  const next = "CASE status WHEN 'running' THEN 'paused' WHEN 'scheduled' THEN 'draft' ELSE status END";
  const type = "iif(status = 'running', 'campaign.paused', 'campaign.updated')";
  const error = `'last_error', json_array(last_error, '${RESTORED}')`;
  return [
    appendEvents(
      `SELECT workspace_id, ${type} AS type, id, iif(status IN ('running', 'scheduled'),
        json_object('status', json_array(status, ${next}), ${error}), json_object(${error})) AS changes
      FROM campaigns WHERE ${stopped}`,
      now,
    ),
    `UPDATE campaigns SET last_error = '${RESTORED}', wake_at = iif(status = 'scheduled', NULL, wake_at), status = ${next}
    WHERE ${stopped}`,
  ];
}

/**
 * Raises the version of each workspace's custom fields to the current time in seconds. Otherwise a version could repeat
 * after the restore, and an isolate that has cached the fields of the lost version would write with them.
 */
export function raiseFieldVersions({ now }: Pick<Restore, "now">): string[] {
  const seconds = Math.floor(now / 1000);
  return [`UPDATE contact_layouts SET version = ${seconds} WHERE version < ${seconds}`];
}

/**
 * Sets `start_after` of each webhook to the end of the restored log. A webhook uses `start_after` only if it has no
 * stored position. After an import into another account, no webhook has a position. Without this change, each webhook
 * would send all events of the last 30 days again.
 */
export function skipSentEvents({ at }: Restore): string[] {
  const restoredEnd = `(SELECT c.first + c.count - 1 FROM event_chunks c
    WHERE c.workspace_id = webhooks.workspace_id AND c.at <= ${at} ORDER BY c.first DESC LIMIT 1)`;
  return [`UPDATE webhooks SET start_after = max(start_after, coalesce(${restoredEnd}, start_after))`];
}
