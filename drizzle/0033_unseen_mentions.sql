CREATE TABLE `unseen_mentions` (
	`workspace_id` text NOT NULL,
	`member_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	PRIMARY KEY(`conversation_id`, `member_id`)
);
--> statement-breakpoint
CREATE INDEX `unseen_mentions_of_member` ON `unseen_mentions` (`workspace_id`,`member_id`,`conversation_id`);