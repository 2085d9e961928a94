ALTER TABLE `connections` ADD `template_sync_at` integer;--> statement-breakpoint
ALTER TABLE `connections` ADD `template_sync_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `connections_to_sync` ON `connections` (`template_sync_at`) WHERE template_sync_at IS NOT NULL;--> statement-breakpoint
UPDATE `connections` SET `template_sync_at` = 0 WHERE `channel` = 'official' AND `provider` <> 'sandbox' AND `deleted_at` IS NULL;
