// After a restore, a shard no longer knows which messages were sent after the restored time. These statements
// keep them from being sent again. They are pure SQL, because the commands that use them cannot load the
// Worker's code.

interface Restore {
  /**
   * `at`: rows that were created before this time were restored. `now`: the current time. Both in ms since the
   * epoch.
   */
  at: number;
  now: number;
}

/** Stored as `last_error` of a campaign, and as the error code of a message. */
const RESTORED = "restored";
const MESSAGE_ERROR = "The database was restored to an earlier time. The message may have been sent after that time.";

/** Messages per transaction. Their events are one row of the log, and a row has a maximum size. */
export const MAX_MESSAGES = 5000;

// The states of messages, as in src/features/messages/messages.states.ts.
const [SCHEDULED, QUEUED, CLAIMED, UNKNOWN] = [-1, 0, 1, 2];

/**
 * Appends events to the log. `changed` is a SELECT of `workspace_id`, `type`, `id` and `changes`. Uses the time
 * of the last row if it is later than now, because times in the log must never decrease.
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
 * If a direct message was due at or after the restored time, it may have been sent, so its state becomes
 * `unknown`. Repeat the statements until the last one changes no row.
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
 * Marks every campaign that could still send, because after the restored time it may have been started, resumed
 * or moved to an earlier time. Running campaigns are paused and scheduled campaigns become drafts, so that a
 * person decides whether they continue. The cron settles the recipients of open leases.
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
 * Webhooks start at the end of the restored log. Only webhooks without a stored position use this start. In
 * another account, all webhooks are without a position, and without this start they would send the log of 30
 * days again.
 */
export function skipSentEvents({ at }: Restore): string[] {
  const restoredEnd = `(SELECT c.first + c.count - 1 FROM event_chunks c
    WHERE c.workspace_id = webhooks.workspace_id AND c.at <= ${at} ORDER BY c.first DESC LIMIT 1)`;
  return [`UPDATE webhooks SET start_after = max(start_after, coalesce(${restoredEnd}, start_after))`];
}
