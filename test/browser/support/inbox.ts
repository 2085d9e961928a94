import { z } from "zod";
import { PICTURE } from "./files.ts";
import { manage, Workspace } from "./people.ts";

const listed = z.object({ conversations: z.array(z.object({ id: z.string(), last_message: z.string() })) });
const accepted = z.object({ conversation_id: z.string() });
const sent = z.object({ message_id: z.string() });
const history = z.object({ messages: z.array(z.object({ id: z.string() })) });
const connected = z.object({ connection: z.object({ id: z.string() }) });
const held = z.object({ templates: z.array(z.object({ id: z.string(), name: z.string() })) });

/** Waits for the message with this text, and returns the conversation in which it is the last message. */
export async function conversationWith(workspace: Workspace, text: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const { conversations } = listed.parse(await workspace.call("GET", "/conversations?limit=100"));
    const conversation = conversations.find(({ last_message }) => last_message === text);
    if (conversation !== undefined) return conversation.id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No message “${text}” has arrived.`);
}

/** Sends messages from a contact, each after the previous message has arrived. Returns the conversation. */
export async function receiveInOrder(workspace: Workspace, name: string, ...texts: string[]): Promise<string> {
  let conversation = "";
  for (const text of texts) {
    await workspace.receive("+14155550101", text, name);
    conversation = await conversationWith(workspace, text);
  }
  return conversation;
}

/**
 * Sends messages from new people, with numbers from +14155550101. Waits for each message, because they can otherwise
 * arrive in any order.
 */
export async function receiveFrom(workspace: Workspace, ...names: string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await workspace.receive(`+1415555010${index + 1}`, `Hi, this is ${name}`, name);
    await conversationWith(workspace, `Hi, this is ${name}`);
  }
}

/** The sandbox's template with two variables. */
async function orderUpdate(workspace: Workspace): Promise<string> {
  const { templates } = held.parse(await workspace.call("GET", "/templates?source=external"));
  return templates.find(({ name }) => name === "sandbox_order_update")?.id ?? "";
}

/** Sends a template to a contact who has never written, through an official connection. Returns the conversation. */
export async function writeFirst(workspace: Workspace, to: string): Promise<string> {
  const id = await orderUpdate(workspace);
  const answer = await workspace.call("POST", `/templates/${id}/send`, { to, variables: ["Chloe", "4711"] });
  return accepted.parse(answer).conversation_id;
}

async function withOfficial({ id }: Workspace): Promise<Workspace> {
  const official = { name: "Sandbox, official", channel: "official", provider: "sandbox", config: {} };
  const answer = await manage("POST", `/workspaces/${id}/connections`, official);
  return new Workspace(id, connected.parse(answer).connection.id);
}

export interface Furnished {
  /** A conversation with two or more messages. */
  thread: string;
  picture: string;
  /** A conversation outside of the 24-hour window, so it accepts only templates. */
  closed: string;
  template: string;
}

/** Sends messages that are not texts. Returns the id of an image that quotes the first message. */
async function sendKinds(workspace: Workspace, conversation: string): Promise<string> {
  const send = async (content: object) =>
    sent.parse(await workspace.call("POST", `/conversations/${conversation}/messages`, content)).message_id;
  const { messages } = history.parse(await workspace.call("GET", `/conversations/${conversation}/messages`));
  const reply_to = messages.at(-1)?.id ?? "";
  await send({
    location: { latitude: 52.52, longitude: 13.405, name: "Our shop", address: "Unter den Linden 1, Berlin" },
  });
  const buttons = [
    { id: "yes", title: "Yes, please" },
    { id: "no", title: "No, thank you" },
  ];
  await send({ interactive: { type: "buttons", body: "Shall we ring the bell?", footer: "Acme", buttons } });
  const media_id = await workspace.upload(PICTURE);
  const picture = await send({ image: { media_id, caption: "Here is our door" }, reply_to });
  await send({ reaction: { message_id: reply_to, emoji: "👍" } });
  return picture;
}

export async function furnishInbox(workspace: Workspace): Promise<Furnished> {
  const question = "Hi! Is my order on its way? I have been waiting since Monday.";
  await workspace.receive("+14155550101", question, "Ada Okafor");
  const thread = await conversationWith(workspace, question);
  const reply = (text: string) => workspace.call("POST", `/conversations/${thread}/messages`, { text });
  await reply("Good morning Ada,\n\nlet me have a look.");
  await reply(
    "It has left our warehouse today. Here is where it is: https://parcels.example.com/track/00340434161094042557",
  );
  const picture = await sendKinds(workspace, thread);
  await workspace.receive("+14155550101", "Perfect, thank you so much! 🎉");
  await conversationWith(workspace, "Perfect, thank you so much! 🎉");
  await workspace.receive("+14155550102", "Thanks!", "Bruno Lima");
  await workspace.receive(
    "+4915155500104",
    "Können Sie mich bitte zurückrufen? Ich bin bis 18 Uhr erreichbar.",
    "Jörg Weiß",
  );
  await workspace.receive("somebody-without-a-number", "Hello there");
  await conversationWith(workspace, "Hello there");
  const official = await withOfficial(workspace);
  return { thread, picture, closed: await writeFirst(official, "+14155550001"), template: await orderUpdate(official) };
}
