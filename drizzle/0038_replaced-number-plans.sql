-- Numbers of Benin and Ivory Coast from before their plans were replaced get the keys of the new spelling (src/shared/phone.ts).
-- Opt-outs by the old keys stay beside the new ones. A contact whose new key another one has keeps its own.
INSERT OR IGNORE INTO suppressions (workspace_id, key, opted_out_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_out_at
FROM suppressions WHERE key GLOB '+229????????' OR key GLOB '+225????????';
--> statement-breakpoint
INSERT OR IGNORE INTO opt_ins (workspace_id, key, opted_in_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_in_at
FROM opt_ins WHERE key GLOB '+229????????' OR key GLOB '+225????????';
--> statement-breakpoint
INSERT OR IGNORE INTO marketing_suppressions (workspace_id, key, opted_out_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, opted_out_at
FROM marketing_suppressions WHERE key GLOB '+229????????' OR key GLOB '+225????????';
--> statement-breakpoint
INSERT OR IGNORE INTO marketing_choices (workspace_id, key, chosen_at)
SELECT workspace_id, CASE
  WHEN key GLOB '+229*' THEN '+22901' || substr(key, 5)
  WHEN key GLOB '+2250[1-3]*' OR key GLOB '+225[457][0-3]*' THEN '+22501' || substr(key, 5)
  WHEN key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(key, 5)
  WHEN key GLOB '+225[04-8][7-9]*' OR key GLOB '+2259[78]*' THEN '+22507' || substr(key, 5)
  ELSE key END, chosen_at
FROM marketing_choices WHERE key GLOB '+229????????' OR key GLOB '+225????????';
--> statement-breakpoint
UPDATE OR IGNORE contacts SET phone_key = CASE
  WHEN phone_key GLOB '+229*' THEN '+22901' || substr(phone_key, 5)
  WHEN phone_key GLOB '+2250[1-3]*' OR phone_key GLOB '+225[457][0-3]*' THEN '+22501' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-9][4-6]*' THEN '+22505' || substr(phone_key, 5)
  WHEN phone_key GLOB '+225[04-8][7-9]*' OR phone_key GLOB '+2259[78]*' THEN '+22507' || substr(phone_key, 5)
  ELSE phone_key END
WHERE phone_key GLOB '+229????????' OR phone_key GLOB '+225????????';
--> statement-breakpoint
-- Triggers on opt-outs noted contacts for events. Their state has not changed, so there are none.
DELETE FROM contact_snapshots;
