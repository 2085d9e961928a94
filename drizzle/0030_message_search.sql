CREATE TABLE `message_indexing` (
	`id` integer PRIMARY KEY NOT NULL,
	`before_id` text NOT NULL
);--> statement-breakpoint
-- The search index over what people and members wrote to each other. Its rowid is made of the message's id, so that neither needs a row
-- that leads to the other: ten characters of time, then the last four, which differ for ids of one millisecond. Column t holds the text,
-- which the tokenizer folds; column f two tokens of three characters: w + workspace, c + a hash of contact and connection.
CREATE VIRTUAL TABLE `message_search` USING fts5(t, f, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIEW `message_search_source` AS
SELECT
  id,
  ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 5, 1)) - 1) << 65) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 6, 1)) - 1) << 60) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 7, 1)) - 1) << 55) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 8, 1)) - 1) << 50) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 9, 1)) - 1) << 45) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 10, 1)) - 1) << 40) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 11, 1)) - 1) << 35) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 12, 1)) - 1) << 30) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 13, 1)) - 1) << 25) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 14, 1)) - 1) << 20)
    + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 27, 1)) - 1) << 15) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 28, 1)) - 1) << 10) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 29, 1)) - 1) << 5) + (instr('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 30, 1)) - 1) AS number,
  body AS t,
  'w' || char(19968 + (contact_seq >> 32) / 4096, 19968 + (contact_seq >> 32) % 4096)
    || 'c' || char(19968 + ((contact_seq % 4294967296 * 7368787 + unicode(substr(connection_id, -1)) * 10368889 + unicode(substr(connection_id, -2)) * 5462513) % 16777213) / 4096, 19968 + ((contact_seq % 4294967296 * 7368787 + unicode(substr(connection_id, -1)) * 10368889 + unicode(substr(connection_id, -2)) * 5462513) % 16777213) % 4096) AS f
FROM messages WHERE campaign_id IS NULL AND body <> '' AND type IS NOT 'reaction' AND revoked_at IS NULL;
--> statement-breakpoint
CREATE TRIGGER `messages_search_insert` AFTER INSERT ON `messages` WHEN new.campaign_id IS NULL BEGIN
  INSERT INTO message_search (rowid, t, f) SELECT number, t, f FROM message_search_source s WHERE s.id = new.id
    AND NOT EXISTS (SELECT 1 FROM message_search WHERE rowid = s.number);
END;
--> statement-breakpoint
CREATE TRIGGER `messages_search_update` AFTER UPDATE OF body, contact_seq ON `messages`
WHEN new.campaign_id IS NULL AND (old.body <> new.body OR old.contact_seq <> new.contact_seq)
BEGIN
  DELETE FROM message_search WHERE rowid = (((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 5, 1)) - 1) << 65) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 6, 1)) - 1) << 60) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 7, 1)) - 1) << 55) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 8, 1)) - 1) << 50) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 9, 1)) - 1) << 45) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 10, 1)) - 1) << 40) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 11, 1)) - 1) << 35) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 12, 1)) - 1) << 30) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 13, 1)) - 1) << 25) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 14, 1)) - 1) << 20)
    + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 27, 1)) - 1) << 15) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 28, 1)) - 1) << 10) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 29, 1)) - 1) << 5) + (instr('0123456789abcdefghjkmnpqrstvwxyz', substr(new.id, 30, 1)) - 1));
  INSERT INTO message_search (rowid, t, f) SELECT number, t, f FROM message_search_source WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `messages_search_delete` AFTER DELETE ON `messages` WHEN old.campaign_id IS NULL BEGIN
  DELETE FROM message_search WHERE rowid = (((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 5, 1)) - 1) << 65) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 6, 1)) - 1) << 60) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 7, 1)) - 1) << 55) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 8, 1)) - 1) << 50) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 9, 1)) - 1) << 45) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 10, 1)) - 1) << 40) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 11, 1)) - 1) << 35) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 12, 1)) - 1) << 30) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 13, 1)) - 1) << 25) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 14, 1)) - 1) << 20)
    + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 27, 1)) - 1) << 15) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 28, 1)) - 1) << 10) + ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 29, 1)) - 1) << 5) + (instr('0123456789abcdefghjkmnpqrstvwxyz', substr(old.id, 30, 1)) - 1));
END;
--> statement-breakpoint
-- Messages that are there already are indexed by the cron, newest first, a few at a time.
INSERT INTO `message_indexing` (`id`, `before_id`) SELECT 1, max(id) || '~' FROM messages HAVING max(id) IS NOT NULL;
