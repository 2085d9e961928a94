CREATE TABLE `user_merges` (
	`into_id` text NOT NULL,
	`from_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`merged_at` integer NOT NULL,
	`notes_before` text DEFAULT '~' NOT NULL,
	`messages_before` text DEFAULT '~' NOT NULL,
	PRIMARY KEY(`into_id`, `from_id`, `workspace_id`)
);
--> statement-breakpoint
CREATE INDEX `user_merges_by_age` ON `user_merges` (`merged_at`);