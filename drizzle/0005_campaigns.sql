CREATE TABLE `campaigns` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`workspace_number` integer NOT NULL,
	`name` text NOT NULL,
	`template_id` text NOT NULL,
	`channel` text NOT NULL,
	`connection_id` text NOT NULL,
	`status` text NOT NULL,
	`last_error` text,
	`audience` text NOT NULL,
	`variables` text NOT NULL,
	`recipient_count` integer NOT NULL,
	`message_prefix` text,
	`top` integer,
	`cursor` integer,
	`expanded` integer DEFAULT 0 NOT NULL,
	`claimed` integer DEFAULT 0 NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`answered` integer DEFAULT 0 NOT NULL,
	`recent` text DEFAULT '' NOT NULL,
	`pace_at` integer DEFAULT 0 NOT NULL,
	`pace_now` integer DEFAULT 0 NOT NULL,
	`pace_before` integer DEFAULT 0 NOT NULL,
	`rest` text,
	`audience_ready_at` integer,
	`scheduled_at` integer,
	`send_before` integer,
	`started_at` integer,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`wake_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `campaigns_by_workspace` ON `campaigns` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_status` ON `campaigns` (`workspace_id`,`status`);--> statement-breakpoint
CREATE INDEX `campaigns_awake` ON `campaigns` (`wake_at`) WHERE wake_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `leases` (
	`campaign_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`holder` text NOT NULL,
	`lo` integer NOT NULL,
	`hi` integer NOT NULL,
	`retries` integer NOT NULL,
	`taken_at` integer NOT NULL,
	`settled_at` integer,
	PRIMARY KEY(`campaign_id`, `grant_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tallies` (
	`campaign_id` text PRIMARY KEY NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`read` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `messages` ADD `retry_at` integer;--> statement-breakpoint
CREATE INDEX `messages_retries` ON `messages` (`campaign_id`,`retry_at`) WHERE retry_at IS NOT NULL;