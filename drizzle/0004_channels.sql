CREATE TABLE `early_statuses` (
	`connection_id` text NOT NULL,
	`provider_key` text NOT NULL,
	`workspace_id` text NOT NULL,
	`provider_message_id` text NOT NULL,
	`state` integer NOT NULL,
	`sent_at` integer,
	`delivered_at` integer,
	`read_at` integer,
	`failed_at` integer,
	`error_code` text,
	`error_message` text,
	`provider_code` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `provider_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `early_statuses_by_age` ON `early_statuses` (`created_at`);--> statement-breakpoint
ALTER TABLE `connections` ADD `status_at` integer;--> statement-breakpoint
CREATE INDEX `dead_letters_latest` ON `dead_letters` (`workspace_id`,`created_at`,`id`);