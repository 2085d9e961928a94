ALTER TABLE `messages` ADD `author_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `is_test` integer;