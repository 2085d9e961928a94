// Made by `npm run generate`.
import scriptConsole from "./console.client.js";
import scriptElements from "./elements.client.js";
import scriptFormsSaveForm from "./forms/save-form.client.js";
import scriptImportImport from "./import/import.client.js";
import scriptImportImportFile from "./import/import-file.client.js";
import scriptImportImportPlan from "./import/import-plan.client.js";
import scriptImportImportSend from "./import/import-send.client.js";
import scriptImportImportStore from "./import/import-store.client.js";
import scriptInboxAlerts from "./inbox/alerts.client.js";
import scriptInboxDraftMarks from "./inbox/draft-marks.client.js";
import scriptInboxDrafts from "./inbox/drafts.client.js";
import scriptInboxInbox from "./inbox/inbox.client.js";
import scriptInboxMessageMenu from "./inbox/message-menu.client.js";
import scriptInboxOutbox from "./inbox/outbox.client.js";
import scriptInboxPresence from "./inbox/presence.client.js";
import scriptInboxReplyField from "./inbox/reply-field.client.js";
import scriptInboxSend from "./inbox/send.client.js";
import scriptKeyboardKeys from "./keyboard/keys.client.js";
import scriptKeyboardPalette from "./keyboard/palette.client.js";
import scriptKeyboardShortcuts from "./keyboard/shortcuts.client.js";
import scriptLink from "./link.client.js";
import scriptLive from "./live.client.js";
import scriptLocalTimes from "./local-times.client.js";
import scriptMerged from "./merged.client.js";
import scriptPagesContacts from "./pages/contacts.client.js";
import scriptPagesExport from "./pages/export.client.js";
import scriptPagesPreview from "./pages/preview.client.js";
import scriptPagesSegments from "./pages/segments.client.js";
import scriptPagesTemplateEditor from "./pages/template-editor.client.js";
import scriptPagesUpload from "./pages/upload.client.js";
import scriptRenew from "./renew.client.js";
import scriptRequests from "./requests.client.js";
import scriptShowPage from "./show-page.client.js";
import scriptTimes from "./times.client.js";
import stylesKitTokens from "./styles/kit/tokens.css";
import stylesKitBase from "./styles/kit/base.css";
import stylesKitControls from "./styles/kit/controls.css";
import stylesKitFrame from "./styles/kit/frame.css";
import stylesKitMenus from "./styles/kit/menus.css";
import stylesKitFeedback from "./styles/kit/feedback.css";
import stylesKitTables from "./styles/kit/tables.css";
import stylesKitCharts from "./styles/kit/charts.css";
import stylesPagesSettings from "./styles/pages/settings.css";
import stylesPagesTemplates from "./styles/pages/templates.css";
import stylesPagesCampaigns from "./styles/pages/campaigns.css";
import stylesPagesContacts from "./styles/pages/contacts.css";
import stylesPagesSegments from "./styles/pages/segments.css";
import stylesKitPanes from "./styles/kit/panes.css";
import stylesPagesInboxList from "./styles/pages/inbox-list.css";
import stylesPagesInboxThread from "./styles/pages/inbox-thread.css";
import stylesPagesMessages from "./styles/pages/messages.css";
import stylesPagesOverview from "./styles/pages/overview.css";

/** The key is the path in this folder. */
export const clientScripts = {
  "console.client.js": scriptConsole,
  "elements.client.js": scriptElements,
  "forms/save-form.client.js": scriptFormsSaveForm,
  "import/import.client.js": scriptImportImport,
  "import/import-file.client.js": scriptImportImportFile,
  "import/import-plan.client.js": scriptImportImportPlan,
  "import/import-send.client.js": scriptImportImportSend,
  "import/import-store.client.js": scriptImportImportStore,
  "inbox/alerts.client.js": scriptInboxAlerts,
  "inbox/draft-marks.client.js": scriptInboxDraftMarks,
  "inbox/drafts.client.js": scriptInboxDrafts,
  "inbox/inbox.client.js": scriptInboxInbox,
  "inbox/message-menu.client.js": scriptInboxMessageMenu,
  "inbox/outbox.client.js": scriptInboxOutbox,
  "inbox/presence.client.js": scriptInboxPresence,
  "inbox/reply-field.client.js": scriptInboxReplyField,
  "inbox/send.client.js": scriptInboxSend,
  "keyboard/keys.client.js": scriptKeyboardKeys,
  "keyboard/palette.client.js": scriptKeyboardPalette,
  "keyboard/shortcuts.client.js": scriptKeyboardShortcuts,
  "link.client.js": scriptLink,
  "live.client.js": scriptLive,
  "local-times.client.js": scriptLocalTimes,
  "merged.client.js": scriptMerged,
  "pages/contacts.client.js": scriptPagesContacts,
  "pages/export.client.js": scriptPagesExport,
  "pages/preview.client.js": scriptPagesPreview,
  "pages/segments.client.js": scriptPagesSegments,
  "pages/template-editor.client.js": scriptPagesTemplateEditor,
  "pages/upload.client.js": scriptPagesUpload,
  "renew.client.js": scriptRenew,
  "requests.client.js": scriptRequests,
  "show-page.client.js": scriptShowPage,
  "times.client.js": scriptTimes,
};

/** Later styles override earlier styles. */
export const clientStyles = [
  stylesKitTokens,
  stylesKitBase,
  stylesKitControls,
  stylesKitFrame,
  stylesKitMenus,
  stylesKitFeedback,
  stylesKitTables,
  stylesKitCharts,
  stylesPagesSettings,
  stylesPagesTemplates,
  stylesPagesCampaigns,
  stylesPagesContacts,
  stylesPagesSegments,
  stylesKitPanes,
  stylesPagesInboxList,
  stylesPagesInboxThread,
  stylesPagesMessages,
  stylesPagesOverview,
];
