/** Sent to models that connect to `/mcp`. */
export const mcpInstructions =
  "Tidings stores a workspace's contacts and sends messages to them. Get ids from the list tools before you use them. To read the next " +
  "page, pass `next_cursor` as `cursor`. You cannot undo a sent message. Before campaigns_start, call campaigns_preview with the same " +
  "arguments. Show the person you work for the number of recipients and the sample messages. After the person agrees, pass the " +
  "`audience_token` of the preview to campaigns_start.";
