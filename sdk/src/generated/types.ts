// Made by `npm run generate` from openapi.json.

/**
 * Exactly one of `to`, `contact_id` and `user_id`, and exactly one content.
 */
export type MessagesSendRequest = (
  | {
      to?: never | undefined;
      contact_id?: never | undefined;
      /**
       * The provider's id of a person without a number, on the key's connection.
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
       * International format, with `+` or `00`; spaces, dots, dashes and brackets are fine. Numbers from before a country replaced its numbering plan are accepted.
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
         * A plain text, kept exactly as it is sent.
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
     * Shows a preview of the first link of the text.
     */
    preview_url?: boolean | undefined;
    /**
     * A message of the same conversation, which this one quotes.
     */
    reply_to?: string | undefined;
    /**
     * When to send, in UTC, within 365 days. Left out: at once.
     */
    send_at?: string | undefined;
    /**
     * Strings of your own, by up to 10 names: given back with the message and its events.
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
       * A public address, from which the file is fetched before the message leaves.
       */
      url: string;
    }
  | {
      /**
       * A file of the workspace.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * The text below it.
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
       * A public address, from which the file is fetched before the message leaves.
       */
      url: string;
    }
  | {
      /**
       * A file of the workspace.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * The text below it.
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
       * A public address, from which the file is fetched before the message leaves.
       */
      url: string;
    }
  | {
      /**
       * A file of the workspace.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * Shown as a voice message.
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
       * A public address, from which the file is fetched before the message leaves.
       */
      url: string;
    }
  | {
      /**
       * A file of the workspace.
       */
      media_id: string;
      url?: never | undefined;
    }
) & {
  /**
   * The text below it.
   */
  caption?: string | undefined;
  /**
   * The name that the person sees.
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
       * A public address, from which the file is fetched before the message leaves.
       */
      url: string;
    }
  | {
      /**
       * A file of the workspace.
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
     * International format, with `+` or `00`; spaces, dots, dashes and brackets are fine. Numbers from before a country replaced its numbering plan are accepted.
     */
    phone: string;
    type?: string | undefined;
    /**
     * The number's WhatsApp account: with it, the card offers to write to the person.
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
 * A text with up to three buttons to answer with.
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
 * A text with a button that opens a list to choose from.
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
 * A text with a button that opens a web address.
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
 * A text with a button that asks for the person's place.
 */
export type LocationRequestInput = {
  type: "location_request";
  body: string;
};

export type ReactionInput = {
  message_id: string;
  /**
   * An empty text takes the reaction back.
   */
  emoji: string;
};

/**
 * `unknown`: the provider may or may not have taken it; it is not sent again on its own, and a later report settles it.
 */
export type MessageDelivery =
  "scheduled" | "queued" | "sent" | "delivered" | "read" | "failed" | "unknown" | "cancelled";

export type MessagesSendBatchRequest = {
  /**
   * Bodies of `messages.send`, each judged by itself.
   */
  messages: Array<MessagesSendRequest>;
};

export type TemplatesSendRequest = (
  | {
      to?: never | undefined;
      contact_id?: never | undefined;
      /**
       * The provider's id of a person without a number, on the key's connection.
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
       * International format, with `+` or `00`; spaces, dots, dashes and brackets are fine. Numbers from before a country replaced its numbering plan are accepted.
       */
      to: string;
      contact_id?: never | undefined;
      user_id?: never | undefined;
    }
) & {
  /**
   * A list for {{1}}, {{2}} … in order, or an object by name, which goes before the contact's own values.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Where `variables` of the template lists one (named `button_2`, say, for the index 1), it may be given there instead.
   */
  buttons?:
    | Array<{
        /**
         * Counted from 0, over all of the buttons.
         */
        index: number;
        /**
         * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
         */
        value: string;
      }>
    | undefined;
  /**
   * Of a carousel, in order.
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
               * Counted from 0, over all of the buttons.
               */
              index: number;
              /**
               * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
               */
              value: string;
            }>
          | undefined;
      }>
    | undefined;
};

/**
 * The value of the template's header: a file, a text or a location.
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
       * The value of a text header's variable.
       */
      text: string;
      location?: never | undefined;
    }
  | {
      media_id?: never | undefined;
      /**
       * A public address that the file is fetched from before it is sent.
       */
      url: string;
      text?: never | undefined;
      location?: never | undefined;
    }
  | {
      /**
       * A file of the workspace.
       */
      media_id: string;
      url?: never | undefined;
      text?: never | undefined;
      location?: never | undefined;
    }
) & {
  /**
   * The name that a document shows.
   */
  filename?: string | undefined;
};

/**
 * Exactly one content.
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
       * A plain text, kept exactly as it is sent.
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
   * Shows a preview of the first link of the text.
   */
  preview_url?: boolean | undefined;
  /**
   * A message of the same conversation, which this one quotes.
   */
  reply_to?: string | undefined;
  /**
   * When to send, in UTC, within 365 days. Left out: at once.
   */
  send_at?: string | undefined;
  /**
   * Strings of your own, by up to 10 names: given back with the message and its events.
   */
  metadata?:
    | {
        [key: string]: string;
      }
    | undefined;
};

export type ConversationsAddNoteRequest = {
  /**
   * What to note. `@` and the name of a member mentions them; of several with one name all, or one by `@Name (email)`.
   */
  body: string;
};

/**
 * Only `APPROVED` ones can be sent.
 */
export type TemplateStatus = "APPROVED" | "PENDING" | "REJECTED";

/**
 * `external`: held and approved by a connection's provider.
 */
export type TemplateSource = "external" | "local";

export type TemplatesCreateRequest = (
  | {
      body?: never | undefined;
      /**
       * The official connection whose provider is to approve it.
       */
      connection_id: string;
      /**
       * The code of the provider's language, like `en_US`.
       */
      language: string;
      category: TemplateCategory;
      /**
       * Header, body, footer, buttons and cards in Meta's form. The example of a header's file is `{media_id}`, a file of the workspace.
       */
      components: Array<TemplateComponent>;
    }
  | {
      /**
       * The text of a local template.
       */
      body: string;
      connection_id?: never | undefined;
      language?: never | undefined;
      category?: never | undefined;
      components?: never | undefined;
    }
) & {
  /**
   * Of a provider's template: a–z in lower case, digits and underscores.
   */
  name: string;
};

/**
 * As WhatsApp has it, which also decides the price.
 */
export type TemplateCategory = "MARKETING" | "UTILITY" | "AUTHENTICATION";

export type TemplateComponent = TemplateHeader | TemplateBody | TemplateFooter | TemplateButtons | TemplateCarousel;

export type TemplateHeader = TemplateTextHeader | TemplateFileHeader | TemplateLocationHeader;

export type TemplateTextHeader = {
  type: "HEADER";
  format: "TEXT";
  /**
   * With one variable at most.
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
         * Instead of `media_id`: the handle of a file that was uploaded to Meta.
         */
        header_handle: [string];
      }
    | {
        /**
         * A stored file of the workspace, which is uploaded.
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
   * Required, except for AUTHENTICATION.
   */
  text?: string | undefined;
  /**
   * A value for each variable.
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
   * Only for AUTHENTICATION.
   */
  add_security_recommendation?: boolean | undefined;
};

export type TemplateFooter = {
  type: "FOOTER";
  /**
   * Required, except for AUTHENTICATION.
   */
  text?: string | undefined;
  /**
   * Only for AUTHENTICATION.
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
   * May end in the variable {{1}}.
   */
  url: string;
  /**
   * Of an address with a variable: a value of it, or the address with one.
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
   * WhatsApp shows words of its own, in the template's language.
   */
  text?: string | undefined;
};

export type TemplateCarousel = {
  type: "CAROUSEL";
  /**
   * Each has the same parts: a picture or video, perhaps a text, up to two buttons.
   */
  cards: Array<{
    components: Array<TemplateCardComponent>;
  }>;
};

export type TemplateCardComponent = TemplateHeader | TemplateBody | TemplateButtons;

export type TemplatesUpdateRequest = {
  /**
   * Of a local template.
   */
  name?: string | undefined;
  /**
   * Of a local template.
   */
  body?: string | undefined;
  /**
   * Of a provider's template.
   */
  category?: TemplateCategory | undefined;
  /**
   * Of a provider's template: all of them.
   */
  components?: Array<TemplateComponent> | undefined;
};

export type CannedRepliesCreateRequest = {
  /**
   * One word, which people type behind a slash. Its case does not matter; a slash before it is left out.
   */
  shortcut: string;
  /**
   * Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}; white space inside the braces is ignored.
   */
  body: string;
};

export type CannedRepliesUpdateRequest = {
  /**
   * One word, which people type behind a slash. Its case does not matter; a slash before it is left out.
   */
  shortcut?: string | undefined;
  /**
   * Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}; white space inside the braces is ignored.
   */
  body?: string | undefined;
};

export type CampaignsStartRequest = {
  template_id: string;
  /**
   * The key's connection is used where it is of this channel, else the workspace's default of the channel.
   */
  channel: Channel;
  /**
   * The template's name when left out.
   */
  name?: string | undefined;
  /**
   * When to start, in UTC, within 365 days.
   */
  scheduled_at?: string | undefined;
  /**
   * What is not sent by then is skipped as `expired`.
   */
  send_before?: string | undefined;
  /**
   * Contacts with these tags.
   */
  filter_tags?: Array<string> | undefined;
  /**
   * `all` when left out.
   */
  filter_tags_mode?: "all" | "any" | undefined;
  filter_status?: ContactStatus | undefined;
  /**
   * Contacts in this segment.
   */
  segment_id?: string | undefined;
  /**
   * A list for {{1}}, {{2}} … in order, like ["{{name|there}}"], or an object by name. Each text may itself hold named variables, as may those of header, buttons and cards. A named variable that is left out takes the contact's value, else its fallback.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Where `variables` of the template lists one (named `button_2`, say, for the index 1), it may be given there instead.
   */
  buttons?:
    | Array<{
        /**
         * Counted from 0, over all of the buttons.
         */
        index: number;
        /**
         * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
         */
        value: string;
      }>
    | undefined;
  /**
   * Of a carousel, in order.
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
               * Counted from 0, over all of the buttons.
               */
              index: number;
              /**
               * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
               */
              value: string;
            }>
          | undefined;
      }>
    | undefined;
  /**
   * Of a preview of this request by this key, 10 minutes old at most. The campaign then starts only where the audience is still as it was counted.
   */
  audience_token?: string | undefined;
};

/**
 * `official`: a network's own programme, with a 24 h window and approved templates. `unofficial`: an ordinary account.
 */
export type Channel = "official" | "unofficial";

/**
 * How warm the contact is, for your own use.
 */
export type ContactStatus = "hot" | "warm" | "active" | "cold" | "new";

export type CampaignsPreviewRequest = {
  template_id: string;
  /**
   * The key's connection is used where it is of this channel, else the workspace's default of the channel.
   */
  channel: Channel;
  /**
   * The template's name when left out.
   */
  name?: string | undefined;
  /**
   * When to start, in UTC, within 365 days.
   */
  scheduled_at?: string | undefined;
  /**
   * What is not sent by then is skipped as `expired`.
   */
  send_before?: string | undefined;
  /**
   * Contacts with these tags.
   */
  filter_tags?: Array<string> | undefined;
  /**
   * `all` when left out.
   */
  filter_tags_mode?: "all" | "any" | undefined;
  filter_status?: ContactStatus | undefined;
  /**
   * Contacts in this segment.
   */
  segment_id?: string | undefined;
  /**
   * A list for {{1}}, {{2}} … in order, like ["{{name|there}}"], or an object by name. Each text may itself hold named variables, as may those of header, buttons and cards. A named variable that is left out takes the contact's value, else its fallback.
   */
  variables?:
    | Array<string>
    | {
        [key: string]: string;
      }
    | undefined;
  header?: TemplateHeaderValue | undefined;
  /**
   * Values of buttons. Where `variables` of the template lists one (named `button_2`, say, for the index 1), it may be given there instead.
   */
  buttons?:
    | Array<{
        /**
         * Counted from 0, over all of the buttons.
         */
        index: number;
        /**
         * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
         */
        value: string;
      }>
    | undefined;
  /**
   * Of a carousel, in order.
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
               * Counted from 0, over all of the buttons.
               */
              index: number;
              /**
               * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
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
   * Given, the connection is chosen as at a start; left out, both stay.
   */
  channel?: Channel | undefined;
  name?: string | null | undefined;
  /**
   * In UTC, within 365 days. Null for drafts only, which then start at once.
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
         * Counted from 0, over all of the buttons.
         */
        index: number;
        /**
         * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
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
               * Counted from 0, over all of the buttons.
               */
              index: number;
              /**
               * What follows a link's address, the code to copy, the payload of a quick reply, or the token of a form.
               */
              value: string;
            }>
          | undefined;
      }>
    | null
    | undefined;
};

/**
 * The furthest that the campaign has come with this recipient.
 */
export type RecipientState = "pending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown";

export type CampaignsStartDraftRequest = {
  /**
   * Of a preview of this request by this key, 10 minutes old at most. The campaign then starts only where the audience is still as it was counted.
   */
  audience_token?: string | undefined;
};

export type CampaignsTestRequest = {
  /**
   * International format, with `+` or `00`; spaces, dots, dashes and brackets are fine. Numbers from before a country replaced its numbering plan are accepted.
   */
  to: string;
};

/**
 * `done` until the person writes again.
 */
export type ConversationStatus = "open" | "done";

export type ConversationsStartRequest = {
  contact_id: string;
};

export type ConversationsBulkUpdateRequest = (
  | {
      /**
       * All labels that it is to have. Of those that differ in case or accents only, the first is kept.
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
   * All labels that it is to have. Of those that differ in case or accents only, the first is kept.
   */
  labels?: Array<string> | undefined;
};

export type ConversationsUpdateRequest = (
  | {
      /**
       * All labels that it is to have. Of those that differ in case or accents only, the first is kept.
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
       * The member to assign, or null for none.
       */
      assignee_id: string | null;
    }
  | {
      /**
       * `done` also ends a snooze; `open` opens it again.
       */
      status: ConversationStatus;
    }
) & {
  /**
   * `done` also ends a snooze; `open` opens it again.
   */
  status?: ConversationStatus | undefined;
  /**
   * The member to assign, or null for none.
   */
  assignee_id?: string | null | undefined;
  /**
   * Snoozes the conversation until this time in UTC, within 365 days, or until the person writes. Its status stays `open`. Null ends the snooze.
   */
  snoozed_until?: string | null | undefined;
  /**
   * All labels that it is to have. Of those that differ in case or accents only, the first is kept.
   */
  labels?: Array<string> | undefined;
};

export type ConversationsMarkReadRequest = {
  /**
   * `false`: no read receipt. Otherwise the person gets one, where the provider has them.
   */
  receipt?: boolean | undefined;
};

export type MediaUploadRequest = {
  /**
   * https, and public. It is read once, within 15 s; three redirects are followed.
   */
  url: string;
  /**
   * The file name that downloads get. Stored exactly as sent.
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
       * International format, with `+` or `00`; spaces, dots, dashes and brackets are fine. Numbers from before a country replaced its numbering plan are accepted.
       */
      phone: string;
    }
) & {
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: ContactStatus | null | undefined;
  lifecycle_stage?: LifecycleStage | null | undefined;
  /**
   * Where the contact came from; `api` when left out.
   */
  source?: string | null | undefined;
  /**
   * How templates address the person.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * The person wants no messages. Holds for the number, whoever has it.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values by the keys of the workspace's fields; those left out stay as they are.
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
   * Tags to add, by name or as a contact shows them. Other tags stay; unknown names are created.
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
   * `false` leaves a contact that is found as it is.
   */
  update?: boolean | undefined;
};

/**
 * How far the contact is on the way to a customer and beyond, for your own use.
 */
export type LifecycleStage = "lead" | "prospect" | "negotiation" | "customer" | "churned";

export type ContactsUpsertBatchRequest = {
  /**
   * Bodies of `contacts.upsert`, each judged by itself.
   */
  contacts: Array<ContactsUpsertRequest>;
};

export type ContactsUpdateRequest = {
  name?: string | null | undefined;
  company?: string | null | undefined;
  status?: ContactStatus | null | undefined;
  lifecycle_stage?: LifecycleStage | null | undefined;
  /**
   * Where the contact came from; `api` when left out.
   */
  source?: string | null | undefined;
  /**
   * How templates address the person.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * The person wants no messages. Holds for the number, whoever has it.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values by the keys of the workspace's fields; those left out stay as they are.
   */
  custom_fields?:
    | {
        [key: string]: unknown;
      }
    | undefined;
  /**
   * Accepted only if it equals the stored value.
   */
  id?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  marketing_opt_out?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  is_archived?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  external_ids?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  created_at?: unknown;
  /**
   * Ignored.
   */
  updated_at?: string | undefined;
  /**
   * Replaces the contact's tags. Names, or tags as a contact shows them; unknown names are created.
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
   * Where the contact came from; `api` when left out.
   */
  source?: string | null | undefined;
  /**
   * How templates address the person.
   */
  address_as?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /**
   * The person wants no messages. Holds for the number, whoever has it.
   */
  is_unsubscribed?: boolean | undefined;
  /**
   * Values by the keys of the workspace's fields; those left out stay as they are.
   */
  custom_fields?:
    | {
        [key: string]: unknown;
      }
    | undefined;
  /**
   * Accepted only if it equals the stored value.
   */
  id?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  marketing_opt_out?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  is_archived?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  external_ids?: unknown;
  /**
   * Accepted only if it equals the stored value.
   */
  created_at?: unknown;
  /**
   * Ignored.
   */
  updated_at?: string | undefined;
  /**
   * Replaces the contact's tags. Names, or tags as a contact shows them; unknown names are created.
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
   * The contact that becomes part of the one in the path.
   */
  from: string;
  /**
   * `true`: changes nothing, and shows what the merge would do.
   */
  preview?: boolean | undefined;
};

export type ContactsBulkUpdateRequest = (
  | {
      ids?: never | undefined;
      /**
       * All contacts that these query parameters of `contacts.list` find, as of now.
       */
      filter: (
        | {
            /**
             * `true`, also as text: only archived ones, which are left out otherwise.
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
             * The name of a tag that they have.
             */
            tag: string;
          }
        | {
            /**
             * In name, phone, email and company.
             */
            search: string;
          }
      ) & {
        /**
         * In name, phone, email and company.
         */
        search?: string | undefined;
        /**
         * The name of a tag that they have.
         */
        tag?: string | undefined;
        source?: string | undefined;
        status?: ContactStatus | undefined;
        /**
         * `true`, also as text: only archived ones, which are left out otherwise.
         */
        archived?: boolean | undefined;
      };
    }
  | {
      /**
       * The contacts by their ids.
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
         * The fields to change, for `set`; null clears a field.
         */
        set: {
          name?: string | null | undefined;
          company?: string | null | undefined;
          status?: ContactStatus | null | undefined;
          lifecycle_stage?: LifecycleStage | null | undefined;
          /**
           * Where the contact came from; `api` when left out.
           */
          source?: string | null | undefined;
          /**
           * How templates address the person.
           */
          address_as?: string | null | undefined;
          /**
           * Values by the keys of the workspace's fields; those left out stay as they are.
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
         * Names, for `add_tags` and `remove_tags`.
         */
        tags: Array<string>;
        set?: never | undefined;
      }
  );

/**
 * `failed`: it could not go on, and `error` says why; contacts that are `done` stay changed.
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
       * For select and multi_select; null for the others.
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
 * What values look like; a `date` is YYYY-MM-DD, a `country` has two letters.
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
   * For select and multi_select; null for the others.
   */
  options?: Array<string> | null | undefined;
};

export type SegmentsCreateRequest = {
  name: string;
  filter: SegmentFilterInput;
};

/**
 * At most 20 conditions, those of a nested group included.
 */
export type SegmentFilterInput = {
  match: SegmentMatch;
  conditions: Array<SegmentCondition | SegmentGroup>;
};

/**
 * Whether all conditions must hold, or any of them.
 */
export type SegmentMatch = "all" | "any";

export type SegmentsUpdateRequest = {
  name?: string | undefined;
  filter?: SegmentFilterInput | undefined;
};

export type WebhooksCreateRequest = {
  /**
   * https and public. Not an address of this service.
   */
  url: string;
  /**
   * For your own use.
   */
  description?: string | null | undefined;
  /**
   * Event types, `<object>.*` for all of an object, or `*`. Accepted in filters, not produced yet: `contact.erased`, `api_key.rotated`.
   */
  types: Array<string>;
  campaigns?: WebhookCampaigns | undefined;
  /**
   * Leaves out events that belong to another connection; null for all connections.
   */
  connection_ids?: Array<string> | null | undefined;
  /**
   * Sends `{events: […]}` once there are so many, or the first has waited so long. Null sends each event by itself.
   */
  batch?:
    | {
        /**
         * Sent once there are so many.
         */
        max_events: number;
        /**
         * Sent once the first has waited so long.
         */
        max_wait_seconds: number;
      }
    | null
    | undefined;
  /**
   * The event after which it begins; the newest one when left out.
   */
  start_after?: string | undefined;
};

/**
 * Of the events about messages: all, those that are of no campaign, or those of campaigns only.
 */
export type WebhookCampaigns = "include" | "exclude" | "only";

export type WebhooksUpdateRequest = {
  /**
   * https and public. Not an address of this service.
   */
  url?: string | undefined;
  /**
   * For your own use.
   */
  description?: string | null | undefined;
  /**
   * Event types, `<object>.*` for all of an object, or `*`. Accepted in filters, not produced yet: `contact.erased`, `api_key.rotated`.
   */
  types?: Array<string> | undefined;
  campaigns?: WebhookCampaigns | undefined;
  /**
   * Leaves out events that belong to another connection; null for all connections.
   */
  connection_ids?: Array<string> | null | undefined;
  /**
   * Sends `{events: […]}` once there are so many, or the first has waited so long. Null sends each event by itself.
   */
  batch?:
    | {
        /**
         * Sent once there are so many.
         */
        max_events: number;
        /**
         * Sent once the first has waited so long.
         */
        max_wait_seconds: number;
      }
    | null
    | undefined;
};

export type WebhooksRotateSecretRequest = {
  /**
   * For how long the secret before goes on signing, too.
   */
  overlap_seconds?: number | undefined;
};

export type WebhooksReplayRequest = {
  /**
   * Only events after this one.
   */
  after?: string | undefined;
  /**
   * Only events before this one.
   */
  before?: string | undefined;
  /**
   * Event types, `<object>.*` for all of an object, or `*`. Accepted in filters, not produced yet: `contact.erased`, `api_key.rotated`.
   */
  types?: Array<string> | undefined;
  /**
   * What has failed for good, or every event of the log that the webhook wants.
   */
  only: "failed" | "all";
};

/**
 * `failed` after the last try; replaying sends it again.
 */
export type WebhookDeliveryState = "pending" | "failed" | "succeeded";

export type ManageWorkspacesCreateRequest = {
  name: string;
  plan?: Plan | undefined;
  /**
   * Statistics, charts and the calendar of campaigns count its days. An IANA name, `Europe/Berlin`, in any case: the answer has its spelling of today.
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
   * Statistics, charts and the calendar of campaigns count its days. An IANA name, `Europe/Berlin`, in any case: the answer has its spelling of today.
   */
  time_zone?: string | undefined;
  /**
   * Whether the console hides the first steps of a workspace.
   */
  first_steps_hidden?: boolean | undefined;
};

export type ManageMembersUpdateRequest = {
  role: Role;
};

/**
 * Each may do all that those before it may: `agent`, `admin`, `owner`.
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
         * The Meta app that uploads example files of templates.
         */
        app_id?: string | undefined;
        /**
         * The path that marketing templates take; `messages` when left out.
         */
        marketing_route?: "messages" | "marketing_messages" | undefined;
        /**
         * The number is used in the WhatsApp Business app too: at most 20 messages a second.
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
 * `sandbox` delivers without a network.
 */
export type Provider = "sandbox" | "whatsapp_cloud" | "waha";

export type ManageConnectionsUpdateRequest = {
  name?: string | undefined;
  messages_per_second?: number | undefined;
  is_default?: boolean | undefined;
  /**
   * As the provider needs it; the sandbox takes {}.
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
         * The Meta app that uploads example files of templates.
         */
        app_id?: string | undefined;
        /**
         * The path that marketing templates take; `messages` when left out.
         */
        marketing_route?: "messages" | "marketing_messages" | undefined;
        /**
         * The number is used in the WhatsApp Business app too: at most 20 messages a second.
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
 * `from`, and exactly one content.
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
       * An empty `emoji` takes it back.
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
             * A file of the workspace, of which a copy comes in.
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
             * A file of the workspace, of which a copy comes in.
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
             * A file of the workspace, of which a copy comes in.
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
             * A file of the workspace, of which a copy comes in.
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
             * A file of the workspace, of which a copy comes in.
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
   * A phone number, or any other id for somebody without one.
   */
  from: string;
  name?: string | undefined;
  /**
   * A message of the conversation, which this one quotes.
   */
  reply_to?: string | undefined;
  forwarded?: boolean | undefined;
  /**
   * The advertisement, or the product, that led the person to write.
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
   * The answer's `X-Request-Id`: quote it to support.
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
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type ValidationFailedRefusal = {
  code: "validation_failed";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: Array<Fault>;
};

export type Fault = {
  /**
   * Where: `custom_fields.plan`, `query.limit`, `header.idempotency-key`.
   */
  path: string;
  /**
   * Why, for programs: `required`, `unknown_field`, `too_big` …
   */
  code: string;
  /**
   * Why, for people.
   */
  message: string;
};

export type UnauthorizedRefusal = {
  code: "unauthorized";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type PlanRequiredRefusal = {
  code: "plan_required";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type ForbiddenRefusal = {
  code: "forbidden";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type NotFoundRefusal = {
  code: "not_found";
  /**
   * For a person: says what to do.
   */
  message: string;
  /**
   * The id to use instead, where the record has become part of another.
   */
  details: {
    merged_into: string;
  } | null;
};

export type MethodNotAllowedRefusal = {
  code: "method_not_allowed";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type ConflictRefusal = {
  code: "conflict";
  /**
   * For a person: says what to do.
   */
  message: string;
  /**
   * The record it collides with, by the name of its id, and the field.
   */
  details: {
    field?: string | undefined;
    contact_id?: string | undefined;
    /**
     * Of a campaign: how many can be reached now.
     */
    recipient_count?: number | undefined;
    /**
     * How many contacts were left out, by reason.
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
   * For a person: says what to do.
   */
  message: string;
  /**
   * The state the record is in.
   */
  details: {
    status?: string | undefined;
    [key: string]: unknown;
  };
};

export type CursorExpiredRefusal = {
  code: "cursor_expired";
  /**
   * For a person: says what to do.
   */
  message: string;
  /**
   * The id of the oldest event that is kept.
   */
  details: {
    oldest: string;
  };
};

export type PreconditionFailedRefusal = {
  code: "precondition_failed";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    /**
     * The newest revision of the record.
     */
    revision: number;
  };
};

export type PayloadTooLargeRefusal = {
  code: "payload_too_large";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type RangeNotSatisfiableRefusal = {
  code: "range_not_satisfiable";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    /**
     * The size of the file.
     */
    bytes: number;
  };
};

export type UnsupportedMediaTypeRefusal = {
  code: "unsupported_media_type";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type WindowClosedRefusal = {
  code: "window_closed";
  /**
   * For a person: says what to do.
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
   * For a person: says what to do.
   */
  message: string;
  details: {
    status: string;
  };
};

export type ChannelMismatchRefusal = {
  code: "channel_mismatch";
  /**
   * For a person: says what to do.
   */
  message: string;
  /**
   * The parts of the template that cannot be given yet, if they are the reason.
   */
  details: {
    missing: Array<string>;
  } | null;
};

export type MissingVariableRefusal = {
  code: "missing_variable";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    variables: Array<string>;
  };
};

export type NoRecipientsRefusal = {
  code: "no_recipients";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    /**
     * How many contacts were left out, by reason.
     */
    excluded: {
      [key: string]: number;
    };
  };
};

export type UnsubscribedRefusal = {
  code: "unsubscribed";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    /**
     * Null where the number is no contact's yet.
     */
    contact_id: string | null;
    /**
     * Where only marketing was stopped.
     */
    reason?: "marketing_opt_out" | undefined;
    [key: string]: unknown;
  };
};

export type UnsupportedMessageRefusal = {
  code: "unsupported_message";
  /**
   * For a person: says what to do.
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
   * For a person: says what to do.
   */
  message: string;
  details: {
    contact_id: string | null;
  };
};

export type MediaInvalidRefusal = {
  code: "media_invalid";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: {
    /**
     * `wrong_type`, `too_large`, `empty`, `wrong_length`, `not_fetched`, `not_stored`; of a template's example also `app_id_missing`.
     */
    reason: string;
    /**
     * The most bytes that it may have.
     */
    limit?: number | undefined;
  };
};

export type IdempotencyKeyReusedRefusal = {
  code: "idempotency_key_reused";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type RateLimitedRefusal = {
  code: "rate_limited";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type InternalRefusal = {
  code: "internal_error";
  /**
   * For a person: says what to do.
   */
  message: string;
  details: null;
};

export type ProviderRefusal = {
  code: "provider_error";
  /**
   * For a person: says what to do.
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
   * For a person: says what to do.
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
     * Null: everything, but for `read_only`.
     */
    scopes: Array<string> | null;
    expires_at: string | null;
    /**
     * The limit that holds: the key's own, else that of the plan.
     */
    rate_limit: {
      requests: number;
      window_seconds: number;
    };
  };
  usage: {
    /**
     * In the window of the limit that ends now, this request among them, as the `RateLimit` headers say.
     */
    requests: {
      used: number;
      remaining: number;
      reset_seconds: number;
    };
  };
};

/**
 * Sending goes through `active` ones only.
 */
export type ConnectionStatus = "active" | "disconnected" | "error";

export type MessagesSendAnswer = {
  success: true;
  message_id: string;
  conversation_id: string;
  contact_id: string;
  /**
   * `scheduled` where the message has a `send_at`.
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
   * Null for people without a number.
   */
  to: string | null;
  /**
   * A readable line, whatever the type.
   */
  body: string;
  /**
   * True of what came in.
   */
  from_contact: boolean;
  delivery: MessageDelivery;
  /**
   * The provider's id of it.
   */
  provider_message_id: string | null;
  error: MessageError | null;
  created_at: string;
  /**
   * When the provider took it.
   */
  sent_at: string | null;
  /**
   * When it reached the device.
   */
  delivered_at: string | null;
  read_at: string | null;
  failed_at: string | null;
  type: MessageType;
  /**
   * As the `type` says. Null of a local template, and of a message that was taken back.
   */
  content: unknown;
  /**
   * The message that it answers, or reacts to, where that is known.
   */
  reply_to: string | null;
  /**
   * The provider's id of that message, where Tidings does not have it.
   */
  reply_to_provider_id: string | null;
  /**
   * At most one of each side.
   */
  reactions: Array<{
    emoji: string;
    from_contact: boolean;
    at: string;
  }>;
  /**
   * `workspace`: a member, software, a campaign or the account's own phone. `provider_agent`: the provider's own agent, like Meta's.
   */
  sent_by: "contact" | "workspace" | "provider_agent";
  /**
   * The provider's own agent answers it, or sent it. A message of yours takes the conversation over.
   */
  standby: boolean;
  /**
   * The person passed it on from another chat.
   */
  forwarded: boolean;
  /**
   * The advertisement or product that led the person to write.
   */
  referral: Referral | null;
  /**
   * Strings of the caller's own.
   */
  metadata: {
    [key: string]: string;
  } | null;
  /**
   * When it was asked to leave, where it was scheduled.
   */
  send_at: string | null;
  /**
   * How the provider prices the message, once its statuses say so.
   */
  cost: {
    billable: boolean | null;
    category: string | null;
    type: string | null;
  } | null;
  /**
   * When its author last changed it; `body` is what it says now.
   */
  edited_at: string | null;
  /**
   * When its author took it back.
   */
  revoked_at: string | null;
  /**
   * What it said before it was edited or taken back, oldest first.
   */
  versions: Array<{
    body: string;
    written_at: string;
  }>;
};

export type MessageError = {
  code: MessageErrorCode;
  /**
   * For a person.
   */
  message: string;
  /**
   * The provider's own code, where it gave one.
   */
  provider_code: string | null;
};

/**
 * Why it failed, or why a campaign skipped it. Skipped messages appear only in events and in the campaign's recipients.
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
  | "cancelled";

/**
 * From `button_reply` on: in messages that came in only. `note`: in histories with `include=notes` only.
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
 * By `type`: a text itself; media with their `media_id`; else what was sent or came in.
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
   * The place's web address, in messages that came in.
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
     * The number's WhatsApp account.
     */
    wa_id?: string | undefined;
    /**
     * WhatsApp's user id, in messages that came in.
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
   * WhatsApp's user id of the person on the card, in messages that came in.
   */
  user_id?: string | undefined;
  /**
   * In messages that came in: `contact_request` where a button asked for the card.
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
   * The provider's code of the reason.
   */
  provider_code?: string | undefined;
  /**
   * The provider's short text of the reason.
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
   * `scheduled` where the message has a `send_at`.
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
   * `scheduled` where the message has a `send_at`.
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
   * True of what came in.
   */
  from_contact: boolean;
  /**
   * Null of a note, which is never sent.
   */
  delivery: MessageDelivery | null;
  created_at: string;
  type: MessageType;
  /**
   * As the `type` says. Null of a local template, and of a message that was taken back.
   */
  content: unknown;
  /**
   * The message that it answers, or reacts to, where that is known.
   */
  reply_to: string | null;
  /**
   * The provider's id of that message, where Tidings does not have it.
   */
  reply_to_provider_id: string | null;
  /**
   * At most one of each side.
   */
  reactions: Array<{
    emoji: string;
    from_contact: boolean;
    at: string;
  }>;
  /**
   * `workspace`: a member, software, a campaign or the account's own phone. `provider_agent`: the provider's own agent, like Meta's.
   */
  sent_by: "contact" | "workspace" | "provider_agent";
  /**
   * The provider's own agent answers it, or sent it. A message of yours takes the conversation over.
   */
  standby: boolean;
  /**
   * The person passed it on from another chat.
   */
  forwarded: boolean;
  /**
   * The advertisement or product that led the person to write.
   */
  referral: Referral | null;
  /**
   * Strings of the caller's own.
   */
  metadata: {
    [key: string]: string;
  } | null;
  /**
   * When it was asked to leave, where it was scheduled.
   */
  send_at: string | null;
  /**
   * How the provider prices the message, once its statuses say so.
   */
  cost: {
    billable: boolean | null;
    category: string | null;
    type: string | null;
  } | null;
  /**
   * When its author last changed it; `body` is what it says now.
   */
  edited_at: string | null;
  /**
   * When its author took it back.
   */
  revoked_at: string | null;
  /**
   * Of a note: who wrote it.
   */
  author: NoteAuthor | null;
  /**
   * The members that a note names.
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
   * The member's; null where software wrote it.
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
   * Null for local ones.
   */
  connection_id: string | null;
  language: string | null;
  category: string | null;
  /**
   * Their names, in the order of a list of values.
   */
  variables: Array<string>;
  /**
   * Header, body, footer, buttons and cards as the provider holds them, in Meta's form. Empty for local ones.
   */
  components: Array<unknown>;
  /**
   * The provider's rating: GREEN, YELLOW, RED or UNKNOWN.
   */
  quality: string | null;
  /**
   * The provider's reason for refusing it.
   */
  rejection_reason: string | null;
  /**
   * Whether it can be sent: it is approved, and needs nothing that cannot be given yet.
   */
  sendable: boolean;
  /**
   * What a send has to give besides `variables`: a header, like `header.image` or `header.location`, and what cards want, like `cards.0.header.video`, `cards.1.body.1` or `cards.1.buttons.0`. A template that is not `sendable` though it is approved needs what cannot be given yet, like `limited_time_offer` or `buttons.0.mpm`.
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
   * Their names, in the order of the text.
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
   * As counted at the start, and exact once the audience is ready.
   */
  recipient_count: number;
  /**
   * When all recipients were known.
   */
  audience_ready_at: string | null;
  /**
   * By the furthest state reached; they add up once the audience is ready.
   */
  counts: {
    /**
     * Queued, being sent, or waiting for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * The provider may or may not have taken it; never sent again on its own.
     */
    unknown: number;
  };
  /**
   * How many messages the provider bills and how many are free, by its category, as its statuses say.
   */
  cost: {
    [key: string]: {
      billable: number;
      free: number;
    };
  };
  /**
   * Of the last seconds, while it runs.
   */
  rate_per_second: number | null;
  /**
   * At the present rate.
   */
  estimated_completion_at: string | null;
  scheduled_at: string | null;
  /**
   * What is not sent by then is skipped.
   */
  send_before: string | null;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
  /**
   * Why it failed, or why it paused by itself.
   */
  last_error: string | null;
};

/**
 * A `draft` waits to be started. `completed`, `cancelled` and `failed` are final.
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
   * Who fits the filters and cannot be reached, by reason.
   */
  excluded: {
    archived: number;
    unsubscribed: number;
    marketing_opt_out: number;
    /**
     * Neither a number nor a provider's user id.
     */
    no_phone: number;
    /**
     * An id at another provider or business account, and no number.
     */
    no_address: number;
    duplicate: number;
  };
  /**
   * Up to 5, as they would be sent.
   */
  samples: Array<{
    contact_id: string;
    phone: string | null;
    body: string;
    /**
     * Header, buttons and cards, as the message will show them in its `content`. Null of local templates.
     */
    content: TemplateContent | null;
  }>;
  /**
   * Send it with the same request to start the campaign for this audience and no other. Good for 10 minutes.
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
   * The contact's, as it is now.
   */
  name: string | null;
  /**
   * Null of a person without a number.
   */
  phone: string | null;
  /**
   * The provider's id of a person without a number.
   */
  user_id: string | null;
  state: RecipientState;
  /**
   * Why it failed, as with messages, or was skipped: `unsubscribed`, `marketing_opt_out`, `archived`, `duplicate` (its number is one that was sent to already), `missing_variable`, `too_long`, `expired`, `cancelled`.
   */
  reason: string | null;
  /**
   * Null where nothing was or will be sent.
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
   * Who fits the filters and cannot be reached, by reason.
   */
  excluded: {
    archived: number;
    unsubscribed: number;
    marketing_opt_out: number;
    /**
     * Neither a number nor a provider's user id.
     */
    no_phone: number;
    /**
     * An id at another provider or business account, and no number.
     */
    no_address: number;
    duplicate: number;
  };
  /**
   * Up to 5, as they would be sent.
   */
  samples: Array<{
    contact_id: string;
    phone: string | null;
    body: string;
    /**
     * Header, buttons and cards, as the message will show them in its `content`. Null of local templates.
     */
    content: TemplateContent | null;
  }>;
  /**
   * Send it with the same request to start the campaign for this audience and no other. Good for 10 minutes.
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
   * `scheduled` where the message has a `send_at`.
   */
  status: "queued" | "scheduled";
  /**
   * Contact fields that show a sample in brackets because the contact has no value.
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
   * A readable line of the latest message, by either side; null before the first one.
   */
  last_message: string | null;
  /**
   * Before the first message, when the conversation was started.
   */
  last_message_at: string;
  /**
   * Messages of the person since the conversation was last marked as read.
   */
  unread_count: number;
  status: ConversationStatus;
  /**
   * The member who looks after it.
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
   * As the bytes say; until they are here, as was announced.
   */
  mime_type: string | null;
  bytes: number | null;
  /**
   * Hexadecimal.
   */
  sha256: string | null;
  filename: string | null;
  /**
   * `pending`: it is being fetched. `expired`: it was kept for 365 days, and its bytes are deleted.
   */
  status: MediaStatus;
  /**
   * Why it failed.
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
   * E.164, in the spelling it was given.
   */
  phone: string | null;
  email: string | null;
  company: string | null;
  status: ContactStatus;
  lifecycle_stage: LifecycleStage;
  /**
   * Where the contact came from.
   */
  source: string;
  /**
   * The person opted out of all messages.
   */
  is_unsubscribed: boolean;
  /**
   * The person stopped marketing messages in WhatsApp: no campaign and no template of category marketing reaches them; replies and utility templates do. Theirs to change, in WhatsApp or by writing START.
   */
  marketing_opt_out: boolean;
  /**
   * Hidden from lists and campaigns.
   */
  is_archived: boolean;
  /**
   * How templates address the person.
   */
  address_as: string | null;
  tags: Array<{
    id: string;
    name: string;
    color: string;
  }>;
  /**
   * Every field of the workspace by its key, null when unset.
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
  updated: boolean;
  restored: boolean;
  matched_by: "phone" | "email" | null;
};

export type ContactsUpsertBatchAnswer = {
  success: true;
  results: Array<{
    index: number;
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
     * At most 100000 are counted; all of them move.
     */
    messages: number;
    tags: number;
    fields: number;
  };
  /**
   * Values that are lost, by field: those of the other contact, and `labels`, `assignees` and `snoozed_until` (the latest) of conversations that become one.
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
   * Contacts to go through, as counted at the start; at the end, how many there were.
   */
  total: number;
  /**
   * Contacts that are as asked by now, including those that were before.
   */
  done: number;
  /**
   * Contacts that could not be changed: merged into another meanwhile, or with 50 tags already.
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
   * As `#rrggbb`.
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
   * True when the filter asks for a tag, custom field or option that is gone.
   */
  invalid: boolean;
  /**
   * What is gone, by the path of the condition.
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
   * A contact's own field, or `custom_fields.<key>`.
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
   * As the operator takes it; none for `is_set` and `is_not_set`.
   */
  value?: string | number | boolean | Array<string | number | boolean> | null | undefined;
};

/**
 * `ne`, `not_in` and `has_none` hold for unset values too; texts compare without case and accents.
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
 * Conditions that count as one.
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
   * The last event examined: send it as `after`.
   */
  next_after: string;
  /**
   * Whether there are events behind it already.
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
 * A message to one person was accepted, and waits to be sent.
 */
export type MessageQueuedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.queued";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * Who caused it: a key, a member, or a provider by its connection, each by id; the operator, or Tidings itself.
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
 * Each field that changed, with its value before and after.
 */
export type EventChanges = {
  [key: string]: [unknown, unknown];
};

/**
 * A person wrote.
 */
export type MessageReceivedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.received";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * The provider took a message.
 */
export type MessageSentEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.sent";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * A message reached the person's device.
 */
export type MessageDeliveredEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.delivered";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * The person read a message.
 */
export type MessageReadEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.read";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * A message was not sent or not delivered. Its `error` says why.
 */
export type MessageFailedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.failed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * The provider may or may not have taken a message: its answer was lost. It is not sent again on its own.
 */
export type MessageUnknownEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.unknown";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * The author of a message changed it.
 */
export type MessageEditedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.edited";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * The author of a message took it back.
 */
export type MessageRevokedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.revoked";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * Somebody reacted to a message, or took the reaction back.
 */
export type MessageReactionEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "message.reaction";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    message: Message | null;
  };
};

/**
 * A conversation began, or was opened again.
 */
export type ConversationOpenedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "conversation.opened";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    conversation: Conversation | null;
  };
};

/**
 * A conversation was marked as done.
 */
export type ConversationDoneEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "conversation.done";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    conversation: Conversation | null;
  };
};

/**
 * The messages of a conversation were marked as read.
 */
export type ConversationReadEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "conversation.read";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    conversation: Conversation | null;
  };
};

/**
 * A conversation was assigned to a member, or to nobody.
 */
export type ConversationAssignedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "conversation.assigned";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    conversation: Conversation | null;
  };
};

/**
 * The labels of a conversation changed, it was snoozed, a snooze ended, or another conversation became part of it.
 */
export type ConversationUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "conversation.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    conversation: Conversation | null;
  };
};

/**
 * A note was added to a conversation. The event names its author and whom it mentions, and not its text.
 */
export type NoteCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "note.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
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
   * The members that a note names.
   */
  mentions: Array<{
    id: string;
    name: string | null;
  }>;
  created_at: string;
};

/**
 * A contact was created: over the API, in the console, by an import, or by a first message.
 */
export type ContactCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * Fields or tags of a contact changed.
 */
export type ContactUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * A contact was archived.
 */
export type ContactArchivedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.archived";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * An archived contact was restored.
 */
export type ContactRestoredEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.restored";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * Another contact became part of this one, since both are the same person.
 */
export type ContactMergedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.merged";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * A person opted out, of everything or of marketing.
 */
export type ContactOptedOutEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.opted_out";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * A person who had opted out wants messages again.
 */
export type ContactOptedInEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.opted_in";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * A person's number, or their id at a provider, changed.
 */
export type ContactIdentityChangedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "contact.identity_changed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    contact: Contact | null;
  };
};

/**
 * A campaign was created as a draft, to be started later.
 */
export type CampaignCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign that had not started was changed.
 */
export type CampaignUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was created that starts later, or a draft was scheduled.
 */
export type CampaignScheduledEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.scheduled";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign began to send.
 */
export type CampaignStartedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.started";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was paused, by somebody or by itself after many failures in a row.
 */
export type CampaignPausedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.paused";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A paused campaign goes on.
 */
export type CampaignResumedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.resumed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * Every recipient of a campaign was dealt with.
 */
export type CampaignCompletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.completed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign was cancelled: those who had not been sent it will not be.
 */
export type CampaignCancelledEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.cancelled";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A campaign could not start. Its `last_error` says why.
 */
export type CampaignFailedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "campaign.failed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    campaign: Campaign | null;
  };
};

/**
 * A template was created, or found at a provider.
 */
export type TemplateCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "template.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    template: Template | null;
  };
};

/**
 * The name, text or parts of a template changed.
 */
export type TemplateUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "template.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    template: Template | null;
  };
};

/**
 * A template was deleted.
 */
export type TemplateDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "template.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    template: Template | null;
  };
};

/**
 * A provider approved, refused, paused or disabled a template.
 */
export type TemplateStatusChangedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "template.status_changed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    template: Template | null;
  };
};

/**
 * A provider rated a template anew.
 */
export type TemplateQualityChangedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "template.quality_changed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    template: Template | null;
  };
};

/**
 * A tag was created.
 */
export type TagCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "tag.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    tag: Tag | null;
  };
};

/**
 * The name or color of a tag changed.
 */
export type TagUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "tag.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    tag: Tag | null;
  };
};

/**
 * A tag was deleted, and taken off all contacts.
 */
export type TagDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "tag.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    tag: Tag | null;
  };
};

/**
 * A custom field was created.
 */
export type CustomFieldCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "custom_field.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    custom_field: CustomField | null;
  };
};

/**
 * The label or options of a custom field changed.
 */
export type CustomFieldUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "custom_field.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    custom_field: CustomField | null;
  };
};

/**
 * A custom field was deleted, with its values.
 */
export type CustomFieldDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "custom_field.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    custom_field: CustomField | null;
  };
};

/**
 * A canned reply was created.
 */
export type CannedReplyCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "canned_reply.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * The shortcut or text of a canned reply changed.
 */
export type CannedReplyUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "canned_reply.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * A canned reply was deleted.
 */
export type CannedReplyDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "canned_reply.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    canned_reply: CannedReply | null;
  };
};

/**
 * A segment was created.
 */
export type SegmentCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "segment.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    segment: Segment | null;
  };
};

/**
 * The name or filter of a segment changed.
 */
export type SegmentUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "segment.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    segment: Segment | null;
  };
};

/**
 * A segment was deleted.
 */
export type SegmentDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "segment.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    segment: Segment | null;
  };
};

/**
 * A webhook was created.
 */
export type WebhookCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "webhook.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
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
   * Why it is not `active`.
   */
  status_reason: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * `probing` after 20 failures in a row: one attempt on schedule until one succeeds. `disabled` after five days of that, or when the endpoint answered 410.
 */
export type WebhookStatus = "active" | "probing" | "paused" | "disabled";

/**
 * Settings of a webhook changed, or it was paused or enabled.
 */
export type WebhookUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "webhook.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A webhook was deleted.
 */
export type WebhookDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "webhook.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A webhook was disabled, since its endpoint kept failing or answered 410.
 */
export type WebhookDisabledEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "webhook.disabled";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    webhook: WebhookSummary | null;
  };
};

/**
 * A connection was created.
 */
export type ConnectionCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "connection.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
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
   * What the provider says of the connection, where it is not well.
   */
  status_detail: string | null;
};

/**
 * Settings of a connection changed.
 */
export type ConnectionUpdatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "connection.updated";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A connection was deleted.
 */
export type ConnectionDeletedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "connection.deleted";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A connection works again, or stopped working.
 */
export type ConnectionStatusChangedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "connection.status_changed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * A provider changed how many people the account may write to first in a day.
 */
export type ConnectionLimitChangedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "connection.limit_changed";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    connection: ConnectionSummary | null;
  };
};

/**
 * An API key was created.
 */
export type ApiKeyCreatedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "api_key.created";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
     */
    api_key: ApiKey | null;
  };
};

export type ApiKey = {
  id: string;
  name: string;
  connection_id: string;
  /**
   * How the key ends, to tell keys apart.
   */
  last_four: string;
  /**
   * Null: never.
   */
  expires_at: string | null;
  /**
   * It may read only.
   */
  read_only: boolean;
  /**
   * Null: the limit of the workspace's plan.
   */
  rate_limit: {
    requests: number;
    window_seconds: number;
  } | null;
  created_at: string;
  /**
   * To the minute.
   */
  last_used_at: string | null;
  revoked_at: string | null;
};

/**
 * An API key was revoked.
 */
export type ApiKeyRevokedEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  type: "api_key.revoked";
  /**
   * Counts the events of the workspace, without gaps, in the order of commits.
   */
  sequence: number;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
   */
  object_id: string;
  changes: EventChanges | null;
  data: {
    /**
     * As it is when the event is read; null once it is gone.
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
   * Why it is not `active`.
   */
  status_reason: string | null;
  created_at: string;
  updated_at: string;
  /**
   * Every event up to this sequence number was delivered, given up or filtered out.
   */
  sequence: number;
  /**
   * How many events the log holds after `sequence`, whether or not they match.
   */
  lag: number;
  /**
   * When its endpoint last answered 2xx.
   */
  last_success_at: string | null;
  last_failure_at: string | null;
};

export type WebhooksCreateAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * Begins with `whsec_`. It is shown here and never again.
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
   * Begins with `whsec_`. It is shown here and never again.
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
   * Null where there was no answer.
   */
  status: number | null;
  /**
   * Until the answer.
   */
  duration_ms: number;
  /**
   * What went wrong; null of one that went well.
   */
  error: string | null;
  /**
   * The first 4 KB of the answer.
   */
  response: string | null;
};

export type WebhooksPauseAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * How many events were deleted from the log before it was sent them.
   */
  skipped: number;
};

export type WebhooksEnableAnswer = {
  success: true;
  webhook: Webhook;
  /**
   * How many events were deleted from the log before it was sent them.
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
   * The events in it, one unless the webhook has `batch`.
   */
  event_ids: Array<string>;
  state: WebhookDeliveryState;
  /**
   * The last 20, oldest first.
   */
  attempts: Array<WebhookAttempt>;
  next_attempt_at: string | null;
};

export type WebhooksRetryDeliveryAnswer = {
  success: true;
  delivery: WebhookDelivery;
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
   * The operator has confirmed that this is the person of the email.
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
   * What the provider says of the connection, where it is not well.
   */
  status_detail: string | null;
  /**
   * Campaigns on its channel go through it where a key's own connection cannot.
   */
  is_default: boolean;
  /**
   * The most that is sent through it in a second.
   */
  messages_per_second: number;
  /**
   * How many people the account may write to first in a day, in the provider's own word: `TIER_10K`.
   */
  messaging_limit: string | null;
  /**
   * Where the provider is to report: enter it there.
   */
  webhook_url: string;
  /**
   * Secrets show their last four characters only.
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
   * The kind of the message, or `template`.
   */
  type: string;
  /**
   * Null of a text, else as it was sent; of a template its parts that are not text, as the message shows them.
   */
  content: unknown;
  /**
   * The message that it quotes or reacts to.
   */
  reply_to: string | null;
  attempt: number;
  at: string;
};

/**
 * Messages of a person were read, up to this one.
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
   * Its number in the log of the workspace.
   */
  number: number;
  created_at: string;
  key_id: string;
  method: string;
  /**
   * The endpoint's path, like `/api/v1/contacts/:id`; null where there is no such endpoint.
   */
  route: string | null;
  /**
   * As it was asked for. What could name a person is replaced by `…`.
   */
  path: string;
  /**
   * The names of the query's parameters. Their values are not kept.
   */
  query: Array<string>;
  status: number;
  error_code: string | null;
  /**
   * Until the answer began.
   */
  duration_ms: number;
  request_id: string;
  /**
   * How many more requests with this key to this endpoint were refused with `rate_limited` in the same minute. They are no entries of their own.
   */
  repeats: number;
};

export type ManageRequestsUsageAnswer = {
  success: true;
  usage: Array<KeyUsage>;
};

export type KeyUsage = {
  /**
   * A day in UTC.
   */
  date: string;
  key_id: string;
  requests: number;
  /**
   * Those answered with a status of 400 or more.
   */
  errors: number;
};

export type ManageStatisticsListAnswer = {
  success: true;
  days: Array<DayOfStatistics>;
};

export type DayOfStatistics = {
  /**
   * A day in the time zone that the workspace had then.
   */
  date: string;
  /**
   * Messages to one person, on the day on which each step happened.
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
   * The same of messages of campaigns.
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
   * How often conversations were opened and marked as done. Every change counts, one that is undone too.
   */
  conversations: {
    opened: number;
    done: number;
  };
  /**
   * How long people waited for the first answer to what they wrote: from people, or from software with a key. Times are counted in ranges, within which `median_seconds` and `p90_seconds` are estimated: a single answer after 12 seconds reads 15 and 27.
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
   * Messages to one person that each key sent.
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
   * What the queue carried.
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
     * Queued, being sent, or waiting for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * The provider may or may not have taken it; never sent again on its own.
     */
    unknown: number;
  };
  /**
   * As the recipients themselves say.
   */
  actual: {
    /**
     * Queued, being sent, or waiting for a retry.
     */
    pending: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    skipped: number;
    /**
     * The provider may or may not have taken it; never sent again on its own.
     */
    unknown: number;
  };
  /**
   * `actual` less `stored`, where they differ.
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
 * What a webhook with `batch` is sent, also where there is one event only.
 */
export type EventBatch = {
  events: Array<DeliveredEvent>;
};

/**
 * The events that a webhook may be sent.
 */
export type DeliveredEvent = Event | WebhookTestEvent;

/**
 * Somebody tests a webhook. It is sent whatever the types of the webhook, and is not in the log.
 */
export type WebhookTestEvent = {
  /**
   * The same in the log and in every delivery.
   */
  id: string;
  /**
   * It is not in the log.
   */
  sequence: null;
  created_at: string;
  actor: Actor;
  /**
   * The id of the object in `data`, also once that is null.
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
   * Of this contact.
   */
  contact_id?: string | undefined;
  /**
   * Of this conversation.
   */
  conversation_id?: string | undefined;
  /**
   * How far they have come.
   */
  delivery?: MessageDelivery | undefined;
  /**
   * Of this campaign.
   */
  campaign_id?: string | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ConversationsMessagesQuery = {
  /**
   * `notes`: with the notes of members and software.
   */
  include?: "notes" | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type TemplatesListQuery = {
  /**
   * Only those with this status.
   */
  status?: TemplateStatus | undefined;
  /**
   * Only those from here.
   */
  source?: TemplateSource | undefined;
  /**
   * How many to give at most; all when left out.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type CannedRepliesListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type CampaignsListQuery = {
  /**
   * How many to give at most; all when left out.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type CampaignsRecipientsQuery = {
  /**
   * Only those in this state.
   */
  state?: RecipientState | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type CampaignsExportRecipientsQuery = {
  /**
   * Only those in this state.
   */
  state?: RecipientState | undefined;
};

export type ConversationsListQuery = {
  /**
   * Only those with this status.
   */
  status?: ConversationStatus | undefined;
  /**
   * `true`: only those with unread messages.
   */
  unread?: boolean | undefined;
  /**
   * Only those assigned to the member with this id; `none`: to nobody.
   */
  assignee?: string | undefined;
  /**
   * Only those with this label, in any case and with any accents.
   */
  label?: string | undefined;
  /**
   * Searches the contact's name, phone, email and company, and finds direct or inbound messages that contain all words of three or more characters. Case and accents do not matter; in messages, ß and ø are not ss and o.
   */
  search?: string | undefined;
  /**
   * `true` returns only snoozed conversations, `false` leaves them out.
   */
  snoozed?: boolean | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type MembersListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type MediaUploadQuery = {
  /**
   * The file name that downloads get. Stored exactly as sent.
   */
  filename?: string | undefined;
};

export type MediaListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ContactsListQuery = {
  /**
   * In name, phone, email and company.
   */
  search?: string | undefined;
  /**
   * The name of a tag that they have.
   */
  tag?: string | undefined;
  /**
   * Where they came from.
   */
  source?: string | undefined;
  /**
   * Only those with this status.
   */
  status?: ContactStatus | undefined;
  /**
   * `true`: only archived ones, which are hidden otherwise.
   */
  archived?: boolean | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * How many to leave out; not together with `cursor`.
   */
  offset?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
  /**
   * `true`: also counts all that match.
   */
  include_total?: boolean | undefined;
};

export type JobsListQuery = {
  /**
   * Only those with this status.
   */
  status?: JobStatus | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type TagsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type CustomFieldsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type SegmentsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type SegmentsContactsQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type EventsListQuery = {
  /**
   * An event's id, or a `next_after`; `now` for what happens from now on. Left out: from the oldest kept.
   */
  after?: string | undefined;
  /**
   * The types to give, separated by commas; all when left out.
   */
  types?: string | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * How many seconds to wait for an event where there is none.
   */
  wait?: number | undefined;
};

export type WebhooksListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type WebhooksDeliveriesQuery = {
  /**
   * Only those in this state.
   */
  state?: WebhookDeliveryState | undefined;
  /**
   * Only those that hold this event.
   */
  event_id?: string | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageWorkspacesListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageMembersListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageInvitationsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageConnectionsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageConnectionsOutboxQuery = {
  /**
   * To this number or id only.
   */
  to?: string | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageApiKeysListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageRequestsListQuery = {
  /**
   * Requests of this key only.
   */
  key_id?: string | undefined;
  /**
   * A status like `404`, or a class of them like `4xx`.
   */
  status?: string | undefined;
  /**
   * A part of the `path`, or of the `route`.
   */
  path?: string | undefined;
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};

export type ManageRequestsUsageQuery = {
  /**
   * How many days to count, today among them.
   */
  days?: number | undefined;
};

export type ManageStatisticsListQuery = {
  /**
   * How many days to give, today among them.
   */
  days?: number | undefined;
};

export type ManageDeadEventsListQuery = {
  /**
   * How many to give at most.
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string | undefined;
};
