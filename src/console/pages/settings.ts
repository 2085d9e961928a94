import type { Pages } from "../kit/pages.ts";
import { apiKeyPages } from "./api-keys/api-keys.tsx";
import { newApiKeyPages } from "./api-keys/api-keys-new.tsx";
import { connectionPages } from "./connections/connections.tsx";
import { connectionDetailPages } from "./connections/connections-detail.tsx";
import { newConnectionPages } from "./connections/connections-new.tsx";
import { customFieldPages } from "./custom-fields/custom-fields.tsx";
import { customFieldEditPages } from "./custom-fields/custom-fields-edit.tsx";
import { memberPages } from "./members/members.tsx";
import { tagPages } from "./tags/tags.tsx";

/** Where `new` is a page, it goes before those that take an id there. */
export const settingsPages: Pages[] = [
  newApiKeyPages,
  apiKeyPages,
  newConnectionPages,
  connectionPages,
  connectionDetailPages,
  customFieldPages,
  customFieldEditPages,
  tagPages,
  memberPages,
];
