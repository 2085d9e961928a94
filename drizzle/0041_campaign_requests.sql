ALTER TABLE `campaigns` ADD `request` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `campaigns_changed_by_earlier_version`
AFTER UPDATE OF `template_id`, `channel`, `name`, `variables`, `parts` ON `campaigns`
WHEN new.`request` IS old.`request` AND old.`request` IS NOT NULL
  AND (new.`template_id`, new.`channel`, new.`name`, new.`variables`, new.`parts`)
    IS NOT (old.`template_id`, old.`channel`, old.`name`, old.`variables`, old.`parts`)
BEGIN
  UPDATE `campaigns` SET `request` = NULL, `revision` = `revision` + 1 WHERE `id` = new.`id`;
END;
