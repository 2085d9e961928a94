ALTER TABLE `connections` ADD `unreachable_since` integer;--> statement-breakpoint
ALTER TABLE `connections` ADD `retest_at` integer;--> statement-breakpoint
CREATE INDEX `connections_to_retest` ON `connections` (`retest_at`) WHERE retest_at IS NOT NULL;