CREATE TABLE `contact_snapshots` (
	`workspace_id` text NOT NULL,
	`contact_seq` integer NOT NULL,
	`type` text NOT NULL,
	`before` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `contact_seq`, `type`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Whether contacts are opted out is told by events, whatever changes it. Inserting an opt-out key here, before the change, keeps how
-- it was for the contacts that have the key; the batch compares that with how it is at its end.
CREATE VIEW `contact_flag_snapshots` AS SELECT NULL AS workspace_id, NULL AS key WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER `contact_flag_snapshots_insert` INSTEAD OF INSERT ON `contact_flag_snapshots` BEGIN
  INSERT INTO contact_snapshots (workspace_id, contact_seq, type, before)
  SELECT c.workspace_id, c.seq, 'flags', json_object(
    'is_unsubscribed', json(iif(EXISTS (SELECT 1 FROM suppressions s WHERE s.workspace_id = c.workspace_id AND s.key = c.id)
      OR EXISTS (SELECT 1 FROM suppressions s WHERE s.workspace_id = c.workspace_id AND s.key = c.phone_key), 'true', 'false')),
    'marketing_opt_out', json(iif(EXISTS (SELECT 1 FROM marketing_suppressions s WHERE s.workspace_id = c.workspace_id AND s.key = c.id)
      OR EXISTS (SELECT 1 FROM marketing_suppressions s WHERE s.workspace_id = c.workspace_id AND s.key = c.phone_key), 'true', 'false')))
  FROM contacts c WHERE c.workspace_id = new.workspace_id AND c.seq IN (
    SELECT seq FROM contacts WHERE id = new.key
    UNION ALL SELECT seq FROM contacts WHERE workspace_id = new.workspace_id AND phone_key = new.key AND archived_at IS NULL
    UNION ALL SELECT seq FROM contacts WHERE workspace_id = new.workspace_id AND phone_key = new.key AND archived_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `suppressions_insert` BEFORE INSERT ON `suppressions`
WHEN NOT EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = new.workspace_id AND key = new.key)
BEGIN
  INSERT INTO contact_flag_snapshots (workspace_id, key) VALUES (new.workspace_id, new.key);
END;
--> statement-breakpoint
CREATE TRIGGER `suppressions_delete` BEFORE DELETE ON `suppressions` BEGIN
  INSERT INTO contact_flag_snapshots (workspace_id, key) VALUES (old.workspace_id, old.key);
END;
--> statement-breakpoint
CREATE TRIGGER `marketing_suppressions_insert` BEFORE INSERT ON `marketing_suppressions`
WHEN NOT EXISTS (SELECT 1 FROM marketing_suppressions WHERE workspace_id = new.workspace_id AND key = new.key)
BEGIN
  INSERT INTO contact_flag_snapshots (workspace_id, key) VALUES (new.workspace_id, new.key);
END;
--> statement-breakpoint
CREATE TRIGGER `marketing_suppressions_delete` BEFORE DELETE ON `marketing_suppressions` BEGIN
  INSERT INTO contact_flag_snapshots (workspace_id, key) VALUES (old.workspace_id, old.key);
END;
--> statement-breakpoint
CREATE TRIGGER `contacts_flags_phone` BEFORE UPDATE OF `phone_key` ON `contacts`
WHEN new.phone_key IS NOT old.phone_key AND (
  EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = old.workspace_id AND key = old.phone_key)
  OR EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = old.workspace_id AND key = new.phone_key)
  OR EXISTS (SELECT 1 FROM marketing_suppressions WHERE workspace_id = old.workspace_id AND key = old.phone_key)
  OR EXISTS (SELECT 1 FROM marketing_suppressions WHERE workspace_id = old.workspace_id AND key = new.phone_key))
BEGIN
  INSERT INTO contact_flag_snapshots (workspace_id, key) VALUES (old.workspace_id, old.id);
END;
