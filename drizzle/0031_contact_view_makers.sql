ALTER TABLE `contact_views` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_views` ADD `created_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contact_views_by_name` ON `contact_views` (`workspace_id`,`name_key`);