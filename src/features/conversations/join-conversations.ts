/** What makes one conversation of two on a connection, as statements for a batch that joins their contacts. */
export { conversationPairs, joinConversations, readUpToOfBoth } from "./join-conversations.repository.ts";
