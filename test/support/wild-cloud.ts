import fc from "fast-check";
import { inherited, wild, wildText } from "./wild.ts";

const contact = fc.record({ wa_id: wild, user_id: wild, profile: wild }, { requiredKeys: [] });
const kind = fc.constantFrom(
  "text",
  "image",
  "document",
  "sticker",
  "button",
  "interactive",
  "contacts",
  "order",
  "location",
  "reaction",
  "edit",
  "unsupported",
  "request_welcome",
  "hologram",
);
const file = fc.record(
  { id: wild, url: wild, mime_type: wild, sha256: wild, caption: wild, filename: wild },
  { requiredKeys: [] },
);
const reply = fc.oneof(wild, fc.record({ id: wild, title: wild }));
const card = fc.record({ name: wild, phones: wild, emails: wild, org: wild }, { requiredKeys: [] });
const product = fc.oneof(wild, fc.record({ product_retailer_id: wild, quantity: wild, item_price: wild }));
const someMessage = fc.record(
  {
    id: fc.oneof(wild, fc.constant("wamid.1")),
    from: fc.oneof(wild, fc.constant("14155550100")),
    from_user_id: wild,
    timestamp: wild,
    type: fc.oneof(wild, inherited, kind),
    text: fc.oneof(wild, fc.record({ body: wild })),
    image: fc.oneof(wild, file),
    document: fc.oneof(wild, file),
    button: fc.oneof(wild, fc.record({ payload: wild, text: wild })),
    interactive: fc.oneof(
      wild,
      fc.record(
        {
          type: wild,
          button_reply: reply,
          list_reply: reply,
          nfm_reply: fc.record({ name: wild, response_json: wild }),
        },
        { requiredKeys: [] },
      ),
    ),
    contacts: fc.oneof(wild, fc.array(fc.oneof(wild, card))),
    location: fc.oneof(wild, fc.record({ name: wild, latitude: wild, longitude: wild })),
    reaction: fc.oneof(wild, fc.record({ message_id: wild, emoji: wild })),
    order: fc.oneof(wild, fc.record({ catalog_id: wild, product_items: fc.oneof(wild, fc.array(product)) })),
    edit: fc.oneof(wild, fc.record({ original_message_id: fc.constant("wamid.0"), message: wild })),
    context: fc.oneof(wild, fc.record({ id: wild, forwarded: wild, referred_product: wild })),
    referral: fc.oneof(wild, fc.record({ source_url: wild, headline: wild, body: wild, ctwa_clid: wild })),
    unsupported: wild,
    errors: fc.oneof(wild, fc.array(wild)),
  },
  { requiredKeys: [] },
);
const someStatus = fc.record(
  {
    id: wild,
    status: fc.oneof(wild, fc.constantFrom("sent", "failed"), inherited),
    timestamp: wild,
    errors: fc.array(wild),
  },
  { requiredKeys: [] },
);
export const wildCloudValue = fc.record(
  {
    metadata: fc.oneof(wild, fc.constant({})),
    contacts: fc.oneof(wild, fc.array(contact)),
    messages: fc.oneof(wild, fc.array(fc.oneof(wild, someMessage))),
    message_echoes: fc.oneof(wild, fc.array(someMessage)),
    statuses: fc.oneof(wild, fc.array(fc.oneof(wild, someStatus))),
    errors: wild,
    event: wild,
    message_template_id: wild,
    message_template_name: wildText,
    message_template_language: wildText,
    new_quality_score: wild,
    new_category: wild,
    ban_info: wild,
  },
  { requiredKeys: [] },
);
