// The reads of the contacts bench.
import { env } from "cloudflare:workers";
import { encodeCursor } from "../../../src/http/fields.ts";
import { type Crowd, person } from "./many-contacts.ts";

export const OFFSET = 500;

export interface Case {
  path: string;
  /**
   * "search": at most 100 rows, and two per visible tag. "free": no budget except for the round trip, because the call
   * reads every row that it counts.
   */
  budget: "list" | "search" | "free";
  who?: "neighbour";
  /**
   * A text of which FTS5 compares the lists of all trigrams to their ends, if each is common and few contacts have all of
   * them, or few of the contacts that the filter matches.
   */
  compared?: string;
}

const search = (term: string, rest = "") => `/contacts?search=${encodeURIComponent(term)}${rest}`;

export function casesOf(
  crowd: Crowd,
  size: number,
  ids: { contact: string; segments: Record<string, string> },
): Record<string, Case> {
  const list = (query: string): Case => ({ path: `/contacts${query}`, budget: "list" });
  const find = (term: string, rest = ""): Case => ({ path: search(term, rest), budget: "search" });
  const mix = (query: string): Case => ({ path: `/contacts?${query}`, budget: "search" });
  const next = (contact: Case): Case => ({ ...contact, who: "neighbour" });
  const half = encodeCursor([crowd.base + size / 2]);
  const { segments } = ids;
  const { phone } = person(333, "");
  return {
    list: list(""),
    "list, limit 100": list("?limit=100"),
    "list, cursor in the middle": list(`?cursor=${half}`),
    [`list, offset ${OFFSET}`]: list(`?offset=${OFFSET}`),
    "tag of every second": mix("tag=vip"),
    "tag of three": mix("tag=founder"),
    "tag that is unknown": mix("tag=nobody"),
    source: mix("source=import"),
    status: mix("status=hot"),
    archived: mix("archived=true"),
    "tag + status": mix("tag=vip&status=hot"),
    "tag + source + status": mix("tag=newsletter&source=shop&status=warm"),
    "tag + source, never meet": mix("tag=vip&source=import"),
    "tag + source + status + archived, never meet": mix("tag=vip&source=import&status=active&archived=true"),
    "search rare (3 hits)": find("Quetzal"),
    "search common (a name)": find("silva"),
    "search in every row": find("example"),
    "search accents, case": find("MÜLLER"),
    "search two letters": find("an"),
    "search one letter": find("j"),
    "search phone fragment": { ...find("(15) 10-00"), compared: "151000" },
    "search whole phone": { ...find(phone), compared: phone.slice(1) },
    "search absent": find("zzyzx"),
    "search absent, of common trigrams": find("silva ana bruno"),
    "search 100 characters": find("anderson fischer silva ".repeat(5).slice(0, 100)),
    "search common, cursor in the middle": find("silva", `&cursor=${half}`),
    "search common + tag": find("example", "&tag=vip"),
    "search common + tag + source, never meet": find("example", "&tag=vip&source=import"),
    "search common + source, never meet": {
      ...find("example.com", "&source=import"),
      compared: "example.com",
    },
    "search rare + tag, never meet": find("Quetzal", "&tag=partner&source=import"),
    "search common, with total": { path: search("silva", "&include_total=true"), budget: "free" },
    get: { path: `/contacts/${ids.contact}`, budget: "list" },
    "segment, contacts, wide": { path: `/segments/${segments["wide"]}/contacts`, budget: "free" },
    "segment, contacts, none": { path: `/segments/${segments["none"]}/contacts`, budget: "free" },
    "segment, count": { path: `/segments/${segments["wide"]}/count`, budget: "free" },
    "neighbour: list": next(list("")),
    "neighbour: tag of every second": next(mix("tag=vip")),
    "neighbour: tag + source, never meet": next(mix("tag=vip&source=import")),
    "neighbour: search rare (3 hits)": next(find("Quetzal")),
    "neighbour: search common": next(find("silva")),
    "neighbour: search two letters": next(find("an")),
    "neighbour: search common elsewhere, absent here": next(find("Globex")),
    "neighbour: search absent, of common trigrams": next(find("silva ana bruno")),
    "neighbour: search phone fragment": { ...next(find("(15) 10-00")), compared: "151000" },
  };
}

/** Counts the entries of the search index for all trigrams of the text. */
export async function countEntries(text: string): Promise<number> {
  const count = "SELECT count(*) AS count FROM contact_search WHERE contact_search MATCH ?";
  const trigrams = Array.from({ length: text.length - 2 }, (_, index) => text.slice(index, index + 3));
  const counted = trigrams.map((trigram) => env.DB.prepare(count).bind(`t:"${trigram}"`).first<number>("count"));
  return (await Promise.all(counted)).reduce<number>((sum, entries) => sum + (entries ?? 0), 0);
}

const NOISE =
  "The plain list that it is divided by takes a millisecond or less, and varies by more than the difference.";
/** Reasons why searches can exceed their budgets. */
export const REASONS = { "neighbour: tag + source, never meet": NOISE, "neighbour: search common": NOISE };
