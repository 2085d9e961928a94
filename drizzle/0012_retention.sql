CREATE INDEX `invitations_by_end` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE INDEX `dead_letters_by_age` ON `dead_letters` (`created_at`);--> statement-breakpoint
CREATE INDEX `sandbox_deliveries_by_age` ON `sandbox_deliveries` (`at`);