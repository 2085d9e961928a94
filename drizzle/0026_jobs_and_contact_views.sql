CREATE TABLE `contact_views` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_views_by_workspace` ON `contact_views` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`workspace_number` integer NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`change` text NOT NULL,
	`actor` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`cursor` integer NOT NULL,
	`total` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_by_workspace` ON `jobs` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`workspace_id`,`id`) WHERE status = 'running';