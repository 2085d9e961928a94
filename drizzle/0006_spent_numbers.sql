CREATE TABLE `spent_numbers` (
	`campaign_id` text NOT NULL,
	`phone_key` text NOT NULL,
	`contact_seq` integer NOT NULL,
	PRIMARY KEY(`campaign_id`, `phone_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `contacts_spent_number` AFTER UPDATE OF phone_key, archived_at ON `contacts`
WHEN old.phone_key IS NOT NULL AND old.archived_at IS NULL AND (new.phone_key IS NOT old.phone_key OR new.archived_at IS NOT NULL)
BEGIN
  INSERT INTO spent_numbers (campaign_id, phone_key, contact_seq)
  SELECT p.id, old.phone_key, old.seq FROM campaigns p
  CROSS JOIN messages m ON m.contact_seq = old.seq AND m.connection_id = p.connection_id
    AND m.id >= p.message_prefix AND m.id < p.message_prefix || ':'
  WHERE p.workspace_id = old.workspace_id AND p.status IN ('running', 'paused')
    AND (m.state BETWEEN 1 AND 6 OR m.state = 0 AND m.retry_at IS NULL AND CAST(substr(m.id, -8) AS INTEGER) < p.claimed)
  ON CONFLICT DO NOTHING;
END;
