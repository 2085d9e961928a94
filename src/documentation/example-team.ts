// Examples of records in the documentation: what members of a workspace write for each other.
import type * as z from "zod";
import type { cannedReplyView } from "../features/canned-replies/canned-replies.schemas.ts";
import { exampleIds as id, MADE } from "./example-ids.ts";

const cannedReply: z.input<typeof cannedReplyView> = {
  id: id.cannedReply,
  shortcut: "hours",
  body: "Hello {{first_name|there}}, we are open from 9 to 18 h.",
  variables: ["first_name"],
  created_at: MADE,
  updated_at: MADE,
};

/** By the names of components. */
export const exampleTeam = { CannedReply: cannedReply };
