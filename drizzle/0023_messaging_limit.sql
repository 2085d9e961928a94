ALTER TABLE `connections` ADD `messaging_limit` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `messaging_limit_at` integer;