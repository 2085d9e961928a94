// A page of the list of contacts, in the order that its query asks for.
import { listContactsByName } from "../../../features/contacts/search/list-contacts-by-name.ts";
import {
  type ContactHits,
  contactFilterFromQuery,
  searchContacts,
} from "../../../features/contacts/search/search-contacts.ts";
import { encodeCursor } from "../../../http/fields.ts";
import type { Ctx } from "../../../shared/context.ts";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import type { ContactListQuery } from "./contact-filters.tsx";
import { isByName, orderOf } from "./contact-order.tsx";

interface ContactListPage extends Omit<ContactHits, "next"> {
  nextCursor: string | null;
}

/** A page of the list; without its total while the workspace is busy with other counts. */
export async function readContactList(ctx: Ctx, query: ContactListQuery): Promise<ContactListPage> {
  const { limit, cursor } = query;
  const order = orderOf(query);
  const [first, second] = cursor ?? [];
  const read = async (includeTotal: boolean): Promise<ContactListPage> => {
    if (isByName(order)) {
      const after: [string, number] | undefined =
        typeof first === "string" && second !== undefined ? [first, second] : undefined;
      const found = await listContactsByName(ctx, { limit, after, isDescending: order === "-name", includeTotal });
      return { ...found, nextCursor: found.next === null ? null : encodeCursor(found.next) };
    }
    const after = typeof first === "number" ? first : undefined;
    const page = { limit, offset: 0, after, isOldestFirst: order === "created_at", includeTotal };
    const found = await searchContacts(ctx, contactFilterFromQuery(query), page);
    return { ...found, nextCursor: found.next === null ? null : encodeCursor([found.next]) };
  };
  return (await nullIfBusy(read(true))) ?? read(false);
}
