import { listConnections } from "../../features/connections/connections.service.ts";
import { MAX_CUSTOM_FIELDS } from "../../features/custom-fields/custom-fields.changes.ts";
import { listCustomFields } from "../../features/custom-fields/custom-fields.service.ts";
import { listSegments } from "../../features/segments/segments.service.ts";
import { listTags } from "../../features/tags/tags.service.ts";
import type { Ctx } from "../../shared/context.ts";

/** A select lists at most this many options, because it would be hard to use with more. */
const MAX_CHOICES = 500;

export const listAllConnections = (ctx: Ctx) => listConnections(ctx, MAX_CHOICES, undefined);

export const listAllCustomFields = (ctx: Ctx) => listCustomFields(ctx, MAX_CUSTOM_FIELDS);

export const listAllSegments = (ctx: Ctx) => listSegments(ctx, MAX_CHOICES, undefined);

export const listAllTags = (ctx: Ctx) => listTags(ctx, MAX_CHOICES);

export const namesOf = (records: readonly { id: string; name: string }[]): ReadonlyMap<string, string> =>
  new Map(records.map(({ id, name }) => [id, name]));
