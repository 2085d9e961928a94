CREATE INDEX `cleanups_index` ON `cleanups` (`workspace_id`) WHERE kind = 'index';--> statement-breakpoint
-- Column f also holds one token, c + two digits, for each combination of status, source and one tag that the contact has, so that
-- any mix of filters is one list of the index. The combined tokens stand without spaces between: the index would hold those, too.
-- contacts.facets.ts has the same numbers.
DROP VIEW `contact_search_source`;
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
    || coalesce((SELECT ' ' || group_concat('t' || char(19968 + value / 4096, 19968 + value % 4096), ' ') FROM json_each(tags)), '')
    || ' ' || (
      SELECT group_concat('c' || char(19968 + number / 4096, 19968 + number % 4096), '') FROM (
        SELECT ((seq >> 32) * 7368787 + (archived_at IS NOT NULL) * 10368889 + s.part + o.part + t.part) % 16777213 AS number
        FROM (SELECT 0 AS part UNION ALL SELECT (unicode(status) * 128 + unicode(substr(status, 2))) * 5462513) s
        CROSS JOIN (SELECT 0 AS part UNION ALL
          SELECT ((unicode(folded ->> 'source_token') - 19968) * 4096 + unicode(substr(folded ->> 'source_token', 2)) - 19968) * 11400713
          WHERE folded ->> 'source_token' IS NOT NULL) o
        CROSS JOIN (SELECT 0 AS part UNION ALL SELECT value * 9369319 FROM json_each(tags)) t
        WHERE s.part + o.part + t.part > 0)) AS f
FROM contacts;
--> statement-breakpoint
-- Contacts that are there already get the new tokens from the cron, a few at a time: the first contact of each workspace tells which
-- there are, found by the key.
INSERT INTO `cleanups` (`workspace_id`, `kind`, `number`)
WITH RECURSIVE first (seq) AS (
  SELECT min(seq) FROM contacts
  UNION ALL
  SELECT (SELECT min(c.seq) FROM contacts c WHERE c.seq >= ((first.seq >> 32) + 1) << 32) FROM first WHERE first.seq IS NOT NULL)
SELECT c.workspace_id, 'index', 0 FROM first CROSS JOIN contacts c ON c.seq = first.seq;
