ALTER TABLE `conversations` ADD `wrote_from` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `wrote_from_key` text;