CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`last_four` text NOT NULL,
	`read_only` integer NOT NULL,
	`requests` integer,
	`window_seconds` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_workspace` ON `api_keys` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `connection_shards` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`shard` integer NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_id_unique` ON `workspaces` (`id`);--> statement-breakpoint
CREATE TABLE `contact_identities` (
	`workspace_id` text NOT NULL,
	`provider` text NOT NULL,
	`external_id` text NOT NULL,
	`contact_seq` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `provider`, `external_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `contact_identities_by_contact` ON `contact_identities` (`contact_seq`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text,
	`phone` text,
	`phone_key` text,
	`email` text,
	`email_key` text,
	`company` text,
	`status` text DEFAULT 'new' NOT NULL,
	`lifecycle_stage` text DEFAULT 'lead' NOT NULL,
	`source` text DEFAULT 'api' NOT NULL,
	`address_as` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_id_unique` ON `contacts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_active_phone` ON `contacts` (`workspace_id`,`phone_key`) WHERE archived_at IS NULL AND phone_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_active_email` ON `contacts` (`workspace_id`,`email_key`) WHERE archived_at IS NULL AND email_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_archived_phone` ON `contacts` (`workspace_id`,`phone_key`,`archived_at`) WHERE archived_at IS NOT NULL AND phone_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_archived_email` ON `contacts` (`workspace_id`,`email_key`,`archived_at`) WHERE archived_at IS NOT NULL AND email_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `suppressions` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`opted_out_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`channel` text NOT NULL,
	`provider` text NOT NULL,
	`status` text NOT NULL,
	`status_detail` text,
	`is_default` integer NOT NULL,
	`messages_per_second` integer NOT NULL,
	`config` text NOT NULL,
	`secrets` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `connections_by_workspace` ON `connections` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_seq` integer NOT NULL,
	`connection_id` text NOT NULL,
	`channel` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`unread_count` integer DEFAULT 0 NOT NULL,
	`last_message` text NOT NULL,
	`last_message_at` integer NOT NULL,
	`last_message_id` text NOT NULL,
	`last_inbound_at` integer,
	`read_up_to` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_of_contact` ON `conversations` (`contact_seq`,`connection_id`);--> statement-breakpoint
CREATE INDEX `conversations_latest` ON `conversations` (`workspace_id`,`status`,`last_message_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_unread` ON `conversations` (`workspace_id`,`status`,`last_message_at`,`id`) WHERE unread_count > 0;--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_seq` integer NOT NULL,
	`connection_id` text NOT NULL,
	`campaign_id` text,
	`template_id` text,
	`from_contact` integer NOT NULL,
	`address` text NOT NULL,
	`body` text NOT NULL,
	`state` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_at` integer,
	`provider_message_id` text,
	`provider_key` text,
	`error_code` text,
	`error_message` text,
	`provider_code` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`delivered_at` integer,
	`read_at` integer,
	`failed_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `messages_history` ON `messages` (`contact_seq`,`connection_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_unsettled` ON `messages` (`contact_seq`,`connection_id`,`id`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_by_provider_key` ON `messages` (`connection_id`,`provider_key`) WHERE provider_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`queue` text NOT NULL,
	`reason` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_by_workspace` ON `dead_letters` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`day` integer NOT NULL,
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`operation` text NOT NULL,
	`fingerprint` text NOT NULL,
	`result` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`day`, `actor`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_deliveries` (
	`id` text NOT NULL,
	`connection_id` text NOT NULL,
	`message_id` text NOT NULL,
	`address` text NOT NULL,
	`body` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_deliveries_by_address` ON `sandbox_deliveries` (`connection_id`,`address`,`id`);