import type { z } from "zod";
import type { SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import * as repository from "./contacts.repository.ts";
import { contactRecord } from "./contacts.schemas.ts";

export {
  firstMatch,
  insertContact,
  insertIdentity,
  keepIdentity,
  nextSeq,
  numberOfSeq,
  optedOutAt,
  seqByExternalId,
  seqByPhone,
  suppress,
  unsuppress,
  welcomeBack,
} from "./contacts.repository.ts";

type Contact = z.infer<typeof contactRecord>;

/** An archived contact too. Throws `not_found`. */
export async function getContact(ctx: Ctx, id: string): Promise<Contact> {
  const json = await repository.findAsJson(ctx, id);
  if (json === null) throw notFound("contact");
  return contactRecord.parse(JSON.parse(json));
}

export interface ContactChange {
  name?: string | null;
  isUnsubscribed?: boolean;
}

/** Changes what was sent, once per Idempotency-Key. */
export async function updateContact(ctx: Ctx, id: string, { name, isUnsubscribed }: ContactChange): Promise<Contact> {
  const seq = repository.seqById(ctx, id);
  const { result } = await commitOnce(ctx, {
    effects: (guard) => {
      const effects: SQL[] = [];
      if (name !== undefined) effects.push(repository.setName(ctx, id, name, guard));
      if (isUnsubscribed === true) effects.push(repository.suppress(ctx, seq, ctx.now(), guard));
      if (isUnsubscribed === false) effects.push(repository.unsuppress(ctx, seq, guard));
      if (effects.length > 0) effects.push(repository.markUpdated(ctx, id, guard));
      return effects;
    },
    result: repository.contactAsJson(ctx, id),
    shape: contactRecord,
  });
  if (result === null) throw notFound("contact");
  return result;
}
