CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`author_type` text NOT NULL,
	`author_id` text NOT NULL,
	`body` text NOT NULL,
	`mentions` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notes_by_conversation` ON `notes` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `canned_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`shortcut` text NOT NULL,
	`shortcut_key` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `canned_replies_by_workspace` ON `canned_replies` (`workspace_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `canned_replies_by_shortcut` ON `canned_replies` (`workspace_id`,`shortcut_key`);--> statement-breakpoint
ALTER TABLE `contacts` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `segments` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `revision` integer DEFAULT 1 NOT NULL;