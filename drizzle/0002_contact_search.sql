-- The search index over contacts. Column t holds folded text, each field and word begun by two U+0002 (written by
-- contacts.folding.ts); column f holds one three-character token a facet, numbers as two digits to base 4096 from U+4E00:
-- l or x (archived) + workspace, s + status, o + source, t + tag. Triggers keep it, so that it cannot drift.
CREATE VIRTUAL TABLE `contact_search` USING fts5(t, f, content='', contentless_delete=1, tokenize='trigram');
--> statement-breakpoint
CREATE VIEW `contact_search_source` AS
SELECT
  seq,
  coalesce(char(2, 2) || substr(phone, 2), '')
    || coalesce(char(2, 2) || (folded ->> 'name') || (folded ->> 'name_words'), '')
    || coalesce(char(2, 2) || (folded ->> 'email') || (folded ->> 'email_words'), '')
    || coalesce(char(2, 2) || (folded ->> 'company') || (folded ->> 'company_words'), '') AS t,
  iif(archived_at IS NULL, 'l', 'x') || char(19968 + (seq >> 32) / 4096, 19968 + (seq >> 32) % 4096)
    || ' s' || substr(status, 1, 2)
    || coalesce(' o' || (folded ->> 'source_token'), '')
    || coalesce((SELECT ' ' || group_concat('t' || char(19968 + value / 4096, 19968 + value % 4096), ' ') FROM json_each(tags)), '') AS f
FROM contacts;
--> statement-breakpoint
CREATE TRIGGER `contacts_search_insert` AFTER INSERT ON `contacts` BEGIN
  INSERT INTO contact_search (rowid, t, f) SELECT seq, t, f FROM contact_search_source WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `contacts_search_update` AFTER UPDATE OF phone, folded, archived_at, status, tags ON `contacts`
WHEN old.phone IS NOT new.phone OR old.folded <> new.folded OR old.status <> new.status OR old.tags <> new.tags
  OR (old.archived_at IS NULL) <> (new.archived_at IS NULL)
BEGIN
  -- Not INSERT OR REPLACE: the conflict rule of the statement that fires a trigger overrides the trigger's own.
  DELETE FROM contact_search WHERE rowid = new.seq;
  INSERT INTO contact_search (rowid, t, f) SELECT seq, t, f FROM contact_search_source WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `contacts_search_delete` AFTER DELETE ON `contacts` BEGIN
  DELETE FROM contact_search WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_layout_insert` AFTER INSERT ON `custom_fields` BEGIN
  DELETE FROM contact_layouts WHERE workspace_id = new.workspace_id;
  INSERT INTO contact_layouts (workspace_id, fields)
  SELECT new.workspace_id, json_group_array(json_object('number', number, 'key', field_key, 'type', type, 'removed', json(removed_options)))
  FROM custom_fields WHERE workspace_id = new.workspace_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_layout_update` AFTER UPDATE ON `custom_fields` BEGIN
  DELETE FROM contact_layouts WHERE workspace_id = new.workspace_id;
  INSERT INTO contact_layouts (workspace_id, fields)
  SELECT new.workspace_id, json_group_array(json_object('number', number, 'key', field_key, 'type', type, 'removed', json(removed_options)))
  FROM custom_fields WHERE workspace_id = new.workspace_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_cleanup` AFTER UPDATE OF deleted_at ON `tags`
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL
BEGIN
  INSERT INTO cleanups (workspace_id, kind, number) VALUES (new.workspace_id, 'tag', new.number);
END;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_cleanup` AFTER UPDATE OF deleted_at ON `custom_fields`
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL
BEGIN
  INSERT INTO cleanups (workspace_id, kind, number) VALUES (new.workspace_id, 'field', new.number);
END;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_options_cleanup` AFTER UPDATE OF removed_options ON `custom_fields`
WHEN old.removed_options <> new.removed_options
BEGIN
  INSERT INTO cleanups (workspace_id, kind, number, options)
  SELECT new.workspace_id, 'option', new.number, json_group_array(value) FROM json_each(new.removed_options)
  WHERE value NOT IN (SELECT value FROM json_each(old.removed_options)) HAVING count(*) > 0;
END;
--> statement-breakpoint
CREATE TRIGGER `cleanups_options_done` AFTER DELETE ON `cleanups` WHEN old.kind = 'option' BEGIN
  UPDATE custom_fields SET removed_options = (
    SELECT json_group_array(value) FROM json_each(custom_fields.removed_options)
    WHERE value NOT IN (SELECT value FROM json_each(old.options)))
  WHERE workspace_id = old.workspace_id AND number = old.number;
END;
