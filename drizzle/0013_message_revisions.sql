CREATE TABLE `message_revisions` (
	`connection_id` text NOT NULL,
	`provider_key` text NOT NULL,
	`revision_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`from_contact` integer NOT NULL,
	`address` text,
	`phone_key` text,
	`body` text,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `provider_key`, `revision_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `message_revisions_by_age` ON `message_revisions` (`created_at`);--> statement-breakpoint
CREATE TABLE `message_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`message_id` text NOT NULL,
	`written_at` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_versions_of_message` ON `message_versions` (`message_id`,`written_at`,`id`);--> statement-breakpoint
ALTER TABLE `conversations` ADD `wrote_from` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `wrote_from_key` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `revoked_at` integer;