import base from "../client/styles/base.css";
import campaigns from "../client/styles/campaigns.css";
import charts from "../client/styles/charts.css";
import contacts from "../client/styles/contacts.css";
import controls from "../client/styles/controls.css";
import feedback from "../client/styles/feedback.css";
import frame from "../client/styles/frame.css";
import importStyles from "../client/styles/import.css";
import inboxList from "../client/styles/inbox-list.css";
import inboxThread from "../client/styles/inbox-thread.css";
import menus from "../client/styles/menus.css";
import messages from "../client/styles/messages.css";
import overview from "../client/styles/overview.css";
import panes from "../client/styles/panes.css";
import segments from "../client/styles/segments.css";
import settings from "../client/styles/settings.css";
import tables from "../client/styles/tables.css";
import templates from "../client/styles/templates.css";
import tokens from "../client/styles/tokens.css";
import webhooks from "../client/styles/webhooks.css";

/** Without comments and indentation, which are a fifth of it. No text within the styles has two spaces in a row. */
const compact = (css: string) =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1");

/** One file for all pages, so that each loads it once. Styles of places come after those of the kit and may override them. */
export const stylesheet = compact(
  [
    tokens,
    base,
    controls,
    frame,
    menus,
    feedback,
    tables,
    charts,
    settings,
    templates,
    campaigns,
    contacts,
    importStyles,
    segments,
    panes,
    inboxList,
    inboxThread,
    messages,
    overview,
    webhooks,
  ].join("\n"),
);
