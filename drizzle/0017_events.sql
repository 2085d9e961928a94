CREATE TABLE `event_chunks` (
	`workspace_id` text NOT NULL,
	`first` integer NOT NULL,
	`count` integer NOT NULL,
	`at` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`body` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `first`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_listeners` (
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `kind`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`changes` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_outbox_by_workspace` ON `event_outbox` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `event_outbox_done` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_outbox_done_by_age` ON `event_outbox_done` (`at`);