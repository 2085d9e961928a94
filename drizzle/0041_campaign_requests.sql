ALTER TABLE `campaigns` ADD `request` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `revision` integer DEFAULT 1 NOT NULL;