-- A report that names a message by the provider's id alone is looked up by the person's number (messages/store-reported-keys.sql.ts).
-- Messages to a number that its contact gives up are found by their key from then on. Providers report within 30 days.
CREATE TRIGGER `contacts_former_number` AFTER UPDATE OF `phone_key` ON `contacts`
WHEN OLD.`phone_key` IS NOT NULL AND NEW.`phone_key` IS NOT OLD.`phone_key`
BEGIN
	UPDATE OR IGNORE `messages` SET `provider_key` = `provider_message_id`
	WHERE `contact_seq` = NEW.`seq` AND `provider_key` IS NULL AND `provider_message_id` IS NOT NULL AND NOT `from_contact`
		AND `created_at` > NEW.`updated_at` - 2592000000
		AND `connection_id` IN (SELECT `id` FROM `connections` WHERE `workspace_id` = NEW.`workspace_id` AND `provider` = 'whatsapp_cloud');
END;
