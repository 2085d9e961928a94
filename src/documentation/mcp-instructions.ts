/** For models that use the tools at `/mcp`. */
export const mcpInstructions =
  "Tidings holds a workspace's contacts and sends them messages. Find ids with the list tools before you use them; pages go on with " +
  "`next_cursor` as `cursor`. What is sent cannot be taken back. Before campaigns_start, call campaigns_preview with the same " +
  "arguments, show the person you work for how many it reaches and what they will read, and pass on its `audience_token` once they " +
  "agree.";
