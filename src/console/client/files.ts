// Made by `npm run generate`.
import scriptAlerts from "./alerts.client.js";
import scriptCampaigns from "./campaigns.client.js";
import scriptConsole from "./console.client.js";
import scriptContacts from "./contacts.client.js";
import scriptDraftMarks from "./draft-marks.client.js";
import scriptDrafts from "./drafts.client.js";
import scriptElements from "./elements.client.js";
import scriptExport from "./export.client.js";
import scriptFaults from "./faults.client.js";
import scriptFocus from "./focus.client.js";
import scriptImport from "./import.client.js";
import scriptImportFile from "./import-file.client.js";
import scriptImportPlan from "./import-plan.client.js";
import scriptImportResults from "./import-results.client.js";
import scriptImportSend from "./import-send.client.js";
import scriptImportStore from "./import-store.client.js";
import scriptInbox from "./inbox.client.js";
import scriptKeys from "./keys.client.js";
import scriptLimit from "./limit.client.js";
import scriptLink from "./link.client.js";
import scriptLive from "./live.client.js";
import scriptLocalTimes from "./local-times.client.js";
import scriptMerged from "./merged.client.js";
import scriptMessageMenu from "./message-menu.client.js";
import scriptOutbox from "./outbox.client.js";
import scriptPalette from "./palette.client.js";
import scriptPresence from "./presence.client.js";
import scriptPreview from "./preview.client.js";
import scriptQuote from "./quote.client.js";
import scriptRenew from "./renew.client.js";
import scriptRequests from "./requests.client.js";
import scriptSave from "./save.client.js";
import scriptSaveForm from "./save-form.client.js";
import scriptSegments from "./segments.client.js";
import scriptSend from "./send.client.js";
import scriptShortcuts from "./shortcuts.client.js";
import scriptShowPage from "./show-page.client.js";
import scriptSignIn from "./sign-in.client.js";
import scriptSuggest from "./suggest.client.js";
import scriptTemplateEditor from "./template-editor.client.js";
import scriptTimes from "./times.client.js";
import scriptToast from "./toast.client.js";
import scriptUpload from "./upload.client.js";
import stylesTokens from "./styles/tokens.css";
import stylesBase from "./styles/base.css";
import stylesControls from "./styles/controls.css";
import stylesFrame from "./styles/frame.css";
import stylesMenus from "./styles/menus.css";
import stylesFeedback from "./styles/feedback.css";
import stylesTables from "./styles/tables.css";
import stylesCharts from "./styles/charts.css";
import stylesSettings from "./styles/settings.css";
import stylesTemplates from "./styles/templates.css";
import stylesCampaigns from "./styles/campaigns.css";
import stylesContacts from "./styles/contacts.css";
import stylesImport from "./styles/import.css";
import stylesSegments from "./styles/segments.css";
import stylesPanes from "./styles/panes.css";
import stylesInboxList from "./styles/inbox-list.css";
import stylesInboxThread from "./styles/inbox-thread.css";
import stylesMessages from "./styles/messages.css";
import stylesOverview from "./styles/overview.css";
import stylesWebhooks from "./styles/webhooks.css";

/** By file name. */
export const clientScripts = {
  "alerts.client.js": scriptAlerts,
  "campaigns.client.js": scriptCampaigns,
  "console.client.js": scriptConsole,
  "contacts.client.js": scriptContacts,
  "draft-marks.client.js": scriptDraftMarks,
  "drafts.client.js": scriptDrafts,
  "elements.client.js": scriptElements,
  "export.client.js": scriptExport,
  "faults.client.js": scriptFaults,
  "focus.client.js": scriptFocus,
  "import.client.js": scriptImport,
  "import-file.client.js": scriptImportFile,
  "import-plan.client.js": scriptImportPlan,
  "import-results.client.js": scriptImportResults,
  "import-send.client.js": scriptImportSend,
  "import-store.client.js": scriptImportStore,
  "inbox.client.js": scriptInbox,
  "keys.client.js": scriptKeys,
  "limit.client.js": scriptLimit,
  "link.client.js": scriptLink,
  "live.client.js": scriptLive,
  "local-times.client.js": scriptLocalTimes,
  "merged.client.js": scriptMerged,
  "message-menu.client.js": scriptMessageMenu,
  "outbox.client.js": scriptOutbox,
  "palette.client.js": scriptPalette,
  "presence.client.js": scriptPresence,
  "preview.client.js": scriptPreview,
  "quote.client.js": scriptQuote,
  "renew.client.js": scriptRenew,
  "requests.client.js": scriptRequests,
  "save.client.js": scriptSave,
  "save-form.client.js": scriptSaveForm,
  "segments.client.js": scriptSegments,
  "send.client.js": scriptSend,
  "shortcuts.client.js": scriptShortcuts,
  "show-page.client.js": scriptShowPage,
  "sign-in.client.js": scriptSignIn,
  "suggest.client.js": scriptSuggest,
  "template-editor.client.js": scriptTemplateEditor,
  "times.client.js": scriptTimes,
  "toast.client.js": scriptToast,
  "upload.client.js": scriptUpload,
};

/** In the order in which they apply. */
export const clientStyles = [
  stylesTokens,
  stylesBase,
  stylesControls,
  stylesFrame,
  stylesMenus,
  stylesFeedback,
  stylesTables,
  stylesCharts,
  stylesSettings,
  stylesTemplates,
  stylesCampaigns,
  stylesContacts,
  stylesImport,
  stylesSegments,
  stylesPanes,
  stylesInboxList,
  stylesInboxThread,
  stylesMessages,
  stylesOverview,
  stylesWebhooks,
];
