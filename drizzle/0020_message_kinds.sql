CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`mime_type` text,
	`bytes` integer,
	`sha256` text,
	`filename` text,
	`message_type` text,
	`source` text,
	`reason` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`fetch_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `media_by_workspace` ON `media` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `media_to_fetch` ON `media` (`fetch_at`) WHERE fetch_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_to_expire` ON `media` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `media_uploads` (
	`connection_id` text NOT NULL,
	`sha256` text NOT NULL,
	`mime_type` text NOT NULL,
	`workspace_id` text NOT NULL,
	`provider_media_id` text NOT NULL,
	`lapses_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `sha256`, `mime_type`)
);
--> statement-breakpoint
CREATE INDEX `media_uploads_by_age` ON `media_uploads` (`lapses_at`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `parts` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `type` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `content` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `reply_to_key` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `metadata` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `referral` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `is_forwarded` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `send_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `contact_reaction` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `contact_reaction_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `own_reaction` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `own_reaction_at` integer;--> statement-breakpoint
CREATE INDEX `messages_scheduled` ON `messages` (`send_at`) WHERE state = -1;--> statement-breakpoint
ALTER TABLE `tallies` ADD `cost` text;--> statement-breakpoint
ALTER TABLE `sandbox_deliveries` ADD `content` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `quality` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `rejection_reason` text;