ALTER TABLE `contact_layouts` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP TRIGGER `custom_fields_layout_insert`;
--> statement-breakpoint
DROP TRIGGER `custom_fields_layout_update`;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_layout_insert` AFTER INSERT ON `custom_fields` BEGIN
  INSERT INTO contact_layouts (workspace_id, fields, version)
  SELECT new.workspace_id, json_group_array(json_object('number', number, 'key', field_key, 'type', type, 'removed', json(removed_options))), 1
  FROM custom_fields WHERE workspace_id = new.workspace_id AND deleted_at IS NULL
  ON CONFLICT (workspace_id) DO UPDATE SET fields = excluded.fields, version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `custom_fields_layout_update` AFTER UPDATE ON `custom_fields` BEGIN
  INSERT INTO contact_layouts (workspace_id, fields, version)
  SELECT new.workspace_id, json_group_array(json_object('number', number, 'key', field_key, 'type', type, 'removed', json(removed_options))), 1
  FROM custom_fields WHERE workspace_id = new.workspace_id AND deleted_at IS NULL
  ON CONFLICT (workspace_id) DO UPDATE SET fields = excluded.fields, version = version + 1;
END;
