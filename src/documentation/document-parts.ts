// Parts of the OpenAPI document besides its endpoints.
import { deliveredRequests, deliveryAnswers, eventBatch } from "../features/webhooks/delivered-events.ts";
import { exampleAnswers } from "./example-answers.ts";
import { exampleIds as id } from "./example-ids.ts";
import { exampleEvents } from "./example-events.ts";
import { exampleRecords } from "./example-records.ts";
import { exampleSettings } from "./example-settings.ts";
import type { DocumentParts } from "../http/openapi/openapi.ts";

/** The documentation's text for each group of endpoints. */
const tagDescriptions = {
  "This key": "The workspace, connection, permissions and limits of the key that asks.",
  Messages: "Messages of every kind to one person, and how far each has come.",
  Templates: "Texts with variables: local ones, and those that a provider has approved.",
  "Canned replies": "Texts that members put into replies by a shortcut.",
  Campaigns: "One template to many contacts: audience, schedule, pace and results.",
  "Campaign counts": "Whether the counts of a campaign agree with its recipients.",
  Conversations: "What was said with one contact through one connection.",
  Media: "Files of messages: uploaded, fetched, and those that came in.",
  Contacts: "The people a workspace talks to, and what it knows of them.",
  Tags: "Names put on contacts, to find them by.",
  "Custom fields": "A workspace's own fields of contacts.",
  Segments: "Saved filters over contacts.",
  Webhooks: "Addresses that the events of a workspace are sent to.",
  Workspaces: "Customers of this deployment. Each sees its own data only.",
  Members: "People who sign in to the console, and their invitations.",
  Connections: "Accounts at messaging providers, through which a workspace sends and receives.",
  Sandbox: "Plays the phone network of sandbox connections.",
  "API keys": "What a workspace's own software authenticates with.",
  Events: "What has changed in the workspace, and by whom: a log to follow.",
  "Provider events": "What providers reported and could not be applied.",
};

const examples = { records: { ...exampleRecords, ...exampleSettings, ...exampleEvents }, answers: exampleAnswers };

export const documentParts: DocumentParts = {
  tagDescriptions,
  webhookBodies: eventBatch,
  webhookRequests: deliveredRequests,
  webhookAnswers: deliveryAnswers,
  recordNames: new Map([["dead", "dead event"]]),
  recordIds: new Map([
    ["api key", id.key],
    ["campaign", id.campaign],
    ["canned reply", id.cannedReply],
    ["connection", id.connection],
    ["contact", id.contact],
    ["conversation", id.conversation],
    ["custom field", id.customField],
    ["member", id.member],
    ["segment", id.segment],
    ["tag", id.tag],
    ["template", id.template],
    ["webhook", id.webhook],
    ["workspace", id.workspace],
  ]),
  examples,
};
