ALTER TABLE `tallies` ADD `timeline` text;--> statement-breakpoint
ALTER TABLE `tallies` ADD `reasons` text;