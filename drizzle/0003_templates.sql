CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`connection_id` text,
	`provider_id` text,
	`language` text,
	`category` text,
	`parameters` text,
	`components` text,
	`variables` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `templates_by_workspace` ON `templates` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_status` ON `templates` (`workspace_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_source` ON `templates` (`workspace_id`,`source`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_source_and_status` ON `templates` (`workspace_id`,`source`,`status`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `templates_local_name` ON `templates` (`workspace_id`,`name`) WHERE connection_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `templates_external_name` ON `templates` (`connection_id`,`name`,`language`) WHERE connection_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `template_form` text;