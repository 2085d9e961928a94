import { workspacePages } from "../../kit/audiences.ts";
import { showPage } from "../../kit/results.ts";

export const inboxUnreadPages = workspacePages();

/** The frame of a page alone: scripts fetch the count of unread conversations from it. */
inboxUnreadPages.get("/inbox/unread", { role: "agent" }, () => showPage({ title: "Inbox", body: null }));
