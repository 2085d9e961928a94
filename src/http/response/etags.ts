import * as z from "zod";

const MAX_TAGS = 50;

/** Accepts `3` like `"3"`, although RFC 9110 requires the quotes. */
const TAG = /(?:W\/)?(?:"([\x21\x23-\x7e\x80-\xff]*)"|([0-9]+))/g;
const LIST = /^\s*t(?:\s*,\s*t)*\s*$/;
const REVISION = /^(?:0|[1-9][0-9]{0,14})$/;

export const etagOf = (revision: number): string => `"${revision}"`;

export const ifMatch = z
  .string()
  .max(2000)
  .transform((header, issues): readonly number[] | null => {
    if (header.trim() === "*") return null;
    const tags = Array.from(header.matchAll(TAG), ([, quoted, bare]) => quoted ?? bare ?? "");
    if (LIST.test(header.replace(TAG, "t")) && tags.length <= MAX_TAGS)
      return tags.filter((tag) => REVISION.test(tag)).map(Number);
    const message = `Must be the ETag of the record, like "3", a list of at most ${MAX_TAGS}, or *.`;
    issues.addIssue({ code: "custom", message, params: { code: "invalid_value" } });
    return z.NEVER;
  });
