CREATE TABLE `contact_joins` (
	`from_seq` integer PRIMARY KEY NOT NULL,
	`from_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`into_seq` integer NOT NULL,
	`joined_at` integer NOT NULL,
	`moved_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_joins_from_id_unique` ON `contact_joins` (`from_id`);--> statement-breakpoint
CREATE INDEX `contact_joins_into` ON `contact_joins` (`into_seq`);--> statement-breakpoint
CREATE INDEX `contact_joins_pending` ON `contact_joins` (`into_seq`) WHERE moved_at IS NULL;--> statement-breakpoint
CREATE TABLE `number_changes` (
	`connection_id` text NOT NULL,
	`provider_message_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`from_phone_key` text,
	`to_phone` text,
	`to_phone_key` text,
	`contact_seq` integer,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `provider_message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `number_changes_by_phone` ON `number_changes` (`workspace_id`,`from_phone_key`,`changed_at`) WHERE from_phone_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conversation_joins` (
	`from_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`into_id` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `conversation_joins_into` ON `conversation_joins` (`into_id`);--> statement-breakpoint
ALTER TABLE `contact_identities` ADD `connection_id` text;--> statement-breakpoint
ALTER TABLE `contact_identities` ADD `username` text;--> statement-breakpoint
ALTER TABLE `contact_identities` ADD `replaced_at` integer;--> statement-breakpoint
ALTER TABLE `contact_identities` ADD `claimed_by` integer;--> statement-breakpoint
CREATE INDEX `contact_identities_claimed` ON `contact_identities` (`claimed_by`) WHERE claimed_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `early_statuses` ADD `billable` integer;--> statement-breakpoint
ALTER TABLE `early_statuses` ADD `price_category` text;--> statement-breakpoint
ALTER TABLE `early_statuses` ADD `price_type` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `billable` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `price_category` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `price_type` text;
--> statement-breakpoint
-- The keys of one person say the same of opt-outs. Inserting a JSON list of keys here gives the latest opt-out, and the latest
-- choice about marketing, under any of them to all of them.
CREATE VIEW `opt_out_keys` AS SELECT NULL AS workspace_id, NULL AS keys WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER `opt_out_keys_insert` INSTEAD OF INSERT ON `opt_out_keys` BEGIN
  INSERT INTO suppressions (workspace_id, key, opted_out_at)
  SELECT new.workspace_id, e.value, latest.at
  FROM (SELECT max(s.opted_out_at) AS at FROM json_each(new.keys) k
    CROSS JOIN suppressions s ON s.workspace_id = new.workspace_id AND s.key = k.value) latest
  CROSS JOIN json_each(new.keys) e WHERE latest.at IS NOT NULL
  ON CONFLICT (workspace_id, key) DO UPDATE SET opted_out_at = excluded.opted_out_at WHERE excluded.opted_out_at > opted_out_at;
  INSERT INTO marketing_suppressions (workspace_id, key, opted_out_at)
  SELECT new.workspace_id, e.value, latest.at
  FROM (SELECT max(s.opted_out_at) AS at FROM json_each(new.keys) k
    CROSS JOIN marketing_suppressions s ON s.workspace_id = new.workspace_id AND s.key = k.value) latest
  CROSS JOIN json_each(new.keys) e WHERE latest.at IS NOT NULL
  ON CONFLICT (workspace_id, key) DO UPDATE SET opted_out_at = excluded.opted_out_at WHERE excluded.opted_out_at > opted_out_at;
  INSERT INTO marketing_choices (workspace_id, key, chosen_at)
  SELECT new.workspace_id, e.value, latest.at
  FROM (SELECT max(s.chosen_at) AS at FROM json_each(new.keys) k
    CROSS JOIN marketing_choices s ON s.workspace_id = new.workspace_id AND s.key = k.value) latest
  CROSS JOIN json_each(new.keys) e WHERE latest.at IS NOT NULL
  ON CONFLICT (workspace_id, key) DO UPDATE SET chosen_at = excluded.chosen_at WHERE excluded.chosen_at > chosen_at;
END;
--> statement-breakpoint
-- The same for a contact by its number: its id, phone key and identities; with `other` set, those of both as one person's.
CREATE VIEW `opt_out_spread` AS SELECT NULL AS seq, NULL AS other WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER `opt_out_spread_insert` INSTEAD OF INSERT ON `opt_out_spread` BEGIN
  INSERT INTO opt_out_keys (workspace_id, keys)
  SELECT max(workspace_id), json_group_array(key) FROM (
    SELECT workspace_id, id AS key FROM contacts WHERE seq IN (new.seq, new.other)
    UNION ALL SELECT workspace_id, phone_key FROM contacts WHERE seq IN (new.seq, new.other) AND phone_key IS NOT NULL
    UNION ALL SELECT workspace_id, provider || ':' || external_id FROM contact_identities WHERE contact_seq IN (new.seq, new.other));
END;
--> statement-breakpoint
CREATE TRIGGER `contacts_opt_out_insert` AFTER INSERT ON `contacts`
WHEN new.phone_key IS NOT NULL AND (
  EXISTS (SELECT 1 FROM suppressions WHERE workspace_id = new.workspace_id AND key = new.phone_key)
  OR EXISTS (SELECT 1 FROM marketing_choices WHERE workspace_id = new.workspace_id AND key = new.phone_key))
BEGIN
  INSERT INTO opt_out_spread (seq) VALUES (new.seq);
END;
--> statement-breakpoint
CREATE TRIGGER `contacts_opt_out_phone` AFTER UPDATE OF phone_key ON `contacts`
WHEN new.phone_key IS NOT NULL AND new.phone_key IS NOT old.phone_key
BEGIN
  INSERT INTO opt_out_spread (seq) VALUES (new.seq);
END;
--> statement-breakpoint
CREATE TRIGGER `contact_identities_opt_out_insert` AFTER INSERT ON `contact_identities` BEGIN
  INSERT INTO opt_out_spread (seq) VALUES (new.contact_seq);
END;
--> statement-breakpoint
CREATE TRIGGER `contact_identities_opt_out_update` AFTER UPDATE OF contact_seq, claimed_by ON `contact_identities`
WHEN new.contact_seq <> old.contact_seq OR new.claimed_by IS NOT old.claimed_by
BEGIN
  INSERT INTO opt_out_spread (seq, other) VALUES (new.contact_seq, new.claimed_by);
END;
--> statement-breakpoint
-- Identities had no keys of their own before, and numbers none from their contacts.
INSERT INTO opt_out_spread (seq)
SELECT c.seq FROM suppressions s CROSS JOIN contacts c ON c.workspace_id = s.workspace_id AND c.phone_key = s.key AND c.archived_at IS NULL
UNION SELECT c.seq FROM suppressions s CROSS JOIN contacts c ON c.id = s.key AND c.workspace_id = s.workspace_id
UNION SELECT c.seq FROM marketing_choices s CROSS JOIN contacts c ON c.workspace_id = s.workspace_id AND c.phone_key = s.key AND c.archived_at IS NULL
UNION SELECT c.seq FROM marketing_choices s CROSS JOIN contacts c ON c.id = s.key AND c.workspace_id = s.workspace_id;
