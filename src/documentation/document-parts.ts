import { deliveredRequests, receiverResponses, eventBatch } from "../features/webhooks/delivered-events.ts";
import { exampleResponses } from "./example-responses.ts";
import { exampleIds as id } from "./example-ids.ts";
import { exampleEvents } from "./example-events.ts";
import { exampleRecords } from "./example-records.ts";
import { exampleSettings } from "./example-settings.ts";
import type { DocumentParts } from "../http/openapi/openapi.ts";

const tagDescriptions = {
  "This key": "The workspace, connection, permissions and limits of the key in the request.",
  Messages: "Send messages of every kind to one person, and track their delivery.",
  Templates: "Texts with variables: local templates, and external templates that the provider reviews.",
  "Canned replies": "Texts that members insert into replies by a shortcut.",
  Campaigns: "Send one template to many contacts: audience, schedule, rate and results.",
  "Campaign counts": "Count a campaign's recipients again, and compare the result with the stored counts.",
  Conversations: "All messages with one contact through one connection.",
  Media: "Files of messages: uploads, downloads from URLs, and inbound files.",
  Contacts: "The people of a workspace, with their fields, tags and opt-outs.",
  Tags: "Labels of contacts, which filters and campaign audiences can select.",
  "Custom fields": "Contact fields that a workspace defines.",
  Segments: "Saved filters for contacts.",
  Webhooks: "Endpoints that receive the events of a workspace.",
  Operation: "The deployment's backlogs, failures and database sizes.",
  Workspaces: "Customers of this deployment. Each workspace sees only its own data.",
  Members: "People who sign in to the console, and their invitations.",
  Connections: "Accounts at messaging providers. A workspace sends and receives through them.",
  Sandbox: "Act as the people on the simulated phone network of sandbox connections.",
  "API keys": "Credentials for software of a workspace.",
  Events: "A log of all changes in the workspace, with the actor of each change.",
  "Provider events": "Events that a provider sent and that failed at every attempt.",
};

const examples = { records: { ...exampleRecords, ...exampleSettings, ...exampleEvents }, responses: exampleResponses };

export const documentParts: DocumentParts = {
  tagDescriptions,
  webhookBodies: eventBatch,
  webhookRequests: deliveredRequests,
  receiverResponses: receiverResponses,
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
