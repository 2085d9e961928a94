-- Completes 0038: keys that other tables hold, and the operators of Ivory Coast by their published first digits (src/shared/phone.ts).
-- Opt-outs by the old keys stay beside the new ones.
INSERT OR IGNORE INTO suppressions (workspace_id, key, opted_out_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_out_at
FROM suppressions WHERE (key GLOB '+229????????' OR key GLOB '+225????????');
--> statement-breakpoint
INSERT OR IGNORE INTO opt_ins (workspace_id, key, opted_in_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_in_at
FROM opt_ins WHERE (key GLOB '+229????????' OR key GLOB '+225????????');
--> statement-breakpoint
INSERT OR IGNORE INTO marketing_suppressions (workspace_id, key, opted_out_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_out_at
FROM marketing_suppressions WHERE (key GLOB '+229????????' OR key GLOB '+225????????');
--> statement-breakpoint
INSERT OR IGNORE INTO marketing_choices (workspace_id, key, chosen_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, chosen_at
FROM marketing_choices WHERE (key GLOB '+229????????' OR key GLOB '+225????????');
--> statement-breakpoint
-- Look-ups read both keys of a contact whose new key another one has.
UPDATE OR IGNORE contacts SET phone_key = CASE
  WHEN phone GLOB '+229*' THEN '+22901' || substr(phone, 5)
  WHEN phone GLOB '+2250[1-3]*' OR phone GLOB '+225[457][0-3]*' THEN '+22501' || substr(phone, 5)
  WHEN phone GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(phone, 5)
  WHEN phone GLOB '+225[04-8][7-9]*' OR phone GLOB '+2259[78]*' THEN '+22507' || substr(phone, 5)
  ELSE phone END
WHERE (phone GLOB '+229????????' OR phone GLOB '+225????????') AND phone_key IS NOT CASE
  WHEN phone GLOB '+229*' THEN '+22901' || substr(phone, 5)
  WHEN phone GLOB '+2250[1-3]*' OR phone GLOB '+225[457][0-3]*' THEN '+22501' || substr(phone, 5)
  WHEN phone GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(phone, 5)
  WHEN phone GLOB '+225[04-8][7-9]*' OR phone GLOB '+2259[78]*' THEN '+22507' || substr(phone, 5)
  ELSE phone END;
--> statement-breakpoint
UPDATE OR IGNORE conversations SET wrote_from_key = CASE
  WHEN wrote_from_key GLOB '+229*' THEN '+22901' || substr(wrote_from_key, 5)
  WHEN wrote_from_key GLOB '+2250[1-3]*' OR wrote_from_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(wrote_from_key, 5)
  WHEN wrote_from_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(wrote_from_key, 5)
  WHEN wrote_from_key GLOB '+225[04-8][7-9]*' OR wrote_from_key GLOB '+2259[78]*' THEN '+22507' || substr(wrote_from_key, 5)
  ELSE wrote_from_key END
WHERE (wrote_from_key GLOB '+229????????' OR wrote_from_key GLOB '+225????????');
--> statement-breakpoint
UPDATE OR IGNORE number_changes SET from_phone_key = CASE
  WHEN from_phone_key GLOB '+229*' THEN '+22901' || substr(from_phone_key, 5)
  WHEN from_phone_key GLOB '+2250[1-3]*' OR from_phone_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(from_phone_key, 5)
  WHEN from_phone_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(from_phone_key, 5)
  WHEN from_phone_key GLOB '+225[04-8][7-9]*' OR from_phone_key GLOB '+2259[78]*' THEN '+22507' || substr(from_phone_key, 5)
  ELSE from_phone_key END
WHERE (from_phone_key GLOB '+229????????' OR from_phone_key GLOB '+225????????');
--> statement-breakpoint
UPDATE OR IGNORE number_changes SET to_phone_key = CASE
  WHEN to_phone_key GLOB '+229*' THEN '+22901' || substr(to_phone_key, 5)
  WHEN to_phone_key GLOB '+2250[1-3]*' OR to_phone_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(to_phone_key, 5)
  WHEN to_phone_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(to_phone_key, 5)
  WHEN to_phone_key GLOB '+225[04-8][7-9]*' OR to_phone_key GLOB '+2259[78]*' THEN '+22507' || substr(to_phone_key, 5)
  ELSE to_phone_key END
WHERE (to_phone_key GLOB '+229????????' OR to_phone_key GLOB '+225????????');
--> statement-breakpoint
UPDATE OR IGNORE message_revisions SET phone_key = CASE
  WHEN phone_key GLOB '+229*' THEN '+22901' || substr(phone_key, 5)
  WHEN phone_key GLOB '+2250[1-3]*' OR phone_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-8][7-9]*' OR phone_key GLOB '+2259[78]*' THEN '+22507' || substr(phone_key, 5)
  ELSE phone_key END
WHERE (phone_key GLOB '+229????????' OR phone_key GLOB '+225????????');
--> statement-breakpoint
UPDATE OR IGNORE spent_numbers SET phone_key = CASE
  WHEN phone_key GLOB '+229*' THEN '+22901' || substr(phone_key, 5)
  WHEN phone_key GLOB '+2250[1-3]*' OR phone_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-8][7-9]*' OR phone_key GLOB '+2259[78]*' THEN '+22507' || substr(phone_key, 5)
  ELSE phone_key END
WHERE (phone_key GLOB '+229????????' OR phone_key GLOB '+225????????');
--> statement-breakpoint
-- Triggers on opt-outs noted contacts for events. An upgrade is not an event.
DELETE FROM contact_snapshots;
