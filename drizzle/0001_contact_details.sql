CREATE TABLE `cleanups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`options` text DEFAULT '[]' NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contact_layouts` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`fields` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`workspace_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`field_key` text NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`options` text NOT NULL,
	`removed_options` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_id_unique` ON `custom_fields` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_by_key` ON `custom_fields` (`workspace_id`,`field_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `custom_fields_live` ON `custom_fields` (`workspace_id`,`number`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `segments_by_workspace` ON `segments` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `tags` (
	`workspace_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_id_unique` ON `tags` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_by_name` ON `tags` (`workspace_id`,`name_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `tags_live` ON `tags` (`workspace_id`,`number`) WHERE deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `custom_fields` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `folded` text DEFAULT '{}' NOT NULL;