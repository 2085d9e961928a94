CREATE TABLE `opt_ins` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`opted_in_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `number_changes` ADD `from_user_key` text;--> statement-breakpoint
ALTER TABLE `number_changes` ADD `to_user_id` text;--> statement-breakpoint
CREATE INDEX `number_changes_by_user_id` ON `number_changes` (`workspace_id`,`from_user_key`,`changed_at`) WHERE from_user_key IS NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `claim_token` text;