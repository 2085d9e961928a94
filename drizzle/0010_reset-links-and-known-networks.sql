CREATE TABLE `reset_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`made_by` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reset_links_by_user` ON `reset_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `reset_links_by_end` ON `reset_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_networks` (
	`user_id` text NOT NULL,
	`network` text NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `network`)
);
--> statement-breakpoint
CREATE INDEX `sign_in_networks_by_age` ON `sign_in_networks` (`last_at`);--> statement-breakpoint
DROP INDEX `users_email_unique`;--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);