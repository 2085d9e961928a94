CREATE TABLE `statistics_cursors` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`next` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `statistics_days` (
	`workspace_id` text NOT NULL,
	`day` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `day`)
);
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `steps_hidden_at` integer;