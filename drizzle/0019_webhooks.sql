CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`workspace_number` integer NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`types` text NOT NULL,
	`campaigns` text NOT NULL,
	`connection_ids` text,
	`batch` text,
	`secrets` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`start_after` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_workspace` ON `webhooks` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_by_status` ON `webhooks` (`status`);