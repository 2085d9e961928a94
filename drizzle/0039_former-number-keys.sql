-- Completes 0038: the other columns that hold keys of numbers.
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
