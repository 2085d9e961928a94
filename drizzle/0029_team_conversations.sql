CREATE TABLE `member_names` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`removed_at` integer,
	PRIMARY KEY(`workspace_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_names_removed` ON `member_names` (`removed_at`) WHERE removed_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conversation_labels` (
	`workspace_id` text NOT NULL,
	`label_key` text NOT NULL,
	`status` text NOT NULL,
	`last_message_at` integer NOT NULL,
	`conversation_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `label_key`, `status`, `last_message_at`, `conversation_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `conversations` ADD `assignee_id` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `snoozed_until` integer;--> statement-breakpoint
ALTER TABLE `conversations` ADD `labels` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `label_keys` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `waiting_since` integer;--> statement-breakpoint
CREATE INDEX `conversations_of_assignee` ON `conversations` (`workspace_id`,`status`,`assignee_id`,`last_message_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_snoozed` ON `conversations` (`snoozed_until`) WHERE snoozed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`workspace_id`,`waiting_since`) WHERE waiting_since IS NOT NULL;--> statement-breakpoint
-- Conversations without labels, most of them, pay nothing for these.
CREATE TRIGGER `conversations_labels_update` AFTER UPDATE OF label_keys, status, last_message_at ON `conversations`
WHEN (old.label_keys <> '[]' OR new.label_keys <> '[]')
  AND (old.label_keys <> new.label_keys OR old.status <> new.status OR old.last_message_at <> new.last_message_at)
BEGIN
  DELETE FROM conversation_labels WHERE workspace_id = old.workspace_id AND label_key IN (SELECT value FROM json_each(old.label_keys))
    AND status = old.status AND last_message_at = old.last_message_at AND conversation_id = old.id;
  INSERT INTO conversation_labels (workspace_id, label_key, status, last_message_at, conversation_id)
  SELECT new.workspace_id, value, new.status, new.last_message_at, new.id FROM json_each(new.label_keys);
END;
--> statement-breakpoint
CREATE TRIGGER `conversations_labels_delete` AFTER DELETE ON `conversations` WHEN old.label_keys <> '[]' BEGIN
  DELETE FROM conversation_labels WHERE workspace_id = old.workspace_id AND label_key IN (SELECT value FROM json_each(old.label_keys))
    AND status = old.status AND last_message_at = old.last_message_at AND conversation_id = old.id;
END;
--> statement-breakpoint
-- Those that wait already: when the first message came that nobody answered is not known, so the last one counts.
UPDATE `conversations` SET `waiting_since` = `last_inbound_at` WHERE `status` = 'open' AND `last_inbound_at` >= `last_message_at`;
