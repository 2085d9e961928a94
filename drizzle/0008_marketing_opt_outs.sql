CREATE TABLE `marketing_choices` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`chosen_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `marketing_suppressions` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`opted_out_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;
