// Made by `npm run generate` from openapi.json.

/**
 * Requires exactly one of `to`, `contact_id` and `user_id`, and exactly one content.
 */
export type MessagesSendRequest = (
  | {
      to?: never | undefined;
      contact_id?: never | undefined;
      /**
       * Id that the provider of the key's connection uses for a person without a phone number.
       */
      user_id: string;
    }
  | {
      to?: never | undefined;
      contact_id: string;
      user_id?: never | undefined;
    }
  | {
      /**
       * International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.
       */
      to: string;
      contact_id?: never | undefined;
      user_id?: never | undefined;
    }
) &
  (
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction: ReactionInput;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive: InteractiveInput;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts: Array<ContactCardInput>;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location: LocationInput;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker: StickerInput;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document: DocumentInput;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video?: never | undefined;
        audio: AudioInput;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image?: never | undefined;
        video: VideoInput;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        text?: never | undefined;
        image: ImageInput;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
    | {
        /**
         * Plain text, stored exactly as sent.
         */
        text: string;
        image?: never | undefined;
        video?: never | undefined;
        audio?: never | undefined;
        document?: never | undefined;
        sticker?: never | undefined;
        location?: never | undefined;
        contacts?: never | undefined;
        interactive?: never | undefined;
        reaction?: never | undefined;
      }
  ) & {
    /**
     * True to show a preview of the first link in the text.
     */
    preview_url?: boolean | undefined;
    /**
     * Message of the same conversation to quote.
     */
    reply_to?: string | undefined;
    /**
     * Send time in UTC, within 365 days. Default: immediately.
     */
    send_at?: string | undefined;
    /**
     * Up to 10 strings of your own, each with a name. Returned with the message and its events.
     */
    metadata?:
      | {
          [key: string]: string;
        }
      | undefined;
  };

/**
 * A file: `media_id` or `url`.
 */
export type ImageInput = (
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * Text below the file.
   */
  caption?: string | undefined;
};

/**
 * A file: `media_id` or `url`.
 */
export type VideoInput = (
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * Text below the file.
   */
  caption?: string | undefined;
};

/**
 * A file: `media_id` or `url`.
 */
export type AudioInput = (
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * True for a voice message.
   */
  voice?: boolean | undefined;
};

/**
 * A file: `media_id` or `url`.
 */
export type DocumentInput = (
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * Text below the file.
   */
  caption?: string | undefined;
  /**
   * File name that the person sees.
   */
  filename?: string | undefined;
};

/**
 * A file: `media_id` or `url`.
 */
export type StickerInput =
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
    };

export type LocationInput = {
  latitude: number;
  longitude: number;
  name?: string | undefined;
  address?: string | undefined;
};

export type ContactCardInput = {
  name: {
    formatted_name: string;
    first_name?: string | undefined;
    last_name?: string | undefined;
  };
  phones: Array<{
    /**
     * International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.
     */
    phone: string;
    type?: string | undefined;
    /**
     * The number's WhatsApp id. With it, the recipient can open a chat with this person from the card.
     */
    wa_id?: string | undefined;
  }>;
  emails?:
    | Array<{
        email: string;
        type?: string | undefined;
      }>
    | undefined;
  org?:
    | {
        company?: string | undefined;
        department?: string | undefined;
        title?: string | undefined;
      }
    | undefined;
  addresses?:
    | Array<{
        street?: string | undefined;
        city?: string | undefined;
        state?: string | undefined;
        zip?: string | undefined;
        country?: string | undefined;
        country_code?: string | undefined;
        type?: string | undefined;
      }>
    | undefined;
  urls?:
    | Array<{
        url: string;
        type?: string | undefined;
      }>
    | undefined;
  birthday?: string | undefined;
};

export type InteractiveInput = ButtonsInput | ListInput | LinkInput | LocationRequestInput;

/**
 * Text with up to three buttons that the person can press to reply.
 */
export type ButtonsInput = {
  type: "buttons";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  buttons: Array<{
    id: string;
    title: string;
  }>;
};

/**
 * Text with a button that opens a list of options.
 */
export type ListInput = {
  type: "list";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  button: string;
  sections: Array<{
    title?: string | undefined;
    rows: Array<{
      id: string;
      title: string;
      description?: string | undefined;
    }>;
  }>;
};

/**
 * Text with a button that opens a web address.
 */
export type LinkInput = {
  type: "link";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  title: string;
  url: string;
};

/**
 * Text with a button that requests the person's location.
 */
export type LocationRequestInput = {
  type: "location_request";
  body: string;
};

export type ReactionInput = {
  message_id: string;
  /**
   * An empty string removes the reaction.
   */
  emoji: string;
};

/**
 * `unknown`: the provider's response was lost, so the message might have been sent. It is not sent again automatically. A later status from the provider replaces this state.
 */
export type MessageDelivery =
  | "scheduled"
  | "queued"
  | "sent"
  | "delivered"
  | "read"
  | "failed"
  | "unknown"
  | "cancelled";

export type MessagesSendBatchRequest = {
  /**
   * Bodies of `messages.send`. Each body is validated separately.
   */
  messages: Array<MessagesSendRequest>;
};

export type TemplatesSendRequest = (
  | {
      to?: never | undefined;
      contact_id?: never | undefined;
      /**
       * Id that the provider of the key's connection uses for a person without a phone number.
       */
      user_id: string;
    }
  | {
      to?: never | undefined;
      contact_id: string;
      user_id?: never | undefined;
    }
  | {
      /**
       * International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.
       */
      to: string;
      contact_id?: never | undefined;
      user_id?: never | undefined;
    }
) & {
  /**
   * A list with one value for each position {{1}}, {{2}} …, or an object with a value for each name.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Buttons in the template's `variables`, such as `button_2` for index 1, can also get their value there.
   */
  buttons?:
    | Array<{
        /**
         * Position among all buttons, from 0.
         */
        index: number;
        /**
         * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
         */
        value: string;
      }>
    | undefined;
  /**
   * Cards of a carousel, in order.
   */
  cards?:
    | Array<{
        header?: TemplateHeaderValue | undefined;
        variables?:
          | Array<string>
          | {
              [key: string]: string;
            }
          | undefined;
        buttons?:
          | Array<{
              /**
               * Position among all buttons, from 0.
               */
              index: number;
              /**
               * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
               */
              value: string;
            }>
          | undefined;
      }>
    | undefined;
};

/**
 * The header's file, text or location.
 */
export type TemplateHeaderValue = (
  | {
      media_id?: never | undefined;
      url?: never | undefined;
      text?: never | undefined;
      location: {
        latitude: number;
        longitude: number;
        name?: string | undefined;
        address?: string | undefined;
      };
    }
  | {
      media_id?: never | undefined;
      url?: never | undefined;
      /**
       * Value of a text header's variable.
       */
      text: string;
      location?: never | undefined;
    }
  | {
      media_id?: never | undefined;
      /**
       * Public URL of the file.
       */
      url: string;
      text?: never | undefined;
      location?: never | undefined;
    }
  | {
      /**
       * Id of a stored file.
       */
      media_id: string;
      url?: never | undefined;
      text?: never | undefined;
      location?: never | undefined;
    }
) & {
  /**
   * File name that phones show.
   */
  filename?: string | undefined;
};

/**
 * Requires exactly one content.
 */
export type ConversationsReplyRequest = (
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction: ReactionInput;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive: InteractiveInput;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts: Array<ContactCardInput>;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location: LocationInput;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker: StickerInput;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document: DocumentInput;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio: AudioInput;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video: VideoInput;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      text?: never | undefined;
      image: ImageInput;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
  | {
      /**
       * Plain text, stored exactly as sent.
       */
      text: string;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      interactive?: never | undefined;
      reaction?: never | undefined;
    }
) & {
  /**
   * True to show a preview of the first link in the text.
   */
  preview_url?: boolean | undefined;
  /**
   * Message of the same conversation to quote.
   */
  reply_to?: string | undefined;
  /**
   * Send time in UTC, within 365 days. Default: immediately.
   */
  send_at?: string | undefined;
  /**
   * Up to 10 strings of your own, each with a name. Returned with the message and its events.
   */
  metadata?:
    | {
        [key: string]: string;
      }
    | undefined;
};

export type ConversationsAddNoteRequest = {
  /**
   * Text of the note. `@` and a member's name mentions the member. If members share the name, `@Name (email)` mentions only one of them.
   */
  body: string;
};

/**
 * Only `APPROVED` templates can be sent.
 */
export type TemplateStatus = "APPROVED" | "PENDING" | "REJECTED";

/**
 * `local`: stored only in Tidings. `external`: stored and approved by a connection's provider.
 */
export type TemplateSource = "external" | "local";

export type TemplatesCreateRequest = (
  | {
      body?: never | undefined;
      /**
       * Official connection whose provider reviews the template.
       */
      connection_id: string;
      /**
       * Provider's language code, like `en_US`.
       */
      language: string;
      category: TemplateCategory;
      /**
       * Header, body, footer, buttons and cards in Meta's format. The example of a header's file is `{media_id}`, the id of a stored file.
       */
      components: Array<TemplateComponent>;
    }
  | {
      /**
       * Text of a local template.
       */
      body: string;
      connection_id?: never | undefined;
      language?: never | undefined;
      category?: never | undefined;
      components?: never | undefined;
    }
) & {
  /**
   * For external templates: lowercase a–z, digits and underscores.
   */
  name: string;
};

/**
 * WhatsApp's category, which also determines the price.
 */
export type TemplateCategory = "MARKETING" | "UTILITY" | "AUTHENTICATION";

export type TemplateComponent = TemplateHeader | TemplateBody | TemplateFooter | TemplateButtons | TemplateCarousel;

export type TemplateHeader = TemplateTextHeader | TemplateFileHeader | TemplateLocationHeader;

export type TemplateTextHeader = {
  type: "HEADER";
  format: "TEXT";
  /**
   * At most one variable.
   */
  text: string;
  example?:
    | {
        header_text?: [string] | undefined;
        header_text_named_params?:
          | Array<{
              param_name: string;
              example: string;
            }>
          | undefined;
      }
    | undefined;
};

export type TemplateFileHeader = {
  type: "HEADER";
  format: "IMAGE" | "VIDEO" | "DOCUMENT";
  example:
    | {
        media_id?: never | undefined;
        /**
         * Handle of a file that was uploaded to Meta, instead of `media_id`.
         */
        header_handle: [string];
      }
    | {
        /**
         * Id of a stored file. Tidings uploads the file to the provider.
         */
        media_id: string;
        header_handle?: never | undefined;
      };
};

export type TemplateLocationHeader = {
  type: "HEADER";
  format: "LOCATION";
};

export type TemplateBody = {
  type: "BODY";
  /**
   * Required, except for category AUTHENTICATION.
   */
  text?: string | undefined;
  /**
   * An example value for each variable.
   */
  example?:
    | {
        body_text?: [Array<string>] | undefined;
        body_text_named_params?:
          | Array<{
              param_name: string;
              example: string;
            }>
          | undefined;
      }
    | undefined;
  /**
   * Only for category AUTHENTICATION.
   */
  add_security_recommendation?: boolean | undefined;
};

export type TemplateFooter = {
  type: "FOOTER";
  /**
   * Required, except for category AUTHENTICATION.
   */
  text?: string | undefined;
  /**
   * Only for category AUTHENTICATION.
   */
  code_expiration_minutes?: number | undefined;
};

export type TemplateButtons = {
  type: "BUTTONS";
  buttons: Array<TemplateButton>;
};

export type TemplateButton =
  | TemplateQuickReplyButton
  | TemplateUrlButton
  | TemplatePhoneButton
  | TemplateCopyCodeButton
  | TemplateFlowButton
  | TemplateOtpButton
  | TemplateContactRequestButton;

export type TemplateQuickReplyButton = {
  type: "QUICK_REPLY";
  text: string;
};

export type TemplateUrlButton = {
  type: "URL";
  text: string;
  /**
   * Can end with the variable {{1}}.
   */
  url: string;
  /**
   * Required if the address has a variable: an example value, or the address with an example value.
   */
  example?: [string] | undefined;
};

export type TemplatePhoneButton = {
  type: "PHONE_NUMBER";
  text: string;
  phone_number: string;
};

export type TemplateCopyCodeButton = {
  type: "COPY_CODE";
  example: string;
};

export type TemplateFlowButton = (
  | {
      flow_id?: never | undefined;
      flow_name?: never | undefined;
      flow_json: string;
    }
  | {
      flow_id?: never | undefined;
      flow_name: string;
      flow_json?: never | undefined;
    }
  | {
      flow_id: string;
      flow_name?: never | undefined;
      flow_json?: never | undefined;
    }
) & {
  type: "FLOW";
  text: string;
  flow_action?: "navigate" | "data_exchange" | undefined;
  navigate_screen?: string | undefined;
  icon?: "DEFAULT" | "DOCUMENT" | "PROMOTION" | "REVIEW" | undefined;
};

export type TemplateOtpButton = {
  type: "OTP";
  otp_type: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP";
  text?: string | undefined;
  autofill_text?: string | undefined;
  zero_tap_terms_accepted?: boolean | undefined;
  supported_apps?:
    | Array<{
        package_name: string;
        signature_hash: string;
      }>
    | undefined;
};

export type TemplateContactRequestButton = {
  type: "REQUEST_CONTACT_INFO";
  /**
   * WhatsApp shows its own text, in the template's language.
   */
  text?: string | undefined;
};

export type TemplateCarousel = {
  type: "CAROUSEL";
  /**
   * All cards have the same parts: an image or video, optionally a text, and up to two buttons.
   */
  cards: Array<{
    components: Array<TemplateCardComponent>;
  }>;
};

export type TemplateCardComponent = TemplateHeader | TemplateBody | TemplateButtons;

export type TemplatesUpdateRequest = {
  /**
   * For local templates.
   */
  name?: string | undefined;
  /**
   * For local templates.
   */
  body?: string | undefined;
  /**
   * For external templates.
   */
  category?: TemplateCategory | undefined;
  /**
   * All components of an external template. They replace the stored components.
   */
  components?: Array<TemplateComponent> | undefined;
};

export type CannedRepliesCreateRequest = {
  /**
   * One word that members type after a slash. Case does not matter. A leading slash is removed.
   */
  shortcut: string;
  /**
   * Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}. White space inside the braces is ignored.
   */
  body: string;
};

export type CannedRepliesUpdateRequest = {
  /**
   * One word that members type after a slash. Case does not matter. A leading slash is removed.
   */
  shortcut?: string | undefined;
  /**
   * Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}. White space inside the braces is ignored.
   */
  body?: string | undefined;
};

export type CampaignsStartRequest = {
  template_id: string;
  /**
   * Default: the connection of the API key if it is on this channel, otherwise the channel's default connection.
   */
  channel: Channel;
  /**
   * Default: the template's name.
   */
  name?: string | undefined;
  /**
   * Start time in UTC, within 365 days.
   */
  scheduled_at?: string | undefined;
  /**
   * Messages that are not sent before this time are skipped as `expired`.
   */
  send_before?: string | undefined;
  /**
   * Contacts with these tags.
   */
  filter_tags?: Array<string> | undefined;
  /**
   * Default: `all`.
   */
  filter_tags_mode?: "all" | "any" | undefined;
  filter_status?: ContactStatus | undefined;
  /**
   * Contacts in this segment.
   */
  segment_id?: string | undefined;
  /**
   * A list with a value for each position {{1}}, {{2}} …, like ["{{name|there}}"], or an object with a value for each name. These values, and those of header, buttons and cards, can contain contact fields. An omitted named variable gets the contact's value, otherwise its fallback.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Buttons in the template's `variables`, such as `button_2` for index 1, can also get their value there.
   */
  buttons?:
    | Array<{
        /**
         * Position among all buttons, from 0.
         */
        index: number;
        /**
         * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
         */
        value: string;
      }>
    | undefined;
  /**
   * Cards of a carousel, in order.
   */
  cards?:
    | Array<{
        header?: TemplateHeaderValue | undefined;
        variables?:
          | Array<string>
          | {
              [key: string]: string;
            }
          | undefined;
        buttons?:
          | Array<{
              /**
               * Position among all buttons, from 0.
               */
              index: number;
              /**
               * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
               */
              value: string;
            }>
          | undefined;
      }>
    | undefined;
  /**
   * Token from a preview of the same request by the same key, at most 10 minutes old. The campaign starts only if the audience has not changed since the preview.
   */
  audience_token?: string | undefined;
};

/**
 * `official`: the network's own API, which accepts free text within 24 hours after the person last wrote, and approved templates at any time. `unofficial`: an ordinary account, linked like a second phone.
 */
export type Channel = "official" | "unofficial";

/**
 * How interested the contact is, for your own use.
 */
export type ContactStatus = "hot" | "warm" | "active" | "cold" | "new";

export type CampaignsPreviewRequest = {
  template_id: string;
  /**
   * Default: the connection of the API key if it is on this channel, otherwise the channel's default connection.
   */
  channel: Channel;
  /**
   * Default: the template's name.
   */
  name?: string | undefined;
  /**
   * Start time in UTC, within 365 days.
   */
  scheduled_at?: string | undefined;
  /**
   * Messages that are not sent before this time are skipped as `expired`.
   */
  send_before?: string | undefined;
  /**
   * Contacts with these tags.
   */
  filter_tags?: Array<string> | undefined;
  /**
   * Default: `all`.
   */
  filter_tags_mode?: "all" | "any" | undefined;
  filter_status?: ContactStatus | undefined;
  /**
   * Contacts in this segment.
   */
  segment_id?: string | undefined;
  /**
   * A list with a value for each position {{1}}, {{2}} …, like ["{{name|there}}"], or an object with a value for each name. These values, and those of header, buttons and cards, can contain contact fields. An omitted named variable gets the contact's value, otherwise its fallback.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Buttons in the template's `variables`, such as `button_2` for index 1, can also get their value there.
   */
  buttons?:
    | Array<{
        /**
         * Position among all buttons, from 0.
         */
        index: number;
        /**
         * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
         */
        value: string;
      }>
    | undefined;
  /**
   * Cards of a carousel, in order.
   */
  cards?:
    | Array<{
        header?: TemplateHeaderValue | undefined;
        variables?:
          | Array<string>
          | {
              [key: string]: string;
            }
          | undefined;
        buttons?:
          | Array<{
              /**
               * Position among all buttons, from 0.
               */
              index: number;
              /**
               * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
               */
              value: string;
            }>
          | undefined;
      }>
    | undefined;
};

export type CampaignsUpdateRequest = {
  template_id?: string | undefined;
  /**
   * If you send a channel, Tidings chooses the connection as for a new campaign. If you omit it, channel and connection stay.
   */
  channel?: Channel | undefined;
  name?: string | null | undefined;
  /**
   * Start time in UTC, within 365 days. Only drafts accept null, which means an immediate start.
   */
  scheduled_at?: string | null | undefined;
  send_before?: string | null | undefined;
  filter_tags?: Array<string> | null | undefined;
  filter_tags_mode?: "all" | "any" | null | undefined;
  filter_status?: ContactStatus | null | undefined;
  segment_id?: string | null | undefined;
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | null
    | undefined;
  header?: TemplateHeaderValue | null | undefined;
  buttons?:
    | Array<{
        /**
         * Position among all buttons, from 0.
         */
        index: number;
        /**
         * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
         */
        value: string;
      }>
    | null
    | undefined;
  cards?:
    | Array<{
        header?: TemplateHeaderValue | undefined;
        variables?:
          | Array<string>
          | {
              [key: string]: string;
            }
          | undefined;
        buttons?:
          | Array<{
              /**
               * Position among all buttons, from 0.
               */
              index: number;
              /**
               * By type: the end of the link's URL, the code to copy, the payload of a quick reply or the token of a flow.
               */
              value: string;
            }>
          | undefined;
      }>
    | null
    | undefined;
};

/**
 * Latest state of the message to this recipient.
 */
export type RecipientState = "pending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown";

export type CampaignsStartDraftRequest = {
  /**
   * Token from a preview of the same request by the same key, at most 10 minutes old. The campaign starts only if the audience has not changed since the preview.
   */
  audience_token?: string | undefined;
};

export type CampaignsTestRequest = {
  /**
   * International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.
   */
  to: string;
};

/**
 * A `done` conversation is `open` again when the person writes.
 */
export type ConversationStatus = "open" | "done";

export type ConversationsStartRequest = {
  contact_id: string;
};

export type ConversationsBulkUpdateRequest = (
  | {
      /**
       * Replaces the labels. If labels differ only in case or accents, the first is kept.
       */
      labels: Array<string>;
    }
  | {
      assignee_id: string | null;
    }
  | {
      status: ConversationStatus;
    }
) & {
  ids: Array<string>;
  status?: ConversationStatus | undefined;
  assignee_id?: string | null | undefined;
  /**
   * Replaces the labels. If labels differ only in case or accents, the first is kept.
   */
  labels?: Array<string> | undefined;
};

export type ConversationsUpdateRequest = (
  | {
      /**
       * Replaces the labels. If labels differ only in case or accents, the first is kept.
       */
      labels: Array<string>;
    }
  | {
      /**
       * Snoozes the conversation until this time in UTC, within 365 days, or until the person writes. Its status stays `open`. Null ends the snooze.
       */
      snoozed_until: string | null;
    }
  | {
      /**
       * Member to assign. Null unassigns the conversation.
       */
      assignee_id: string | null;
    }
  | {
      /**
       * `done` also ends a snooze; `open` reopens the conversation.
       */
      status: ConversationStatus;
    }
) & {
  /**
   * `done` also ends a snooze; `open` reopens the conversation.
   */
  status?: ConversationStatus | undefined;
  /**
   * Member to assign. Null unassigns the conversation.
   */
  assignee_id?: string | null | undefined;
  /**
   * Snoozes the conversation until this time in UTC, within 365 days, or until the person writes. Its status stays `open`. Null ends the snooze.
   */
  snoozed_until?: string | null | undefined;
  /**
   * Replaces the labels. If labels differ only in case or accents, the first is kept.
   */
  labels?: Array<string> | undefined;
};

export type ConversationsMarkReadRequest = {
  /**
   * `false` sends no read receipt. By default, the person receives a receipt if the provider supports receipts.
   */
  receipt?: boolean | undefined;
};

export type MediaUploadRequest = {
  /**
   * Public https URL. Tidings reads it once, within 15 seconds, with up to three redirects.
   */
  url: string;
  /**
   * File name for downloads. Stored exactly as sent.
   */
  filename?: string | undefined;
};

/**
 * Requires `phone` or `email`.
 */
export type ContactsUpsertRequest = (
  | {
      email: string;
    }
  | {
      /**
       * International format, with `+` or `00`. Spaces, dots, dashes and brackets are allowed. Numbers in a country's old format are accepted.
       */
      phone: string;
    }
) & {
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: ContactStatus | null | undefined;
  lifecycle_stage?: LifecycleStage | null | undefined;
  /**
   * Origin of the contact. Default: `api`.
   */
  source?: string | null | undefined;
  /**
   * How templates address the contact, like “Dear Alex”.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * True if the person opted out of all messages. The opt-out belongs to the number, so it applies to every contact with this number.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values of custom fields, by field key. Omitted fields stay unchanged.
   */
  custom_fields?:
    | {
        [key: string]: unknown;
      }
    | undefined;
  /**
   * Ignored.
   */
  id?: unknown;
  /**
   * Ignored.
   */
  marketing_opt_out?: unknown;
  /**
   * Ignored.
   */
  is_archived?: unknown;
  /**
   * Ignored.
   */
  external_ids?: unknown;
  /**
   * Ignored.
   */
  created_at?: unknown;
  /**
   * Ignored.
   */
  updated_at?: string | undefined;
  /**
   * Tags to add, by name or as returned in a contact. Other tags stay. An unknown name creates a tag.
   */
  tags?:
    | Array<
        | string
        | {
            id?: string | undefined;
            name: string;
            color?: string | undefined;
          }
      >
    | undefined;
  /**
   * `false` leaves an existing contact unchanged.
   */
  update?: boolean | undefined;
};

/**
 * Stage of the contact from first interest to customer and beyond, for your own use.
 */
export type LifecycleStage = "lead" | "prospect" | "negotiation" | "customer" | "churned";

export type ContactsUpsertBatchRequest = {
  /**
   * Bodies of `contacts.upsert`. Each body is validated separately.
   */
  contacts: Array<ContactsUpsertRequest>;
};

export type ContactsUpdateRequest = {
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: ContactStatus | null | undefined;
  lifecycle_stage?: LifecycleStage | null | undefined;
  /**
   * Origin of the contact. Default: `api`.
   */
  source?: string | null | undefined;
  /**
   * How templates address the contact, like “Dear Alex”.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * True if the person opted out of all messages. The opt-out belongs to the number, so it applies to every contact with this number.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values of custom fields, by field key. Omitted fields stay unchanged.
   */
  custom_fields?:
    | {
        [key: string]: unknown;
      }
    | undefined;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  id?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  marketing_opt_out?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  is_archived?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  external_ids?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  created_at?: unknown;
  /**
   * Ignored.
   */
  updated_at?: string | undefined;
  /**
   * Replaces the contact's tags. Send names, or tags as returned in a contact. An unknown name creates a tag.
   */
  tags?:
    | Array<
        | string
        | {
            id?: string | undefined;
            name: string;
            color?: string | undefined;
          }
      >
    | undefined;
};

export type ContactsPutRequest = {
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: ContactStatus | null | undefined;
  lifecycle_stage?: LifecycleStage | null | undefined;
  /**
   * Origin of the contact. Default: `api`.
   */
  source?: string | null | undefined;
  /**
   * How templates address the contact, like “Dear Alex”.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * True if the person opted out of all messages. The opt-out belongs to the number, so it applies to every contact with this number.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values of custom fields, by field key. Omitted fields stay unchanged.
   */
  custom_fields?:
    | {
        [key: string]: unknown;
      }
    | undefined;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  id?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  marketing_opt_out?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  is_archived?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  external_ids?: unknown;
  /**
   * Read-only. Accepted only if it equals the stored value.
   */
  created_at?: unknown;
  /**
   * Ignored.
   */
  updated_at?: string | undefined;
  /**
   * Replaces the contact's tags. Send names, or tags as returned in a contact. An unknown name creates a tag.
   */
  tags?:
    | Array<
        | string
        | {
            id?: string | undefined;
            name: string;
            color?: string | undefined;
          }
      >
    | undefined;
};

export type ContactsMergeRequest = {
  /**
   * Contact to merge into the contact in the path.
   */
  from: string;
  /**
   * `true` changes nothing and returns the result that the merge would have.
   */
  preview?: boolean | undefined;
};

export type ContactsBulkUpdateRequest = (
  | {
      ids?: never | undefined;
      /**
       * All contacts that currently match these query parameters of `contacts.list`.
       */
      filter: (
        | {
            /**
             * `true` (a boolean or a string) selects only archived contacts. By default, only active contacts are selected.
             */
            archived: boolean;
          }
        | {
            status: ContactStatus;
          }
        | {
            source: string;
          }
        | {
            /**
             * Only contacts with this tag, by name.
             */
            tag: string;
          }
        | {
            /**
             * Searches name, phone, email and company.
             */
            search: string;
          }
      ) & {
        /**
         * Searches name, phone, email and company.
         */
        search?: string | undefined;
        /**
         * Only contacts with this tag, by name.
         */
        tag?: string | undefined;
        source?: string | undefined;
        status?: ContactStatus | undefined;
        /**
         * `true` (a boolean or a string) selects only archived contacts. By default, only active contacts are selected.
         */
        archived?: boolean | undefined;
      };
    }
  | {
      /**
       * Ids of the contacts.
       */
      ids: Array<string>;
      filter?: never | undefined;
    }
) &
  (
    | {
        action: "archive" | "opt_out";
        tags?: never | undefined;
        set?: never | undefined;
      }
    | {
        action: "set";
        tags?: never | undefined;
        /**
         * Fields to change, for `set`. Null clears a field.
         */
        set: {
          name?: string | null | undefined;
          company?: string | null | undefined;
          status?: ContactStatus | null | undefined;
          lifecycle_stage?: LifecycleStage | null | undefined;
          /**
           * Origin of the contact. Default: `api`.
           */
          source?: string | null | undefined;
          /**
           * How templates address the contact, like “Dear Alex”.
           */
          address_as?: string | null | undefined;
          /**
           * Values of custom fields, by field key. Omitted fields stay unchanged.
           */
          custom_fields?:
            | {
                [key: string]: unknown;
              }
            | undefined;
        };
      }
    | {
        action: "add_tags" | "remove_tags";
        /**
         * Tag names, for `add_tags` and `remove_tags`.
         */
        tags: Array<string>;
        set?: never | undefined;
      }
  );

/**
 * `failed`: the job stopped, and `error` has the reason. Contacts that the job had already changed stay changed.
 */
export type JobStatus = "running" | "completed" | "failed";

export type TagsCreateRequest = {
  name: string;
  color?: string | undefined;
};

export type TagsUpdateRequest = {
  name?: string | undefined;
  color?: string | undefined;
};

export type CustomFieldsCreateRequest = (
  | {
      type: "text" | "number" | "boolean" | "date" | "datetime" | "country" | "url" | "email" | "phone";
      /**
       * Options of a select or multi_select field. Null for other types.
       */
      options?: null | undefined;
    }
  | {
      type: "select" | "multi_select";
      options: Array<string>;
    }
) & {
  field_key: string;
  label: string;
};

/**
 * Type of the values. A `date` is YYYY-MM-DD. A `country` has two letters.
 */
export type CustomFieldType =
  | "text"
  | "number"
  | "boolean"
  | "date"
  | "datetime"
  | "select"
  | "multi_select"
  | "country"
  | "url"
  | "email"
  | "phone";

export type CustomFieldsUpdateRequest = {
  field_key?: string | undefined;
  label?: string | undefined;
  type?: string | undefined;
  /**
   * Options of a select or multi_select field. Null for other types.
   */
  options?: Array<string> | null | undefined;
};

export type SegmentsCreateRequest = {
  name: string;
  filter: SegmentFilterInput;
};

/**
 * At most 20 conditions, including the conditions of a nested group.
 */
export type SegmentFilterInput = {
  match: SegmentMatch;
  conditions: Array<SegmentCondition | SegmentGroup>;
};

/**
 * Whether all conditions must match, or at least one.
 */
export type SegmentMatch = "all" | "any";

export type SegmentsUpdateRequest = {
  name?: string | undefined;
  filter?: SegmentFilterInput | undefined;
};

export type WebhooksCreateRequest = {
  /**
   * Public https URL. Must not be an address of this service.
   */
  url: string;
  /**
   * Text for your own use.
   */
  description?: string | null | undefined;
  /**
   * Event types, `<object>.*` for all types of an object, or `*`. Filters also accept these types, which no event has yet: `contact.erased`, `api_key.rotated`.
   */
  types: Array<string>;
  campaigns?: WebhookCampaigns | undefined;
  /**
   * Ids of connections. Events that belong to another connection are not sent. Null for all connections.
   */
  connection_ids?: Array<string> | null | undefined;
  /**
   * Collects events and sends them as `{events: […]}`, after `max_events` events or `max_wait_seconds` after the first event. Null sends each event separately.
   */
  batch?:
    | {
        /**
         * Number of events after which the batch is sent.
         */
        max_events: number;
        /**
         * Time after the first event at which the batch is sent.
         */
        max_wait_seconds: number;
      }
    | null
    | undefined;
  /**
   * Id of the event after which the webhook starts. Default: the newest event, so that the webhook receives only new events.
   */
  start_after?: string | undefined;
};

/**
 * Which message events to send: `include` sends all, `exclude` omits events of campaign messages, `only` sends just events of campaign messages.
 */
export type WebhookCampaigns = "include" | "exclude" | "only";

export type WebhooksUpdateRequest = {
  /**
   * Public https URL. Must not be an address of this service.
   */
  url?: string | undefined;
  /**
   * Text for your own use.
   */
  description?: string | null | undefined;
  /**
   * Event types, `<object>.*` for all types of an object, or `*`. Filters also accept these types, which no event has yet: `contact.erased`, `api_key.rotated`.
   */
  types?: Array<string> | undefined;
  campaigns?: WebhookCampaigns | undefined;
  /**
   * Ids of connections. Events that belong to another connection are not sent. Null for all connections.
   */
  connection_ids?: Array<string> | null | undefined;
  /**
   * Collects events and sends them as `{events: […]}`, after `max_events` events or `max_wait_seconds` after the first event. Null sends each event separately.
   */
  batch?:
    | {
        /**
         * Number of events after which the batch is sent.
         */
        max_events: number;
        /**
         * Time after the first event at which the batch is sent.
         */
        max_wait_seconds: number;
      }
    | null
    | undefined;
};

export type WebhooksRotateSecretRequest = {
  /**
   * How long requests are also signed with the previous secret.
   */
  overlap_seconds?: number | undefined;
};

export type WebhooksReplayRequest = {
  /**
   * Only events after this event.
   */
  after?: string | undefined;
  /**
   * Only events before this event.
   */
  before?: string | undefined;
  /**
   * Event types, `<object>.*` for all types of an object, or `*`. Filters also accept these types, which no event has yet: `contact.erased`, `api_key.rotated`.
   */
  types?: Array<string> | undefined;
  /**
   * `failed`: deliveries that failed at every attempt. `all`: every event of the log that matches the webhook.
   */
  only: "failed" | "all";
};

/**
 * `failed` after the last attempt. A replay sends the delivery again.
 */
export type WebhookDeliveryState = "pending" | "failed" | "succeeded";

export type ManageWorkspacesCreateRequest = {
  name: string;
  plan?: Plan | undefined;
  /**
   * Time zone for days in statistics, charts and the campaign calendar. An IANA name, such as `Europe/Berlin`. Case does not matter; the response has the official spelling.
   */
  time_zone?: string | undefined;
};

/**
 * `free` does not include API access.
 */
export type Plan = "free" | "growth" | "scale";

export type ManageWorkspacesUpdateRequest = {
  name?: string | undefined;
  plan?: Plan | undefined;
  /**
   * Time zone for days in statistics, charts and the campaign calendar. An IANA name, such as `Europe/Berlin`. Case does not matter; the response has the official spelling.
   */
  time_zone?: string | undefined;
  /**
   * True if the console hides the onboarding steps.
   */
  first_steps_hidden?: boolean | undefined;
};

export type ManageMembersUpdateRequest = {
  role: Role;
};

/**
 * Each role includes the permissions of the roles before it: `agent`, `admin`, `owner`.
 */
export type Role = "agent" | "admin" | "owner";

export type ManageInvitationsCreateRequest = {
  email: string;
  role: Role;
};

export type ManageConnectionsCreateRequest = (
  | {
      provider: "waha";
      channel: "unofficial";
      config: {
        base_url: string;
        session: string;
        api_key: string;
        webhook_hmac_key?: string | undefined;
      };
    }
  | {
      provider: "whatsapp_cloud";
      channel: "official";
      config: {
        phone_number_id: string;
        business_account_id: string;
        access_token: string;
        app_secret: string;
        verify_token?: string | undefined;
        /**
         * Id of the Meta app that uploads example files of templates.
         */
        app_id?: string | undefined;
        /**
         * Path of Meta's API that receives marketing templates. Default: `messages`.
         */
        marketing_route?: "messages" | "marketing_messages" | undefined;
        /**
         * True if the WhatsApp Business app also uses the number. Meta limits such a number to 20 messages per second.
         */
        coexistence?: boolean | undefined;
        api_base?: string | undefined;
        api_version?: string | undefined;
      };
    }
  | {
      provider: "sandbox";
      channel: "official" | "unofficial";
      config: {};
    }
) & {
  name: string;
  messages_per_second?: number | undefined;
  is_default?: boolean | undefined;
};

/**
 * `sandbox` simulates a phone network inside Tidings, so nobody receives its messages.
 */
export type Provider = "sandbox" | "whatsapp_cloud" | "waha";

export type ManageConnectionsUpdateRequest = {
  name?: string | undefined;
  messages_per_second?: number | undefined;
  is_default?: boolean | undefined;
  /**
   * Settings of the provider. The sandbox requires {}.
   */
  config?:
    | {
        [key: string]: never;
      }
    | {
        phone_number_id: string;
        business_account_id: string;
        access_token: string;
        app_secret: string;
        verify_token?: string | undefined;
        /**
         * Id of the Meta app that uploads example files of templates.
         */
        app_id?: string | undefined;
        /**
         * Path of Meta's API that receives marketing templates. Default: `messages`.
         */
        marketing_route?: "messages" | "marketing_messages" | undefined;
        /**
         * True if the WhatsApp Business app also uses the number. Meta limits such a number to 20 messages per second.
         */
        coexistence?: boolean | undefined;
        api_base?: string | undefined;
        api_version?: string | undefined;
      }
    | {
        base_url: string;
        session: string;
        api_key: string;
        webhook_hmac_key?: string | undefined;
      }
    | undefined;
};

/**
 * Requires `from` and exactly one content.
 */
export type ManageConnectionsSimulateRequest = (
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported: {
        kind: string;
        provider_code?: string | undefined;
        title?: string | undefined;
        reason?: string | undefined;
      };
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      /**
       * An empty `emoji` removes the reaction.
       */
      reaction: {
        message_id: string;
        emoji: string;
      };
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order: {
        catalog_id?: string | undefined;
        text?: string | undefined;
        products: Array<{
          product_id: string;
          quantity: number;
          price?: number | undefined;
          currency?: string | undefined;
        }>;
      };
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply: {
        name?: string | undefined;
        body?: string | undefined;
        response: {
          [key: string]: string | number | boolean | null;
        };
      };
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply: {
        id: string;
        title: string;
        description?: string | undefined;
      };
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply: {
        id: string;
        title: string;
      };
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts: Array<{
        name: {
          formatted_name: string;
          first_name?: string | undefined;
          last_name?: string | undefined;
        };
        phones: Array<{
          phone: string;
          type?: string | undefined;
          wa_id?: string | undefined;
          user_id?: string | undefined;
        }>;
        emails?:
          | Array<{
              email: string;
              type?: string | undefined;
            }>
          | undefined;
        org?:
          | {
              company?: string | undefined;
              department?: string | undefined;
              title?: string | undefined;
            }
          | undefined;
        addresses?:
          | Array<{
              street?: string | undefined;
              city?: string | undefined;
              state?: string | undefined;
              zip?: string | undefined;
              country?: string | undefined;
              country_code?: string | undefined;
              type?: string | undefined;
            }>
          | undefined;
        urls?:
          | Array<{
              url: string;
              type?: string | undefined;
            }>
          | undefined;
        birthday?: string | undefined;
        user_id?: string | undefined;
        origin?: string | undefined;
      }>;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location: {
        latitude: number;
        longitude: number;
        name?: string | undefined;
        address?: string | undefined;
        url?: string | undefined;
      };
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker: (
        | {
            media_id?: never | undefined;
            url: string;
          }
        | {
            /**
             * Id of a stored file. The workspace receives a copy.
             */
            media_id: string;
            url?: never | undefined;
          }
      ) & {
        mime_type?: string | undefined;
        caption?: string | undefined;
        filename?: string | undefined;
        voice?: boolean | undefined;
      };
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document: (
        | {
            media_id?: never | undefined;
            url: string;
          }
        | {
            /**
             * Id of a stored file. The workspace receives a copy.
             */
            media_id: string;
            url?: never | undefined;
          }
      ) & {
        mime_type?: string | undefined;
        caption?: string | undefined;
        filename?: string | undefined;
        voice?: boolean | undefined;
      };
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video?: never | undefined;
      audio: (
        | {
            media_id?: never | undefined;
            url: string;
          }
        | {
            /**
             * Id of a stored file. The workspace receives a copy.
             */
            media_id: string;
            url?: never | undefined;
          }
      ) & {
        mime_type?: string | undefined;
        caption?: string | undefined;
        filename?: string | undefined;
        voice?: boolean | undefined;
      };
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image?: never | undefined;
      video: (
        | {
            media_id?: never | undefined;
            url: string;
          }
        | {
            /**
             * Id of a stored file. The workspace receives a copy.
             */
            media_id: string;
            url?: never | undefined;
          }
      ) & {
        mime_type?: string | undefined;
        caption?: string | undefined;
        filename?: string | undefined;
        voice?: boolean | undefined;
      };
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text?: never | undefined;
      image: (
        | {
            media_id?: never | undefined;
            url: string;
          }
        | {
            /**
             * Id of a stored file. The workspace receives a copy.
             */
            media_id: string;
            url?: never | undefined;
          }
      ) & {
        mime_type?: string | undefined;
        caption?: string | undefined;
        filename?: string | undefined;
        voice?: boolean | undefined;
      };
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
  | {
      text: string;
      image?: never | undefined;
      video?: never | undefined;
      audio?: never | undefined;
      document?: never | undefined;
      sticker?: never | undefined;
      location?: never | undefined;
      contacts?: never | undefined;
      button_reply?: never | undefined;
      list_reply?: never | undefined;
      form_reply?: never | undefined;
      order?: never | undefined;
      reaction?: never | undefined;
      unsupported?: never | undefined;
    }
) & {
  /**
   * Phone number, or any other id for a person without a number.
   */
  from: string;
  name?: string | undefined;
  /**
   * Message of the conversation to quote.
   */
  reply_to?: string | undefined;
  forwarded?: boolean | undefined;
  /**
   * Advertisement or product that led the person to write.
   */
  referral?:
    | {
        source_type?: string | undefined;
        source_id?: string | undefined;
        source_url?: string | undefined;
        headline?: string | undefined;
        body?: string | undefined;
        media_type?: string | undefined;
        image_url?: string | undefined;
        video_url?: string | undefined;
        thumbnail_url?: string | undefined;
        click_id?: string | undefined;
        catalog_id?: string | undefined;
        product_id?: string | undefined;
      }
    | undefined;
};

export type ManageApiKeysCreateRequest = {
  name: string;
  connection_id: string;
  expires_at?: string | null | undefined;
  read_only?: boolean | undefined;
  rate_limit?:
    | {
        requests: number;
        window_seconds: number;
      }
    | null
    | undefined;
};

export type ManageApiKeysUpdateRequest = {
  name?: string | undefined;
  expires_at?: string | null | undefined;
  read_only?: boolean | undefined;
  rate_limit?:
    | {
        requests: number;
        window_seconds: number;
      }
    | null
    | undefined;
};

export type ErrorAnswer = {
  success: false;
  error: Refusal;
  /**
   * The response's `X-Request-Id`. Include this id in reports.
   */
  request_id: string;
};

export type Refusal =
  | InvalidJsonRefusal
  | ValidationFailedRefusal
  | UnauthorizedRefusal
  | PlanRequiredRefusal
  | ForbiddenRefusal
  | NotFoundRefusal
  | MethodNotAllowedRefusal
  | ConflictRefusal
  | InvalidStateRefusal
  | CursorExpiredRefusal
  | PreconditionFailedRefusal
  | PayloadTooLargeRefusal
  | RangeNotSatisfiableRefusal
  | UnsupportedMediaTypeRefusal
  | WindowClosedRefusal
  | TemplateNotApprovedRefusal
  | ChannelMismatchRefusal
  | MissingVariableRefusal
  | NoRecipientsRefusal
  | UnsubscribedRefusal
  | UnsupportedMessageRefusal
  | UnreachableRefusal
  | MediaInvalidRefusal
  | IdempotencyKeyReusedRefusal
  | RateLimitedRefusal
  | InternalRefusal
  | ProviderRefusal
  | UnavailableRefusal;

export type InvalidJsonRefusal = {
  code: "invalid_json";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type ValidationFailedRefusal = {
  code: "validation_failed";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: Array<Fault>;
};

export type Fault = {
  /**
   * Location of the fault: `custom_fields.plan`, `query.limit`, `header.idempotency-key`.
   */
  path: string;
  /**
   * Reason, for programs: `required`, `unknown_field`, `too_big` …
   */
  code: string;
  /**
   * Reason, for people.
   */
  message: string;
};

export type UnauthorizedRefusal = {
  code: "unauthorized";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type PlanRequiredRefusal = {
  code: "plan_required";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type ForbiddenRefusal = {
  code: "forbidden";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type NotFoundRefusal = {
  code: "not_found";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  /**
   * Id to use instead, if the record was merged into another record.
   */
  details: {
    merged_into: string;
  } | null;
};

export type MethodNotAllowedRefusal = {
  code: "method_not_allowed";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type ConflictRefusal = {
  code: "conflict";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  /**
   * Conflicting field, and the id of the other record.
   */
  details: {
    field?: string | undefined;
    contact_id?: string | undefined;
    /**
     * Number of contacts that the campaign can currently reach.
     */
    recipient_count?: number | undefined;
    /**
     * Number of excluded contacts by reason.
     */
    excluded?:
      | {
          [key: string]: number;
        }
      | undefined;
    [key: string]: unknown;
  };
};

export type InvalidStateRefusal = {
  code: "invalid_state";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  /**
   * Current state of the record.
   */
  details: {
    status?: string | undefined;
    [key: string]: unknown;
  };
};

export type CursorExpiredRefusal = {
  code: "cursor_expired";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  /**
   * Id of the oldest stored event.
   */
  details: {
    oldest: string;
  };
};

export type PreconditionFailedRefusal = {
  code: "precondition_failed";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    /**
     * Current revision of the record.
     */
    revision: number;
  };
};

export type PayloadTooLargeRefusal = {
  code: "payload_too_large";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type RangeNotSatisfiableRefusal = {
  code: "range_not_satisfiable";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    /**
     * Size of the file.
     */
    bytes: number;
  };
};

export type UnsupportedMediaTypeRefusal = {
  code: "unsupported_media_type";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type WindowClosedRefusal = {
  code: "window_closed";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    last_inbound_at: string | null;
    expired_at: string | null;
  };
};

export type TemplateNotApprovedRefusal = {
  code: "template_not_approved";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    status: string;
  };
};

export type ChannelMismatchRefusal = {
  code: "channel_mismatch";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  /**
   * Parts of the template that Tidings does not support yet, if these caused the error.
   */
  details: {
    missing: Array<string>;
  } | null;
};

export type MissingVariableRefusal = {
  code: "missing_variable";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    variables: Array<string>;
  };
};

export type NoRecipientsRefusal = {
  code: "no_recipients";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    /**
     * Number of excluded contacts by reason.
     */
    excluded: {
      [key: string]: number;
    };
  };
};

export type UnsubscribedRefusal = {
  code: "unsubscribed";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    /**
     * Null if no contact has this number yet.
     */
    contact_id: string | null;
    /**
     * Present if the person opted out of marketing only.
     */
    reason?: "marketing_opt_out" | undefined;
    [key: string]: unknown;
  };
};

export type UnsupportedMessageRefusal = {
  code: "unsupported_message";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    type: string;
    provider: string;
  };
};

export type UnreachableRefusal = {
  code: "unreachable";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    contact_id: string | null;
  };
};

export type MediaInvalidRefusal = {
  code: "media_invalid";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    /**
     * `wrong_type`, `too_large`, `empty`, `wrong_length`, `not_fetched` or `not_stored`; for a template's example also `app_id_missing`.
     */
    reason: string;
    /**
     * Maximum size in bytes.
     */
    limit?: number | undefined;
  };
};

export type IdempotencyKeyReusedRefusal = {
  code: "idempotency_key_reused";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type RateLimitedRefusal = {
  code: "rate_limited";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type InternalRefusal = {
  code: "internal_error";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type ProviderRefusal = {
  code: "provider_error";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: {
    provider: string;
    provider_code: string | null;
    detail: string;
  };
};

export type UnavailableRefusal = {
  code: "unavailable";
  /**
   * Message for people: what happened, and what to do.
   */
  message: string;
  details: null;
};

export type MeGetAnswer = {
  success: true;
  workspace: {
    id: string;
    name: string;
    plan: Plan;
  };
  connection: {
    id: string;
    name: string;
    channel: Channel;
    provider: Provider;
    status: ConnectionStatus;
  };
  api_key: {
    id: string;
    name: string;
    read_only: boolean;
    /**
     * Null if the key has all permissions that `read_only` allows.
     */
    scopes: Array<string> | null;
    expires_at: string | null;
    /**
     * Limit that applies to the key: its own limit, or otherwise the limit of the workspace's plan.
     */
    rate_limit: {
      requests: number;
      window_seconds: number;
    };
  };
  usage: {
    /**
     * Requests in the current window of the limit, including this request, as in the `RateLimit` headers.
     */
    requests: {
      used: number;
      remaining: number;
      reset_seconds: number;
    };
  };
};

/**
 * Only `active` connections can send.
 */
export type ConnectionStatus = "active" | "disconnected" | "error";

export type MessagesSendAnswer = {
  success: true;
  message_id: string;
  conversation_id: string;
  contact_id: string;
  /**
   * `scheduled` if the message has a `send_at`.
   */
  status: "queued" | "scheduled";
};

export type MessagesListAnswer = {
  success: true;
  messages: Array<Message>;
  next_cursor: string | null;
};

export type Message = MessageContent & {
  id: string;
  conversation_id: string | null;
  contact_id: string;
  campaign_id: string | null;
  template_id: string | null;
  /**
   * Null for people without a phone number.
   */
  to: string | null;
  /**
   * The content as one readable line, for every type of message.
   */
  body: string;
  /**
   * True for received messages.
   */
  from_contact: boolean;
  delivery: MessageDelivery;
  /**
   * Provider's id of the message.
   */
  provider_message_id: string | null;
  error: MessageError | null;
  created_at: string;
  /**
   * When the provider accepted the message.
   */
  sent_at: string | null;
  /**
   * When the message reached the device.
   */
  delivered_at: string | null;
  read_at: string | null;
  failed_at: string | null;
  type: MessageType;
  /**
   * The message's content, with fields that depend on `type`. Null for local templates and revoked messages.
   */
  content: unknown;
  /**
   * Message that this message quotes or reacts to, if known.
   */
  reply_to: string | null;
  /**
   * Provider's id of the message that this message quotes or reacts to, if Tidings has not stored that message.
   */
  reply_to_provider_id: string | null;
  /**
   * Reactions to the message, at most one from the person and one from the workspace.
   */
  reactions: Array<{
    emoji: string;
    from_contact: boolean;
    at: string;
  }>;
  /**
   * `workspace`: a member, software, a campaign or the account's own phone. `provider_agent`: the provider's own agent, such as Meta's.
   */
  sent_by: "contact" | "workspace" | "provider_agent";
  /**
   * True if the provider's own agent handles or sent the message. If you send a message, you take over the conversation from the agent.
   */
  standby: boolean;
  /**
   * True if the person forwarded the message from another chat.
   */
  forwarded: boolean;
  /**
   * Advertisement or product that led the person to write.
   */
  referral: Referral | null;
  /**
   * Your own strings, as sent with the message.
   */
  metadata: {
    [key: string]: string;
  } | null;
  /**
   * Requested send time of a scheduled message.
   */
  send_at: string | null;
  /**
   * Pricing that the provider reported in the message's status updates.
   */
  cost: {
    billable: boolean | null;
    category: string | null;
    type: string | null;
  } | null;
  /**
   * When the author last edited the message. `body` is the current text.
   */
  edited_at: string | null;
  /**
   * When the author revoked the message.
   */
  revoked_at: string | null;
  /**
   * Earlier texts of the message, one for each edit or revocation, oldest first.
   */
  versions: Array<{
    body: string;
    written_at: string;
  }>;
};

export type MessageError = {
  code: MessageErrorCode;
  /**
   * Explanation for people.
   */
  message: string;
  /**
   * Provider's own error code, if any.
   */
  provider_code: string | null;
};

/**
 * Why the message failed, or why a campaign skipped it. Skipped messages appear only in events and in the campaign's recipients.
 */
export type MessageErrorCode =
  | "invalid_recipient"
  | "undeliverable"
  | "frequency_capped"
  | "window_closed"
  | "unsubscribed"
  | "template_rejected"
  | "rate_limited"
  | "account_blocked"
  | "provider_unreachable"
  | "provider_rejected"
  | "unsupported_message"
  | "unreachable"
  | "media_invalid"
  | "marketing_opt_out"
  | "archived"
  | "duplicate"
  | "missing_variable"
  | "too_long"
  | "expired"
  | "cancelled"
  | "restored";

/**
 * `button_reply` and the types after it in this list occur only in received messages. `note` occurs only in a conversation's messages with `include=notes`.
 */
export type MessageType =
  | "text"
  | "template"
  | "note"
  | "image"
  | "video"
  | "audio"
  | "document"
  | "sticker"
  | "location"
  | "contacts"
  | "interactive"
  | "reaction"
  | "button_reply"
  | "list_reply"
  | "form_reply"
  | "order"
  | "unsupported";

/**
 * The message's content. Its fields depend on `type`: a text for `text`, a file with its `media_id` for `image`, and so on.
 */
export type MessageContent =
  | {
      type: "text" | "note";
      content: string | null;
    }
  | {
      type: "template";
      content: TemplateContent | null;
    }
  | {
      type: "image" | "video" | "audio" | "document" | "sticker";
      content: MediaContent | null;
    }
  | {
      type: "location";
      content: LocationContent | null;
    }
  | {
      type: "contacts";
      content: Array<ContactCard> | null;
    }
  | {
      type: "interactive";
      content: InteractiveContent | null;
    }
  | {
      type: "reaction";
      content: ReactionContent | null;
    }
  | {
      type: "button_reply";
      content: ButtonReplyContent | null;
    }
  | {
      type: "list_reply";
      content: ListReplyContent | null;
    }
  | {
      type: "form_reply";
      content: FormReplyContent | null;
    }
  | {
      type: "order";
      content: OrderContent | null;
    }
  | {
      type: "unsupported";
      content: UnsupportedContent | null;
    };

export type TemplateContent = {
  name: string;
  language: string;
  [key: string]: unknown;
};

export type MediaContent = {
  media_id: string;
  mime_type?: string | undefined;
  caption?: string | undefined;
  filename?: string | undefined;
  voice?: boolean | undefined;
};

export type LocationContent = {
  latitude: number;
  longitude: number;
  name?: string | undefined;
  address?: string | undefined;
  /**
   * Web address of the location, in received messages.
   */
  url?: string | undefined;
};

export type ContactCard = {
  name: {
    formatted_name: string;
    first_name?: string | undefined;
    last_name?: string | undefined;
  };
  phones: Array<{
    phone: string;
    type?: string | undefined;
    /**
     * The number's WhatsApp id. With it, you can open a chat with this person from the card.
     */
    wa_id?: string | undefined;
    /**
     * WhatsApp's user id, in received messages.
     */
    user_id?: string | undefined;
  }>;
  emails?:
    | Array<{
        email: string;
        type?: string | undefined;
      }>
    | undefined;
  org?:
    | {
        company?: string | undefined;
        department?: string | undefined;
        title?: string | undefined;
      }
    | undefined;
  addresses?:
    | Array<{
        street?: string | undefined;
        city?: string | undefined;
        state?: string | undefined;
        zip?: string | undefined;
        country?: string | undefined;
        country_code?: string | undefined;
        type?: string | undefined;
      }>
    | undefined;
  urls?:
    | Array<{
        url: string;
        type?: string | undefined;
      }>
    | undefined;
  birthday?: string | undefined;
  /**
   * WhatsApp's user id of the person on the card, in received messages.
   */
  user_id?: string | undefined;
  /**
   * `contact_request` if the person sent the card with a button that requests it. Only in received messages.
   */
  origin?: string | undefined;
};

export type InteractiveContent = ButtonsContent | ListContent | LinkContent | LocationRequestContent;

export type ButtonsContent = {
  type: "buttons";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  buttons: Array<{
    id: string;
    title: string;
  }>;
};

export type ListContent = {
  type: "list";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  button: string;
  sections: Array<{
    title?: string | undefined;
    rows: Array<{
      id: string;
      title: string;
      description?: string | undefined;
    }>;
  }>;
};

export type LinkContent = {
  type: "link";
  body: string;
  header?: string | undefined;
  footer?: string | undefined;
  title: string;
  url: string;
};

export type LocationRequestContent = {
  type: "location_request";
  body: string;
};

export type ReactionContent = {
  message_id?: string | undefined;
  emoji: string;
};

export type ButtonReplyContent = {
  id: string;
  title: string;
};

export type ListReplyContent = {
  id: string;
  title: string;
  description?: string | undefined;
};

export type FormReplyContent = {
  name?: string | undefined;
  body?: string | undefined;
  response: unknown;
};

export type OrderContent = {
  catalog_id?: string | undefined;
  text?: string | undefined;
  products: Array<{
    product_id: string;
    quantity: number;
    price?: number | undefined;
    currency?: string | undefined;
  }>;
};

export type UnsupportedContent = {
  kind: string;
  /**
   * Provider's code for the reason why the message is unsupported.
   */
  provider_code?: string | undefined;
  /**
   * Provider's short text about this reason.
   */
  title?: string | undefined;
  reason?: string | undefined;
  content?: unknown;
};

export type Referral = {
  source_type?: string | undefined;
  source_id?: string | undefined;
  source_url?: string | undefined;
  headline?: string | undefined;
  body?: string | undefined;
  media_type?: string | undefined;
  image_url?: string | undefined;
  video_url?: string | undefined;
  thumbnail_url?: string | undefined;
  click_id?: string | undefined;
  welcome_message?: string | undefined;
  catalog_id?: string | undefined;
  product_id?: string | undefined;
};

export type MessagesSendBatchAnswer = {
  success: true;
  results: Array<{
    index: number;
    status: "queued" | "scheduled" | "failed";
    message_id: string | null;
    conversation_id: string | null;
    contact_id: string | null;
    error: Refusal | null;
  }>;
  counts: {
    queued: number;
    scheduled: number;
    failed: number;
  };
};

export type TemplatesSendAnswer = {
  success: true;
  message_id: string;
  conversation_id: string;
  contact_id: string;
  /**
   * `scheduled` if the message has a `send_at`.
   */
  status: "queued" | "scheduled";
};

export type MessagesCancelAnswer = {
  success: true;
  message: Message;
};

export type MessagesGetAnswer = {
  success: true;
  message: Message;
};

export type ConversationsReplyAnswer = {
  success: true;
  message_id: string;
  conversation_id: string;
  contact_id: string;
  /**
   * `scheduled` if the message has a `send_at`.
   */
  status: "queued" | "scheduled";
};

export type ConversationsMessagesAnswer = {
  success: true;
  messages: Array<ConversationMessage>;
  next_cursor: string | null;
};

export type ConversationMessage = MessageContent & {
  id: string;
  body: string;
  /**
   * True for received messages.
   */
  from_contact: boolean;
  /**
   * Null for notes, because notes are never sent.
   */
  delivery: MessageDelivery | null;
  created_at: string;
  type: MessageType;
  /**
   * The message's content, with fields that depend on `type`. Null for local templates and revoked messages.
   */
  content: unknown;
  /**
   * Message that this message quotes or reacts to, if known.
   */
  reply_to: string | null;
  /**
   * Provider's id of the message that this message quotes or reacts to, if Tidings has not stored that message.
   */
  reply_to_provider_id: string | null;
  /**
   * Reactions to the message, at most one from the person and one from the workspace.
   */
  reactions: Array<{
    emoji: string;
    from_contact: boolean;
    at: string;
  }>;
  /**
   * `workspace`: a member, software, a campaign or the account's own phone. `provider_agent`: the provider's own agent, such as Meta's.
   */
  sent_by: "contact" | "workspace" | "provider_agent";
  /**
   * True if the provider's own agent handles or sent the message. If you send a message, you take over the conversation from the agent.
   */
  standby: boolean;
  /**
   * True if the person forwarded the message from another chat.
   */
  forwarded: boolean;
  /**
   * Advertisement or product that led the person to write.
   */
  referral: Referral | null;
  /**
   * Your own strings, as sent with the message.
   */
  metadata: {
    [key: string]: string;
  } | null;
  /**
   * Requested send time of a scheduled message.
   */
  send_at: string | null;
  /**
   * Pricing that the provider reported in the message's status updates.
   */
  cost: {
    billable: boolean | null;
    category: string | null;
    type: string | null;
  } | null;
  /**
   * When the author last edited the message. `body` is the current text.
   */
  edited_at: string | null;
  /**
   * When the author revoked the message.
   */
  revoked_at: string | null;
  /**
   * Author of a note.
   */
  author: NoteAuthor | null;
  /**
   * Mentioned members.
   */
  mentions: Array<{
    id: string;
    name: string | null;
  }>;
};

export type NoteAuthor = {
  type: "member" | "api_key";
  id: string;
  /**
   * Name of the member. Null if software wrote the note.
   */
  name: string | null;
};

export type ConversationsAddNoteAnswer = {
  success: true;
  message: ConversationMessage;
};

export type TemplatesListAnswer = {
  success: true;
  templates: Array<Template>;
  next_cursor: string | null;
};

export type Template = {
  id: string;
  name: string;
  body: string;
  status: TemplateStatus;
  source: TemplateSource;
  /**
   * Null for local templates.
   */
  connection_id: string | null;
  language: string | null;
  category: string | null;
  /**
   * Names of the variables. If you send values as a list, use this order.
   */
  variables: Array<string>;
  /**
   * Header, body, footer, buttons and cards as the provider stores them, in Meta's format. Empty for local templates.
   */
  components: Array<unknown>;
  /**
   * Provider's rating: GREEN, YELLOW, RED or UNKNOWN.
   */
  quality: string | null;
  /**
   * Provider's reason for the rejection.
   */
  rejection_reason: string | null;
  /**
   * True if the template is approved and Tidings supports all its values.
   */
  sendable: boolean;
  /**
   * Values that a send requires besides `variables`: a header, such as `header.image` or `header.location`, and values of cards, such as `cards.0.header.video`, `cards.1.body.1` or `cards.1.buttons.0`. An approved template that is not `sendable` requires values that Tidings does not support yet, such as `limited_time_offer` or `buttons.0.mpm`.
   */
  missing: Array<string>;
  created_at: string;
  updated_at: string;
};

export type TemplatesCreateAnswer = {
  success: true;
  template: Template;
};

export type TemplatesGetAnswer = {
  success: true;
  template: Template;
};

export type TemplatesUpdateAnswer = {
  success: true;
  template: Template;
};

export type TemplatesDeleteAnswer = {
  success: true;
  template: Template;
};

export type CannedRepliesListAnswer = {
  success: true;
  canned_replies: Array<CannedReply>;
  next_cursor: string | null;
};

export type CannedReply = {
  id: string;
  shortcut: string;
  body: string;
  /**
   * Names of the variables, in the order in which they occur in the text.
   */
  variables: Array<string>;
  created_at: string;
  updated_at: string;
};

export type CannedRepliesCreateAnswer = {
  success: true;
  canned_reply: CannedReply;
};

export type CannedRepliesGetAnswer = {
  success: true;
  canned_reply: CannedReply;
};

export type CannedRepliesUpdateAnswer = {
  success: true;
  canned_reply: CannedReply;
};

export type CannedRepliesDeleteAnswer = {
  success: true;
  canned_reply: CannedReply;
};

export type CampaignsListAnswer = {
  success: true;
  campaigns: Array<Campaign>;
  next_cursor: string | null;
};

export type Campaign = {
  campaign_id: string;
  name: string;
  template_id: string;
  channel: Channel;
  connection_id: string;
  status: CampaignStatus;
  /**
   * Counted when the campaign starts, and corrected when the list of recipients is complete (`audience_ready_at`).
   */
  recipient_count: number;
  /**
   * When the list of recipients was complete.
   */
  audience_ready_at: string | null;
  /**
   * Number of recipients by the latest state of their message. After `audience_ready_at`, the numbers add up to `recipient_count`.
   */
  counts: {
    /**
     * Messages that are queued, are being sent, or wait for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * Messages that the provider might have received. Tidings never sends them again automatically.
     */
    unknown: number;
  };
  /**
   * Numbers of billable and free messages by category, from the provider's status updates.
   */
  cost: {
    [key: string]: {
      billable: number;
      free: number;
    };
  };
  /**
   * Send rate over the last few seconds. Null if the campaign is not running.
   */
  rate_per_second: number | null;
  /**
   * Estimated end of sending at the current rate.
   */
  estimated_completion_at: string | null;
  scheduled_at: string | null;
  /**
   * Messages that are not sent before this time are skipped.
   */
  send_before: string | null;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
  /**
   * Reason for a failure or an automatic pause.
   */
  last_error: string | null;
};

/**
 * A `draft` has not been started. `completed`, `cancelled` and `failed` are final.
 */
export type CampaignStatus = "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed";

export type CampaignsStartAnswer = {
  success: true;
  campaign_id: string;
  recipient_count: number;
  status: "running" | "scheduled";
};

export type CampaignsPreviewAnswer = {
  success: true;
  recipient_count: number;
  /**
   * Contacts that match the filters but cannot be reached, by reason.
   */
  excluded: {
    archived: number;
    unsubscribed: number;
    marketing_opt_out: number;
    /**
     * Contacts with neither a phone number nor a user id.
     */
    no_phone: number;
    /**
     * Contacts without a phone number whose user id belongs to another provider or business account.
     */
    no_address: number;
    duplicate: number;
  };
  /**
   * Up to 5 messages, as they would be sent.
   */
  samples: Array<{
    contact_id: string;
    phone: string | null;
    body: string;
    /**
     * Header, buttons and cards, as in the message's `content`. Null for local templates.
     */
    content: TemplateContent | null;
  }>;
  /**
   * Send this token with the same request to start the campaign. It starts only if the audience has not changed since the preview. Valid for 10 minutes.
   */
  audience_token: string;
};

export type CampaignsGetAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsUpdateAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsPauseAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsResumeAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsCancelAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsRecipientsAnswer = {
  success: true;
  recipients: Array<CampaignRecipient>;
  next_cursor: string | null;
};

export type CampaignRecipient = {
  contact_id: string;
  /**
   * Current name of the contact.
   */
  name: string | null;
  /**
   * Null for people without a phone number.
   */
  phone: string | null;
  /**
   * Provider's user id of a person without a phone number.
   */
  user_id: string | null;
  state: RecipientState;
  /**
   * Reason for a failure, as in messages, or for a skip: `unsubscribed`, `marketing_opt_out`, `archived`, `duplicate` (the number already received the message), `missing_variable`, `too_long`, `expired`, `cancelled`.
   */
  reason: string | null;
  /**
   * Null if the campaign sends no message to this recipient.
   */
  message_id: string | null;
  updated_at: string;
};

export type CampaignsDuplicateAnswer = {
  success: true;
  campaign: Campaign;
};

export type CampaignsPreviewDraftAnswer = {
  success: true;
  recipient_count: number;
  /**
   * Contacts that match the filters but cannot be reached, by reason.
   */
  excluded: {
    archived: number;
    unsubscribed: number;
    marketing_opt_out: number;
    /**
     * Contacts with neither a phone number nor a user id.
     */
    no_phone: number;
    /**
     * Contacts without a phone number whose user id belongs to another provider or business account.
     */
    no_address: number;
    duplicate: number;
  };
  /**
   * Up to 5 messages, as they would be sent.
   */
  samples: Array<{
    contact_id: string;
    phone: string | null;
    body: string;
    /**
     * Header, buttons and cards, as in the message's `content`. Null for local templates.
     */
    content: TemplateContent | null;
  }>;
  /**
   * Send this token with the same request to start the campaign. It starts only if the audience has not changed since the preview. Valid for 10 minutes.
   */
  audience_token: string;
};

export type CampaignsStartDraftAnswer = {
  success: true;
  campaign_id: string;
  recipient_count: number;
  status: "running" | "scheduled";
};

export type CampaignsTestAnswer = {
  success: true;
  message_id: string;
  conversation_id: string;
  contact_id: string;
  /**
   * `scheduled` if the message has a `send_at`.
   */
  status: "queued" | "scheduled";
  /**
   * Contact fields without a value. The message has samples in their place.
   */
  sample_variables: Array<string>;
};

export type ConversationsListAnswer = {
  success: true;
  conversations: Array<Conversation>;
  next_cursor: string | null;
};

export type Conversation = {
  id: string;
  contact: {
    id: string;
    name: string | null;
    phone: string | null;
  };
  connection_id: string;
  channel: Channel;
  /**
   * Latest message from either side, as one readable line. Null before the first message.
   */
  last_message: string | null;
  /**
   * Time of the last message. Before the first message, the time when the conversation was started.
   */
  last_message_at: string;
  /**
   * Messages from the person since the conversation was last marked as read.
   */
  unread_count: number;
  status: ConversationStatus;
  /**
   * Member who is responsible for the conversation.
   */
  assignee: {
    id: string;
    name: string;
  } | null;
  /**
   * Null if the conversation is not snoozed.
   */
  snoozed_until: string | null;
  labels: Array<string>;
};

export type ConversationsStartAnswer = {
  success: true;
  conversation: Conversation;
  created: boolean;
};

export type ConversationsBulkUpdateAnswer = {
  success: true;
  results: Array<{
    index: number;
    status: "updated" | "unchanged" | "failed";
    conversation_id: string;
    error: Refusal | null;
  }>;
  counts: {
    updated: number;
    unchanged: number;
    failed: number;
  };
};

export type ConversationsGetAnswer = {
  success: true;
  conversation: Conversation;
};

export type ConversationsUpdateAnswer = {
  success: true;
  conversation: Conversation;
};

export type ConversationsMarkReadAnswer = {
  success: true;
  conversation: Conversation;
};

export type MembersListAnswer = {
  success: true;
  members: Array<MemberSummary>;
  next_cursor: string | null;
};

export type MemberSummary = {
  id: string;
  name: string;
  role: Role;
};

export type MediaUploadAnswer = {
  success: true;
  media: Media;
};

export type Media = {
  id: string;
  /**
   * Type detected from the bytes, or the announced type before the bytes are stored.
   */
  mime_type: string | null;
  bytes: number | null;
  /**
   * SHA-256 of the bytes, in hexadecimal.
   */
  sha256: string | null;
  filename: string | null;
  /**
   * `pending`: the file is being downloaded. `expired`: its bytes were deleted after 365 days.
   */
  status: MediaStatus;
  /**
   * Reason for the failure.
   */
  reason: string | null;
  created_at: string;
};

export type MediaStatus = "pending" | "stored" | "failed" | "expired";

export type MediaListAnswer = {
  success: true;
  media: Array<Media>;
  next_cursor: string | null;
};

export type MediaGetAnswer = {
  success: true;
  media: Media;
};

export type MediaDeleteAnswer = {
  success: true;
  media: Media;
};

export type ContactsListAnswer = {
  success: true;
  contacts: Array<Contact>;
  limit: number;
  offset: number;
  has_more: boolean;
  next_cursor: string | null;
  total?: number | undefined;
};

export type Contact = {
  id: string;
  name: string | null;
  /**
   * E.164 number. A number in a country's old format is stored as it was sent.
   */
  phone: string | null;
  email: string | null;
  company: string | null;
  status: ContactStatus;
  lifecycle_stage: LifecycleStage;
  /**
   * Origin of the contact.
   */
  source: string;
  /**
   * True if the person opted out of all messages.
   */
  is_unsubscribed: boolean;
  /**
   * True if the person turned off marketing messages in WhatsApp. Campaigns and marketing templates do not reach this person, but replies and utility templates do. Only the person can change this, in WhatsApp or by writing START.
   */
  marketing_opt_out: boolean;
  /**
   * True if the contact is hidden from lists and campaigns.
   */
  is_archived: boolean;
  /**
   * How templates address the contact, like “Dear Alex”.
   */
  address_as: string | null;
  tags: Array<{
    id: string;
    name: string;
    color: string;
  }>;
  /**
   * All custom fields of the workspace by key. Unset fields are null.
   */
  custom_fields: {
    [key: string]: unknown;
  };
  external_ids: Array<{
    provider: string;
    id: string;
    connection_id: string | null;
    username: string | null;
  }>;
  created_at: string;
  updated_at: string;
};

export type ContactsUpsertAnswer = {
  success: true;
  contact: Contact;
  created: boolean;
  /**
   * True if an existing contact matched, even if it already had all sent values. False with `update: false`.
   */
  updated: boolean;
  restored: boolean;
  matched_by: "phone" | "email" | null;
};

export type ContactsUpsertBatchAnswer = {
  success: true;
  results: Array<{
    index: number;
    /**
     * `updated` includes contacts that already had all sent values. `unchanged` means that the row has `update: false`.
     */
    status: "created" | "updated" | "unchanged" | "failed";
    contact_id: string | null;
    error: Refusal | null;
  }>;
  counts: {
    created: number;
    updated: number;
    unchanged: number;
    failed: number;
  };
};

export type ContactsGetAnswer = {
  success: true;
  contact: Contact;
};

export type ContactsUpdateAnswer = {
  success: true;
  contact: Contact;
};

export type ContactsPutAnswer = {
  success: true;
  contact: Contact;
};

export type ContactsArchiveAnswer = {
  success: true;
  contact: Contact;
};

export type ContactsRestoreAnswer = {
  success: true;
  contact: Contact;
};

export type ContactsMergeAnswer = {
  success: true;
  contact: Contact;
  moved: {
    conversations: number;
    /**
     * Counted up to 100000. Messages beyond this number also move.
     */
    messages: number;
    tags: number;
    fields: number;
  };
  /**
   * Values that the merge loses, by field: values of the other contact, and `labels`, `assignees` and the latest `snoozed_until` of merged conversations.
   */
  dropped: {
    [key: string]: unknown;
  };
};

export type ContactsBulkUpdateAnswer = {
  success: true;
  job: Job;
};

export type Job = {
  id: string;
  action: "add_tags" | "remove_tags" | "set" | "archive" | "opt_out";
  status: JobStatus;
  /**
   * Number of contacts to process. Counted at the start, and corrected when the job ends.
   */
  total: number;
  /**
   * Number of contacts that now have the requested values, including contacts that had these values before.
   */
  done: number;
  /**
   * Number of contacts that could not be changed: merged into another contact during the job, or already at 50 tags.
   */
  failed: number;
  error: {
    code: string;
    message: string;
  } | null;
  created_at: string;
  finished_at: string | null;
};

export type JobsListAnswer = {
  success: true;
  jobs: Array<Job>;
  next_cursor: string | null;
};

export type JobsGetAnswer = {
  success: true;
  job: Job;
};

export type TagsListAnswer = {
  success: true;
  tags: Array<Tag>;
  next_cursor: string | null;
};

export type Tag = {
  id: string;
  name: string;
  /**
   * Color as `#rrggbb`.
   */
  color: string;
  created_at: string;
};

export type TagsCreateAnswer = {
  success: true;
  tag: Tag;
};

export type TagsUpdateAnswer = {
  success: true;
  tag: Tag;
};

export type TagsDeleteAnswer = {
  success: true;
  tag: Tag;
};

export type CustomFieldsListAnswer = {
  success: true;
  custom_fields: Array<CustomField>;
  next_cursor: string | null;
};

export type CustomField = {
  id: string;
  field_key: string;
  label: string;
  type: CustomFieldType;
  options: Array<string> | null;
  created_at: string;
};

export type CustomFieldsCreateAnswer = {
  success: true;
  custom_field: CustomField;
};

export type CustomFieldsUpdateAnswer = {
  success: true;
  custom_field: CustomField;
};

export type CustomFieldsDeleteAnswer = {
  success: true;
  custom_field: CustomField;
};

export type SegmentsListAnswer = {
  success: true;
  segments: Array<Segment>;
  next_cursor: string | null;
};

export type Segment = {
  id: string;
  name: string;
  filter: SegmentFilter;
  /**
   * True if the filter uses a deleted tag, custom field or option.
   */
  invalid: boolean;
  /**
   * The deleted items, each with the path of its condition.
   */
  reasons: Array<{
    path: string;
    code: string;
    message: string;
  }>;
  created_at: string;
  updated_at: string;
};

export type SegmentFilter = {
  match: SegmentMatch;
  conditions: Array<SegmentCondition | SegmentGroup>;
};

export type SegmentCondition = {
  /**
   * Field of contacts, or `custom_fields.<key>`.
   */
  field:
    | "id"
    | "name"
    | "phone"
    | "email"
    | "company"
    | "status"
    | "lifecycle_stage"
    | "source"
    | "address_as"
    | "is_unsubscribed"
    | "marketing_opt_out"
    | "tags"
    | "created_at"
    | "updated_at"
    | "last_inbound_at"
    | (string & {});
  op: SegmentOperator;
  /**
   * Depends on the operator. Omit it for `is_set` and `is_not_set`.
   */
  value?: string | number | boolean | Array<string | number | boolean> | null | undefined;
};

/**
 * `ne`, `not_in` and `has_none` also match contacts without a value. Comparisons of texts ignore case and accents.
 */
export type SegmentOperator =
  | "eq"
  | "ne"
  | "in"
  | "not_in"
  | "contains"
  | "starts_with"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "between"
  | "within_days"
  | "has_all"
  | "has_any"
  | "has_none"
  | "is_set"
  | "is_not_set";

/**
 * A group of conditions. In the filter, the whole group is one condition.
 */
export type SegmentGroup = {
  match: SegmentMatch;
  conditions: Array<SegmentCondition>;
};

export type SegmentsCreateAnswer = {
  success: true;
  segment: Segment;
};

export type SegmentsGetAnswer = {
  success: true;
  segment: Segment;
};

export type SegmentsUpdateAnswer = {
  success: true;
  segment: Segment;
};

export type SegmentsDeleteAnswer = {
  success: true;
  segment: Segment;
};

export type SegmentsContactsAnswer = {
  success: true;
  contacts: Array<Contact>;
  next_cursor: string | null;
};

export type SegmentsCountAnswer = {
  success: true;
  count: number;
};

export type EventsListAnswer = {
  success: true;
  events: Array<Event>;
  /**
   * Id of the last event that the request read. Send it as `after` in the next request.
   */
  next_after: string;
  /**
   * True if the log has more events after `next_after`.
   */
  has_more: boolean;
};

export type Event =
  | MessageQueuedEvent
  | MessageReceivedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageReadEvent
  | MessageFailedEvent
  | MessageUnknownEvent
  | MessageEditedEvent
  | MessageRevokedEvent
  | MessageReactionEvent
  | ConversationOpenedEvent
  | ConversationDoneEvent
  | ConversationReadEvent
  | ConversationAssignedEvent
  | ConversationUpdatedEvent
  | NoteCreatedEvent
  | ContactCreatedEvent
  | ContactUpdatedEvent
  | ContactArchivedEvent
  | ContactRestoredEvent
  | ContactMergedEvent
  | ContactOptedOutEvent
  | ContactOptedInEvent
  | ContactIdentityChangedEvent
  | CampaignCreatedEvent
  | CampaignUpdatedEvent
  | CampaignScheduledEvent
  | CampaignStartedEvent
  | CampaignPausedEvent
  | CampaignResumedEvent
  | CampaignCompletedEvent
  | CampaignCancelledEvent
  | CampaignFailedEvent
  | TemplateCreatedEvent
  | TemplateUpdatedEvent
  | TemplateDeletedEvent
  | TemplateStatusChangedEvent
  | TemplateQualityChangedEvent
  | TagCreatedEvent
  | TagUpdatedEvent
  | TagDeletedEvent
  | CustomFieldCreatedEvent
  | CustomFieldUpdatedEvent
  | CustomFieldDeletedEvent
  | CannedReplyCreatedEvent
  | CannedReplyUpdatedEvent
  | CannedReplyDeletedEvent
  | SegmentCreatedEvent
  | SegmentUpdatedEvent
  | SegmentDeletedEvent
  | WebhookCreatedEvent
  | WebhookUpdatedEvent
  | WebhookDeletedEvent
  | WebhookDisabledEvent
  | ConnectionCreatedEvent
  | ConnectionUpdatedEvent
  | ConnectionDeletedEvent
  | ConnectionStatusChangedEvent
  | ConnectionLimitChangedEvent
  | ApiKeyCreatedEvent
  | ApiKeyRevokedEvent;

/**
 * A direct message was stored and waits to be sent.
 */
export type MessageQueuedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.queued";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * Who caused the event. `id` is the id of the API key, of the member, or of the provider's connection. `id` is null for the operator and for Tidings itself.
 */
export type Actor = {
  type: ActorType;
  id: string | null;
};

/**
 * `system` is Tidings itself.
 */
export type ActorType = "api_key" | "member" | "operator" | "provider" | "system";

/**
 * Changed fields, with the values before and after.
 */
export type EventChanges = {
  [key: string]: [unknown, unknown];
};

/**
 * A message from a person was received.
 */
export type MessageReceivedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.received";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * The provider accepted a message.
 */
export type MessageSentEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.sent";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * A message reached the person's device.
 */
export type MessageDeliveredEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.delivered";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * The person read a message.
 */
export type MessageReadEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.read";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * A message was not sent or not delivered. Its `error` has the reason.
 */
export type MessageFailedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.failed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * The provider's response to a message was lost, so the message may have been sent. It is not sent again automatically.
 */
export type MessageUnknownEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.unknown";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * The author edited a message.
 */
export type MessageEditedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.edited";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * The author revoked a message.
 */
export type MessageRevokedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.revoked";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * A reaction to a message was added or removed.
 */
export type MessageReactionEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "message.reaction";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    message: Message | null;
  };
};

/**
 * A conversation was started or reopened.
 */
export type ConversationOpenedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "conversation.opened";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    conversation: Conversation | null;
  };
};

/**
 * A conversation was marked as done.
 */
export type ConversationDoneEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "conversation.done";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    conversation: Conversation | null;
  };
};

/**
 * The messages of a conversation were marked as read.
 */
export type ConversationReadEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "conversation.read";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    conversation: Conversation | null;
  };
};

/**
 * A conversation was assigned or unassigned.
 */
export type ConversationAssignedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "conversation.assigned";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    conversation: Conversation | null;
  };
};

/**
 * A conversation's labels changed, it was snoozed, a snooze ended, or another conversation was merged into it.
 */
export type ConversationUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "conversation.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    conversation: Conversation | null;
  };
};

/**
 * A note was added to a conversation. The event contains its author and mentions, but not its text.
 */
export type NoteCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "note.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    note: Note | null;
  };
};

export type Note = {
  id: string;
  conversation_id: string;
  contact_id: string;
  author: NoteAuthor;
  /**
   * Mentioned members.
   */
  mentions: Array<{
    id: string;
    name: string | null;
  }>;
  created_at: string;
};

/**
 * A contact was created through the API, the console, an import or a first message.
 */
export type ContactCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * Fields or tags of a contact changed.
 */
export type ContactUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * A contact was archived.
 */
export type ContactArchivedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.archived";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * An archived contact was restored.
 */
export type ContactRestoredEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.restored";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * Another contact was merged into this contact.
 */
export type ContactMergedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.merged";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * A person opted out of all messages or of marketing.
 */
export type ContactOptedOutEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.opted_out";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * A person who had opted out opted in again.
 */
export type ContactOptedInEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.opted_in";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * A person's number, or their id at a provider, changed.
 */
export type ContactIdentityChangedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "contact.identity_changed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    contact: Contact | null;
  };
};

/**
 * A campaign was created as a draft.
 */
export type CampaignCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was changed before its start.
 */
export type CampaignUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was created with a later start, or a draft was scheduled.
 */
export type CampaignScheduledEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.scheduled";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign started to send.
 */
export type CampaignStartedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.started";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was paused, manually or after many failures in a row.
 */
export type CampaignPausedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.paused";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A paused campaign was resumed.
 */
export type CampaignResumedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.resumed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * Every recipient of a campaign was processed.
 */
export type CampaignCompletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.completed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was cancelled. Its remaining recipients receive no message.
 */
export type CampaignCancelledEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.cancelled";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign could not start. Its `last_error` has the reason.
 */
export type CampaignFailedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "campaign.failed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    campaign: Campaign | null;
  };
};

/**
 * A template was created, or found at a provider.
 */
export type TemplateCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "template.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    template: Template | null;
  };
};

/**
 * A template's name, text or components changed.
 */
export type TemplateUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "template.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    template: Template | null;
  };
};

/**
 * A template was deleted.
 */
export type TemplateDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "template.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    template: Template | null;
  };
};

/**
 * A provider approved, rejected, paused or disabled a template.
 */
export type TemplateStatusChangedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "template.status_changed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    template: Template | null;
  };
};

/**
 * A provider changed a template's quality rating.
 */
export type TemplateQualityChangedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "template.quality_changed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    template: Template | null;
  };
};

/**
 * A tag was created.
 */
export type TagCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "tag.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    tag: Tag | null;
  };
};

/**
 * A tag's name or color changed.
 */
export type TagUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "tag.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    tag: Tag | null;
  };
};

/**
 * A tag was deleted and removed from all contacts.
 */
export type TagDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "tag.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    tag: Tag | null;
  };
};

/**
 * A custom field was created.
 */
export type CustomFieldCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "custom_field.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    custom_field: CustomField | null;
  };
};

/**
 * A custom field's label or options changed.
 */
export type CustomFieldUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "custom_field.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    custom_field: CustomField | null;
  };
};

/**
 * A custom field was deleted with its values.
 */
export type CustomFieldDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "custom_field.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    custom_field: CustomField | null;
  };
};

/**
 * A canned reply was created.
 */
export type CannedReplyCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "canned_reply.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * A canned reply's shortcut or text changed.
 */
export type CannedReplyUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "canned_reply.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * A canned reply was deleted.
 */
export type CannedReplyDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "canned_reply.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * A segment was created.
 */
export type SegmentCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "segment.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    segment: Segment | null;
  };
};

/**
 * A segment's name or filter changed.
 */
export type SegmentUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "segment.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    segment: Segment | null;
  };
};

/**
 * A segment was deleted.
 */
export type SegmentDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "segment.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    segment: Segment | null;
  };
};

/**
 * A webhook was created.
 */
export type WebhookCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "webhook.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    webhook: WebhookSummary | null;
  };
};

export type WebhookSummary = {
  id: string;
  url: string;
  description: string | null;
  types: Array<string>;
  campaigns: WebhookCampaigns;
  /**
   * Null for all connections.
   */
  connection_ids: Array<string> | null;
  batch: {
    max_events: number;
    max_wait_seconds: number;
  } | null;
  status: WebhookStatus;
  /**
   * Reason for a status other than `active`.
   */
  status_reason: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * `probing` after 20 failures in a row: Tidings makes one scheduled attempt at a time until an attempt succeeds. `disabled` after five days of probing, or if the endpoint returned 410.
 */
export type WebhookStatus = "active" | "probing" | "paused" | "disabled";

/**
 * A webhook's settings changed, or it was paused or enabled.
 */
export type WebhookUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "webhook.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A webhook was deleted.
 */
export type WebhookDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "webhook.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A webhook was disabled because its endpoint kept failing or returned 410.
 */
export type WebhookDisabledEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "webhook.disabled";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A connection was created.
 */
export type ConnectionCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "connection.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    connection: ConnectionSummary | null;
  };
};

export type ConnectionSummary = {
  id: string;
  name: string;
  channel: Channel;
  provider: Provider;
  status: ConnectionStatus;
  /**
   * Problem that the provider reports, if any.
   */
  status_detail: string | null;
};

/**
 * A connection's settings changed.
 */
export type ConnectionUpdatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "connection.updated";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A connection was deleted.
 */
export type ConnectionDeletedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "connection.deleted";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A connection started or stopped working.
 */
export type ConnectionStatusChangedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "connection.status_changed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A provider changed the number of people per day to whom the account can send a first message.
 */
export type ConnectionLimitChangedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "connection.limit_changed";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * An API key was created.
 */
export type ApiKeyCreatedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "api_key.created";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    api_key: ApiKey | null;
  };
};

export type ApiKey = {
  id: string;
  name: string;
  connection_id: string;
  /**
   * Last characters of the key, so that you can tell keys apart.
   */
  last_four: string;
  /**
   * Null if the key never expires.
   */
  expires_at: string | null;
  /**
   * True if the key can only read.
   */
  read_only: boolean;
  /**
   * Null if the limit of the workspace's plan applies.
   */
  rate_limit: {
    requests: number;
    window_seconds: number;
  } | null;
  created_at: string;
  /**
   * Accurate to the minute.
   */
  last_used_at: string | null;
  revoked_at: string | null;
};

/**
 * An API key was revoked.
 */
export type ApiKeyRevokedEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  type: "api_key.revoked";
  /**
   * Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.
     */
    api_key: ApiKey | null;
  };
};

export type EventsGetAnswer = {
  success: true;
  event: Event;
};

export type WebhooksListAnswer = {
  success: true;
  webhooks: Array<Webhook>;
  next_cursor: string | null;
};

export type Webhook = {
  id: string;
  url: string;
  description: string | null;
  types: Array<string>;
  campaigns: WebhookCampaigns;
  /**
   * Null for all connections.
   */
  connection_ids: Array<string> | null;
  batch: {
    max_events: number;
    max_wait_seconds: number;
  } | null;
  status: WebhookStatus;
  /**
   * Reason for a status other than `active`.
   */
  status_reason: string | null;
  created_at: string;
  updated_at: string;
  /**
   * Every event up to this sequence number was delivered, abandoned or filtered out.
   */
  sequence: number;
  /**
   * Number of events in the log after `sequence`, matching or not.
   */
  lag: number;
  /**
   * When the endpoint last returned 2xx.
   */
  last_success_at: string | null;
  last_failure_at: string | null;
};

export type WebhooksCreateAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * Starts with `whsec_`. Returned only in this response.
   */
  secret: string;
};

export type WebhooksGetAnswer = {
  success: true;
  webhook: Webhook;
};

export type WebhooksUpdateAnswer = {
  success: true;
  webhook: Webhook;
};

export type WebhooksDeleteAnswer = {
  success: true;
  webhook: Webhook;
};

export type WebhooksRotateSecretAnswer = {
  success: true;
  /**
   * Starts with `whsec_`. Returned only in this response.
   */
  secret: string;
};

export type WebhooksTestAnswer = {
  success: true;
  attempt: WebhookAttempt;
};

export type WebhookAttempt = {
  at: string;
  /**
   * Null if there was no response.
   */
  status: number | null;
  /**
   * Time until the response.
   */
  duration_ms: number;
  /**
   * Error of the attempt. Null if it succeeded.
   */
  error: string | null;
  /**
   * First 4 KB of the response.
   */
  response: string | null;
};

export type WebhooksPauseAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * Number of events deleted from the log before this webhook received them.
   */
  skipped: number;
};

export type WebhooksEnableAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * Number of events deleted from the log before this webhook received them.
   */
  skipped: number;
};

export type WebhooksReplayAnswer = {
  success: true;
  replay: {
    count: number;
  };
};

export type WebhooksDeliveriesAnswer = {
  success: true;
  deliveries: Array<WebhookDelivery>;
  next_cursor: string | null;
};

export type WebhookDelivery = {
  id: string;
  /**
   * Events of the delivery: one event, unless the webhook has `batch`.
   */
  event_ids: Array<string>;
  state: WebhookDeliveryState;
  /**
   * Last 20 attempts, oldest first.
   */
  attempts: Array<WebhookAttempt>;
  next_attempt_at: string | null;
};

export type WebhooksRetryDeliveryAnswer = {
  success: true;
  delivery: WebhookDelivery;
};

export type ManageStatusGetAnswer = {
  success: true;
  status: DeploymentStatus;
};

export type DeploymentStatus = {
  /**
   * `off`: the operator has stopped sending.
   */
  sending: "on" | "off";
  /**
   * The deployed version of the Worker, as `npx wrangler versions list` shows it.
   */
  version: {
    id: string;
    tag: string;
  };
  control_database_bytes: number | null;
  shards: Array<{
    shard: number;
    /**
     * Size of the database. D1 stores at most 10 GB.
     */
    database_bytes: number;
    /**
     * Direct messages that wait to be sent, and scheduled messages that are due, each counted up to 5000.
     */
    queued_messages: number;
    /**
     * How long a direct or scheduled message has been due. Null if none is due.
     */
    oldest_due_seconds: number | null;
    running_campaigns: number;
    /**
     * Campaigns that Tidings paused, newest first, up to 20.
     */
    stopped_campaigns: Array<{
      workspace_id: string;
      id: string;
      last_error: string | null;
    }>;
    /**
     * Connections that cannot send, up to 20. The latest change of a status comes first.
     */
    failing_connections: Array<{
      workspace_id: string;
      id: string;
      status: ConnectionStatus;
    }>;
    /**
     * Dead provider events in the database, counted up to 5000.
     */
    dead_events: number;
    oldest_dead_event_seconds: number | null;
    /**
     * Ids of workspaces with dead events in the database, up to 20.
     */
    dead_event_workspaces: Array<string>;
    /**
     * Webhooks whose endpoint works, that have an unsent event and made no attempt for 10 minutes. Covers up to 100 webhooks with recent events.
     */
    overdue_webhooks: Array<{
      workspace_id: string;
      id: string;
    }> | null;
  }>;
  queues: Array<{
    queue: string;
    messages: number;
    oldest_seconds: number | null;
  }>;
  /**
   * Number of dead events in the bucket, counted up to 1,000.
   */
  dead_events_in_bucket: number | null;
  oldest_dead_event_in_bucket_seconds: number | null;
  /**
   * Parts that did not respond within 5 seconds. Their values are null or missing.
   */
  unreachable: Array<string>;
};

export type ManageWorkspacesCreateAnswer = {
  success: true;
  workspace: Workspace;
};

export type Workspace = {
  id: string;
  name: string;
  plan: Plan;
  time_zone: string;
  first_steps_hidden: boolean;
  created_at: string;
};

export type ManageWorkspacesListAnswer = {
  success: true;
  workspaces: Array<Workspace>;
  next_cursor: string | null;
};

export type ManageWorkspacesGetAnswer = {
  success: true;
  workspace: Workspace;
};

export type ManageWorkspacesUpdateAnswer = {
  success: true;
  workspace: Workspace;
};

export type ManageMembersListAnswer = {
  success: true;
  members: Array<Member>;
  next_cursor: string | null;
};

export type Member = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /**
   * True if the operator confirmed that the email belongs to this person.
   */
  is_confirmed: boolean;
  created_at: string;
};

export type ManageMembersUpdateAnswer = {
  success: true;
  member: Member;
};

export type ManageMembersDeleteAnswer = {
  success: true;
  member: Member;
};

export type ManageMembersCreateResetLinkAnswer = {
  success: true;
  reset_link: {
    url: string;
    expires_at: string;
  };
};

export type ManageMembersConfirmAnswer = {
  success: true;
  member: Member;
};

export type ManageInvitationsCreateAnswer = {
  success: true;
  invitation: {
    id: string;
    url: string;
    expires_at: string;
  };
};

export type ManageInvitationsListAnswer = {
  success: true;
  invitations: Array<Invitation>;
  next_cursor: string | null;
};

export type Invitation = {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
  created_at: string;
};

export type ManageInvitationsDeleteAnswer = {
  success: true;
  invitation: Invitation;
};

export type ManageConnectionsCreateAnswer = {
  success: true;
  connection: Connection;
  secrets?:
    | {
        [key: string]: string;
      }
    | undefined;
};

export type Connection = {
  id: string;
  name: string;
  channel: Channel;
  provider: Provider;
  status: ConnectionStatus;
  /**
   * Problem that the provider reports, if any.
   */
  status_detail: string | null;
  /**
   * True for the channel's default connection. Campaigns use it if the connection of the API key is on another channel.
   */
  is_default: boolean;
  /**
   * Maximum number of messages sent per second.
   */
  messages_per_second: number;
  /**
   * Number of people per day to whom the account can send a first message. The provider's own value, such as `TIER_10K`.
   */
  messaging_limit: string | null;
  /**
   * URL for the provider's events. Enter it in the provider's settings.
   */
  webhook_url: string;
  /**
   * Of each secret, the response has only the last four characters.
   */
  config: {
    [key: string]: string | boolean;
  };
  created_at: string;
};

export type ManageConnectionsListAnswer = {
  success: true;
  connections: Array<Connection>;
  next_cursor: string | null;
};

export type ManageConnectionsSyncTemplatesAnswer = {
  success: true;
  created: number;
  updated: number;
  removed: number;
};

export type ManageConnectionsGetAnswer = {
  success: true;
  connection: Connection;
};

export type ManageConnectionsUpdateAnswer = {
  success: true;
  connection: Connection;
};

export type ManageConnectionsDeleteAnswer = {
  success: true;
  connection: Connection;
};

export type ManageConnectionsTestAnswer = {
  success: true;
  ok: true;
  detail: string;
};

export type ManageConnectionsSimulateAnswer = {
  success: true;
  message_id: string;
};

export type ManageConnectionsOutboxAnswer = {
  success: true;
  deliveries: Array<SandboxDelivery>;
  receipts: Array<SandboxReceipt>;
  next_cursor: string | null;
};

export type SandboxDelivery = {
  message_id: string;
  to: string;
  body: string;
  /**
   * Type of the message, or `template` for a template.
   */
  type: string;
  /**
   * Content as sent, or null for text. For a template, all its parts except the text.
   */
  content: unknown;
  /**
   * Message that this message quotes or reacts to.
   */
  reply_to: string | null;
  attempt: number;
  at: string;
};

/**
 * Read receipt for all messages of the person `from`, up to `message_id`.
 */
export type SandboxReceipt = {
  from: string;
  message_id: string;
};

export type ManageApiKeysCreateAnswer = {
  success: true;
  api_key: ApiKey;
  key: string;
};

export type ManageApiKeysListAnswer = {
  success: true;
  api_keys: Array<ApiKey>;
  next_cursor: string | null;
};

export type ManageApiKeysGetAnswer = {
  success: true;
  api_key: ApiKey;
};

export type ManageApiKeysUpdateAnswer = {
  success: true;
  api_key: ApiKey;
};

export type ManageApiKeysRevokeAnswer = {
  success: true;
  api_key: ApiKey;
};

export type ManageRequestsListAnswer = {
  success: true;
  requests: Array<LoggedRequest>;
  next_cursor: string | null;
};

export type LoggedRequest = {
  /**
   * Position of the request in the workspace's log.
   */
  number: number;
  created_at: string;
  key_id: string;
  method: string;
  /**
   * Path of the endpoint, like `/api/v1/contacts/:id`. Null if the endpoint does not exist.
   */
  route: string | null;
  /**
   * Requested path. `…` replaces parts that could identify a person.
   */
  path: string;
  /**
   * Names of the query parameters. Their values are not stored.
   */
  query: Array<string>;
  status: number;
  error_code: string | null;
  /**
   * Time until the response started.
   */
  duration_ms: number;
  request_id: string;
  /**
   * Number of further requests of this key to this endpoint in the same minute. All were rejected with `rate_limited`, and none has its own entry.
   */
  repeats: number;
};

export type ManageRequestsUsageAnswer = {
  success: true;
  usage: Array<KeyUsage>;
};

export type KeyUsage = {
  /**
   * Day in UTC.
   */
  date: string;
  key_id: string;
  requests: number;
  /**
   * Number of requests with a status of 400 or higher.
   */
  errors: number;
};

export type ManageStatisticsListAnswer = {
  success: true;
  days: Array<DayOfStatistics>;
};

export type DayOfStatistics = {
  /**
   * The day, in the time zone that the workspace had on that day.
   */
  date: string;
  /**
   * Direct messages. Each change of state counts on its own day: a message can be sent on one day and read on the next.
   */
  messages: {
    received: number;
    queued: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
  };
  /**
   * Messages of campaigns. Each change of state counts on its own day.
   */
  campaign_messages: {
    sent: number;
    delivered: number;
    read: number;
    failed: number;
  };
  opt_outs: number;
  opt_ins: number;
  /**
   * Number of times that conversations were opened and marked as done. Changes that were undone also count.
   */
  conversations: {
    opened: number;
    done: number;
  };
  /**
   * How long people waited for the first reply from a member, or from software with a key. Waiting times are counted in ranges, so `median_seconds` and `p90_seconds` are estimates: after a single reply in 12 seconds, they are 15 and 27.
   */
  answers: {
    people: {
      count: number;
      median_seconds: number | null;
      p90_seconds: number | null;
    };
    software: {
      count: number;
      median_seconds: number | null;
      p90_seconds: number | null;
    };
  };
  /**
   * Direct messages by API key.
   */
  queued_by_key: Array<{
    key_id: string;
    count: number;
  }>;
};

export type ManageDeadEventsListAnswer = {
  success: true;
  events: Array<DeadEvent>;
  next_cursor: string | null;
};

export type DeadEvent = {
  id: string;
  connection_id: string | null;
  queue: string;
  reason: string;
  /**
   * The provider's event, as Tidings queued it.
   */
  payload: unknown;
  created_at: string;
};

export type ManageDeadEventsReplayAnswer = {
  success: true;
  event: DeadEvent;
};

export type ManageCampaignsReconcileAnswer = {
  success: true;
  stored: {
    /**
     * Messages that are queued, are being sent, or wait for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * Messages that the provider might have received. Tidings never sends them again automatically.
     */
    unknown: number;
  };
  /**
   * Counted from the recipients.
   */
  actual: {
    /**
     * Messages that are queued, are being sent, or wait for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * Messages that the provider might have received. Tidings never sends them again automatically.
     */
    unknown: number;
  };
  /**
   * `actual` minus `stored`, only for states in which they differ.
   */
  differences: {
    pending?: number | undefined;
    sent?: number | undefined;
    delivered?: number | undefined;
    read?: number | undefined;
    failed?: number | undefined;
    skipped?: number | undefined;
    unknown?: number | undefined;
  };
  cost: {
    stored: {
      [key: string]: {
        billable: number;
        free: number;
      };
    };
    actual: {
      [key: string]: {
        billable: number;
        free: number;
      };
    };
  };
};

/**
 * Body of a request to a webhook with `batch`, also if the request has only one event.
 */
export type EventBatch = {
  events: Array<DeliveredEvent>;
};

/**
 * Events that a webhook can receive.
 */
export type DeliveredEvent = Event | WebhookTestEvent;

/**
 * Test of a webhook. Sent regardless of the webhook's types, and not stored in the event log.
 */
export type WebhookTestEvent = {
  /**
   * Id of the event, the same in the log and in all deliveries.
   */
  id: string;
  /**
   * Always null, because the event log does not contain tests.
   */
  sequence: null;
  created_at: string;
  actor: Actor;
  /**
   * Id of the object in `data`, also if `data` is null.
   */
  object_id: string;
  changes: null;
  type: "webhook.test";
  data: {
    webhook: WebhookSummary;
  };
};

export type MessagesListQuery = {
  /**
   * Only messages of this contact.
   */
  contact_id?: string | undefined;
  /**
   * Only messages of this conversation.
   */
  conversation_id?: string | undefined;
  /**
   * Only messages with this delivery state.
   */
  delivery?: MessageDelivery | undefined;
  /**
   * Only messages of this campaign.
   */
  campaign_id?: string | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ConversationsMessagesQuery = {
  /**
   * `notes` includes the notes of members and software.
   */
  include?: "notes" | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type TemplatesListQuery = {
  /**
   * Only templates with this status.
   */
  status?: TemplateStatus | undefined;
  /**
   * Only templates from this source.
   */
  source?: TemplateSource | undefined;
  /**
   * Maximum number of results. Default: all.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type CannedRepliesListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type CampaignsListQuery = {
  /**
   * Maximum number of results. Default: all.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type CampaignsRecipientsQuery = {
  /**
   * Only recipients in this state.
   */
  state?: RecipientState | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type CampaignsExportRecipientsQuery = {
  /**
   * Only recipients in this state.
   */
  state?: RecipientState | undefined;
};

export type ConversationsListQuery = {
  /**
   * Only conversations with this status.
   */
  status?: ConversationStatus | undefined;
  /**
   * `true`: only conversations with unread messages.
   */
  unread?: boolean | undefined;
  /**
   * Only conversations assigned to the member with this id. `none`: only unassigned conversations.
   */
  assignee?: string | undefined;
  /**
   * Only conversations with this label. Case and accents do not matter.
   */
  label?: string | undefined;
  /**
   * Searches the contact's name, phone, email and company, and finds direct or inbound messages that contain all words of three or more characters. Case and accents do not matter; in messages, ß does not match ss, and ø does not match o.
   */
  search?: string | undefined;
  /**
   * `true` returns only snoozed conversations, `false` excludes them.
   */
  snoozed?: boolean | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type MembersListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type MediaUploadQuery = {
  /**
   * File name for downloads. Stored exactly as sent.
   */
  filename?: string | undefined;
};

export type MediaListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ContactsListQuery = {
  /**
   * Searches name, phone, email and company.
   */
  search?: string | undefined;
  /**
   * Name of a tag of the contacts.
   */
  tag?: string | undefined;
  /**
   * Origin of the contacts.
   */
  source?: string | undefined;
  /**
   * Only contacts with this status.
   */
  status?: ContactStatus | undefined;
  /**
   * `true` returns only archived contacts. By default, only active contacts are returned.
   */
  archived?: boolean | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * Number of contacts to skip. Cannot be combined with `cursor`.
   */
  offset?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
  /**
   * `true` also counts all matching contacts.
   */
  include_total?: boolean | undefined;
};

export type JobsListQuery = {
  /**
   * Only jobs with this status.
   */
  status?: JobStatus | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type TagsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type CustomFieldsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type SegmentsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type SegmentsContactsQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type EventsListQuery = {
  /**
   * Event id or `next_after`. `now` returns only future events. Default: from the oldest stored event.
   */
  after?: string | undefined;
  /**
   * Event types, separated by commas. Default: all types.
   */
  types?: string | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * Seconds to wait for an event if the log has no matching event yet.
   */
  wait?: number | undefined;
};

export type WebhooksListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type WebhooksDeliveriesQuery = {
  /**
   * Only deliveries in this state.
   */
  state?: WebhookDeliveryState | undefined;
  /**
   * Only deliveries that contain this event.
   */
  event_id?: string | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageWorkspacesListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageMembersListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageInvitationsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageConnectionsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageConnectionsOutboxQuery = {
  /**
   * Only messages to this number or id.
   */
  to?: string | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageApiKeysListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageRequestsListQuery = {
  /**
   * Only requests made with this key.
   */
  key_id?: string | undefined;
  /**
   * Status, like `404`, or class of statuses, like `4xx`.
   */
  status?: string | undefined;
  /**
   * Only requests whose `path` or `route` contains this text.
   */
  path?: string | undefined;
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};

export type ManageRequestsUsageQuery = {
  /**
   * Number of days, including today.
   */
  days?: number | undefined;
};

export type ManageStatisticsListQuery = {
  /**
   * Number of days, including today.
   */
  days?: number | undefined;
};

export type ManageDeadEventsListQuery = {
  /**
   * Maximum number of results.
   */
  limit?: number | undefined;
  /**
   * `next_cursor` of the previous page.
   */
  cursor?: string | undefined;
};
