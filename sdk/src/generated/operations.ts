// Made by `npm run generate` from openapi.json.

import type { CallOptions, ChangeOptions, MediaFile, Revisioned, UploadOptions, WriteOptions } from "../options.ts";
import type { List } from "../list.ts";
import { pathOf, type Transport } from "../transport.ts";
import type {
  ApiKey,
  Campaign,
  CampaignRecipient,
  CampaignsCancelAnswer,
  CampaignsDuplicateAnswer,
  CampaignsExportRecipientsQuery,
  CampaignsGetAnswer,
  CampaignsListAnswer,
  CampaignsListQuery,
  CampaignsPauseAnswer,
  CampaignsPreviewAnswer,
  CampaignsPreviewDraftAnswer,
  CampaignsPreviewRequest,
  CampaignsRecipientsAnswer,
  CampaignsRecipientsQuery,
  CampaignsResumeAnswer,
  CampaignsStartAnswer,
  CampaignsStartDraftAnswer,
  CampaignsStartDraftRequest,
  CampaignsStartRequest,
  CampaignsTestAnswer,
  CampaignsTestRequest,
  CampaignsUpdateAnswer,
  CampaignsUpdateRequest,
  CannedRepliesCreateAnswer,
  CannedRepliesCreateRequest,
  CannedRepliesDeleteAnswer,
  CannedRepliesGetAnswer,
  CannedRepliesListAnswer,
  CannedRepliesListQuery,
  CannedRepliesUpdateAnswer,
  CannedRepliesUpdateRequest,
  CannedReply,
  Connection,
  Contact,
  ContactsArchiveAnswer,
  ContactsBulkUpdateAnswer,
  ContactsBulkUpdateRequest,
  ContactsGetAnswer,
  ContactsListAnswer,
  ContactsListQuery,
  ContactsMergeAnswer,
  ContactsMergeRequest,
  ContactsPutAnswer,
  ContactsPutRequest,
  ContactsRestoreAnswer,
  ContactsUpdateAnswer,
  ContactsUpdateRequest,
  ContactsUpsertAnswer,
  ContactsUpsertBatchAnswer,
  ContactsUpsertBatchRequest,
  ContactsUpsertRequest,
  Conversation,
  ConversationMessage,
  ConversationsAddNoteAnswer,
  ConversationsAddNoteRequest,
  ConversationsBulkUpdateAnswer,
  ConversationsBulkUpdateRequest,
  ConversationsGetAnswer,
  ConversationsListAnswer,
  ConversationsListQuery,
  ConversationsMarkReadAnswer,
  ConversationsMarkReadRequest,
  ConversationsMessagesAnswer,
  ConversationsMessagesQuery,
  ConversationsReplyAnswer,
  ConversationsReplyRequest,
  ConversationsStartAnswer,
  ConversationsStartRequest,
  ConversationsUpdateAnswer,
  ConversationsUpdateRequest,
  CustomField,
  CustomFieldsCreateAnswer,
  CustomFieldsCreateRequest,
  CustomFieldsDeleteAnswer,
  CustomFieldsListAnswer,
  CustomFieldsListQuery,
  CustomFieldsUpdateAnswer,
  CustomFieldsUpdateRequest,
  DeadEvent,
  Event,
  EventsGetAnswer,
  EventsListAnswer,
  EventsListQuery,
  Invitation,
  Job,
  JobsGetAnswer,
  JobsListAnswer,
  JobsListQuery,
  LoggedRequest,
  ManageApiKeysCreateAnswer,
  ManageApiKeysCreateRequest,
  ManageApiKeysGetAnswer,
  ManageApiKeysListAnswer,
  ManageApiKeysListQuery,
  ManageApiKeysRevokeAnswer,
  ManageApiKeysUpdateAnswer,
  ManageApiKeysUpdateRequest,
  ManageCampaignsReconcileAnswer,
  ManageConnectionsCreateAnswer,
  ManageConnectionsCreateRequest,
  ManageConnectionsDeleteAnswer,
  ManageConnectionsGetAnswer,
  ManageConnectionsListAnswer,
  ManageConnectionsListQuery,
  ManageConnectionsOutboxAnswer,
  ManageConnectionsOutboxQuery,
  ManageConnectionsSimulateAnswer,
  ManageConnectionsSimulateRequest,
  ManageConnectionsSyncTemplatesAnswer,
  ManageConnectionsTestAnswer,
  ManageConnectionsUpdateAnswer,
  ManageConnectionsUpdateRequest,
  ManageDeadEventsListAnswer,
  ManageDeadEventsListQuery,
  ManageDeadEventsReplayAnswer,
  ManageInvitationsCreateAnswer,
  ManageInvitationsCreateRequest,
  ManageInvitationsDeleteAnswer,
  ManageInvitationsListAnswer,
  ManageInvitationsListQuery,
  ManageMembersConfirmAnswer,
  ManageMembersCreateResetLinkAnswer,
  ManageMembersDeleteAnswer,
  ManageMembersListAnswer,
  ManageMembersListQuery,
  ManageMembersUpdateAnswer,
  ManageMembersUpdateRequest,
  ManageRequestsListAnswer,
  ManageRequestsListQuery,
  ManageRequestsUsageAnswer,
  ManageRequestsUsageQuery,
  ManageStatisticsListAnswer,
  ManageStatisticsListQuery,
  ManageStatusGetAnswer,
  ManageWorkspacesCreateAnswer,
  ManageWorkspacesCreateRequest,
  ManageWorkspacesGetAnswer,
  ManageWorkspacesListAnswer,
  ManageWorkspacesListQuery,
  ManageWorkspacesUpdateAnswer,
  ManageWorkspacesUpdateRequest,
  MeGetAnswer,
  Media,
  MediaDeleteAnswer,
  MediaGetAnswer,
  MediaListAnswer,
  MediaListQuery,
  MediaUploadAnswer,
  MediaUploadQuery,
  MediaUploadRequest,
  Member,
  MemberSummary,
  MembersListAnswer,
  MembersListQuery,
  Message,
  MessagesCancelAnswer,
  MessagesGetAnswer,
  MessagesListAnswer,
  MessagesListQuery,
  MessagesSendAnswer,
  MessagesSendBatchAnswer,
  MessagesSendBatchRequest,
  MessagesSendRequest,
  SandboxDelivery,
  Segment,
  SegmentsContactsAnswer,
  SegmentsContactsQuery,
  SegmentsCountAnswer,
  SegmentsCreateAnswer,
  SegmentsCreateRequest,
  SegmentsDeleteAnswer,
  SegmentsGetAnswer,
  SegmentsListAnswer,
  SegmentsListQuery,
  SegmentsUpdateAnswer,
  SegmentsUpdateRequest,
  Tag,
  TagsCreateAnswer,
  TagsCreateRequest,
  TagsDeleteAnswer,
  TagsListAnswer,
  TagsListQuery,
  TagsUpdateAnswer,
  TagsUpdateRequest,
  Template,
  TemplatesCreateAnswer,
  TemplatesCreateRequest,
  TemplatesDeleteAnswer,
  TemplatesGetAnswer,
  TemplatesListAnswer,
  TemplatesListQuery,
  TemplatesSendAnswer,
  TemplatesSendRequest,
  TemplatesUpdateAnswer,
  TemplatesUpdateRequest,
  Webhook,
  WebhookDelivery,
  WebhooksCreateAnswer,
  WebhooksCreateRequest,
  WebhooksDeleteAnswer,
  WebhooksDeliveriesAnswer,
  WebhooksDeliveriesQuery,
  WebhooksEnableAnswer,
  WebhooksGetAnswer,
  WebhooksListAnswer,
  WebhooksListQuery,
  WebhooksPauseAnswer,
  WebhooksReplayAnswer,
  WebhooksReplayRequest,
  WebhooksRetryDeliveryAnswer,
  WebhooksRotateSecretAnswer,
  WebhooksRotateSecretRequest,
  WebhooksTestAnswer,
  WebhooksUpdateAnswer,
  WebhooksUpdateRequest,
  Workspace,
} from "./types.ts";

/** Every operation of the API, by its name. */
export abstract class Operations {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  readonly me = {
    /**
     * Get the current key.
     *
     * Returns the key's workspace, connection and permissions, and how much of its rate limit is used.
     */
    get: (options?: CallOptions): Promise<MeGetAnswer> => this.#api.read("/api/v1/me", undefined, options),
  };

  readonly messages = {
    /**
     * Send a message.
     *
     * Returns 202 after the message is stored, and sends the message right after the response. `messages.get` returns the current `delivery`.
     */
    send: (body: MessagesSendRequest, options?: WriteOptions): Promise<MessagesSendAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/messages", body, options),
    /**
     * List messages, newest first.
     *
     * Requires at least one filter. Several filters combine with AND. A page examines at most 5,000 messages, so with `delivery` or several filters, a page can be short or empty before the last page. Continue until `next_cursor` is null.
     */
    list: (query?: MessagesListQuery, options?: CallOptions): List<MessagesListAnswer, Message> =>
      this.#api.list("/api/v1/messages", query, options, (page) => [page.messages, "cursor", page.next_cursor]),
    /**
     * Send up to 100 messages.
     *
     * Each entry is a body of `messages.send` and is accepted or rejected separately. Messages to one person are sent in the order of the list. Repeating the request with its Idempotency-Key returns the same results and sends nothing again. If the request was interrupted, the repeat accepts only the remaining messages. Without a key, the remaining messages of an interrupted request have the error `unavailable`.
     */
    sendBatch: (body: MessagesSendBatchRequest, options?: WriteOptions): Promise<MessagesSendBatchAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/messages/batch", body, options),
    /**
     * Cancel a scheduled message.
     *
     * Cancels a message with `send_at` that was not sent yet. After it was sent, the request returns 409.
     */
    cancel: (id: string, options?: WriteOptions): Promise<MessagesCancelAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/messages/${id}/cancel`, undefined, options),
    /**
     * Get a message.
     *
     * Returns the message with its `delivery`, and with the error if it failed.
     */
    get: (id: string, options?: CallOptions): Promise<MessagesGetAnswer> =>
      this.#api.read(pathOf`/api/v1/messages/${id}`, undefined, options),
  };

  readonly templates = {
    /**
     * Send a template.
     *
     * An external template can be sent at any time, but only through the official connection that it belongs to. A local template requires an unofficial connection. A named variable gets the value in `variables`. Without this value, it gets the contact's value (name, first_name, phone, email, company, address_as, status, lifecycle_stage, or a custom field by its key). Without both, it gets its fallback.
     */
    send: (id: string, body: TemplatesSendRequest, options?: WriteOptions): Promise<TemplatesSendAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/templates/${id}/send`, body, options),
    /**
     * List templates, newest first.
     *
     * Without `limit`, returns all templates.
     */
    list: (query?: TemplatesListQuery, options?: CallOptions): List<TemplatesListAnswer, Template> =>
      this.#api.list("/api/v1/templates", query, options, (page) => [page.templates, "cursor", page.next_cursor]),
    /**
     * Create a template.
     *
     * Send `name` and `body` to create a local template. Unofficial connections can send it immediately. Local templates have unique names. Send `connection_id`, `language`, `category` and `components` to submit a template to the provider of an official connection. The response has the provider's status. An event reports the result of the provider's review. If the provider's response is lost (502), a sync finds within two minutes whether the template exists. Repeating the request with the same Idempotency-Key then returns the template.
     */
    create: (body: TemplatesCreateRequest, options?: WriteOptions): Promise<Revisioned<TemplatesCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/templates", body, options),
    /**
     * Get a template.
     *
     * Returns the template's text, its variables in order, and whether it can be sent.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<TemplatesGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/templates/${id}`, undefined, options),
    /**
     * Change a template.
     *
     * Changes only the fields that are sent: `name` and `body` of a local template, `category` and `components` (all of them) of an external template, which the provider reviews again. Sent messages do not change.
     */
    update: (
      id: string,
      body: TemplatesUpdateRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<TemplatesUpdateAnswer>> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/templates/${id}`, body, options),
    /**
     * Delete a template.
     *
     * Deletes the template and returns it. An external template is deleted at its provider first. Sent messages stay.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<TemplatesDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/templates/${id}`, undefined, options),
  };

  readonly conversations = {
    /**
     * Reply in a conversation.
     *
     * Sends the message through the conversation's connection, also to people who have a provider's user id but no number.
     */
    reply: (id: string, body: ConversationsReplyRequest, options?: WriteOptions): Promise<ConversationsReplyAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/conversations/${id}/messages`, body, options),
    /**
     * List the messages of a conversation, newest first.
     *
     * Returns inbound, direct and campaign messages of one contact on one connection. `include=notes` adds the notes of the conversation, sorted by time.
     */
    messages: (
      id: string,
      query?: ConversationsMessagesQuery,
      options?: CallOptions,
    ): List<ConversationsMessagesAnswer, ConversationMessage> =>
      this.#api.list(pathOf`/api/v1/conversations/${id}/messages`, query, options, (page) => [
        page.messages,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Add a note to a conversation.
     *
     * Notes are never sent. Members see them, and lists with `include=notes` return them. A note does not change the conversation's `last_message`. `@` and the name of a member mentions the member.
     */
    addNote: (
      id: string,
      body: ConversationsAddNoteRequest,
      options?: WriteOptions,
    ): Promise<ConversationsAddNoteAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/conversations/${id}/notes`, body, options),
    /**
     * List conversations, latest first.
     *
     * Sorted by the time of the last direct or inbound message: a conversation that gets a message while you page moves to the top, so later pages do not contain it. Filters combine with AND. The list includes snoozed conversations; `snoozed=false` excludes them. A search for text that very many contacts or messages contain can return a short or empty page before the last one: continue until `next_cursor` is null.
     */
    list: (query?: ConversationsListQuery, options?: CallOptions): List<ConversationsListAnswer, Conversation> =>
      this.#api.list("/api/v1/conversations", query, options, (page) => [
        page.conversations,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Start a conversation.
     *
     * Starts a conversation with a contact on the key's connection. Sends no message: use `conversations.reply` to write. Returns 200 if the conversation already exists.
     */
    start: (body: ConversationsStartRequest, options?: WriteOptions): Promise<ConversationsStartAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/conversations", body, options),
    /**
     * Change up to 100 conversations.
     *
     * Applies the same change to all conversations. The result of a repeated id is `unchanged`. An unknown id does not affect the other conversations.
     */
    bulkUpdate: (
      body: ConversationsBulkUpdateRequest,
      options?: WriteOptions,
    ): Promise<ConversationsBulkUpdateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/conversations/bulk", body, options),
    /**
     * Get a conversation.
     *
     * Returns the conversation with its contact, its last message and the number of unread messages.
     */
    get: (id: string, options?: CallOptions): Promise<ConversationsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/conversations/${id}`, undefined, options),
    /**
     * Change a conversation.
     *
     * Changes only the fields that are sent. The next inbound message reopens a `done` conversation and ends a snooze. If a member is removed from the workspace, their conversations become unassigned within two minutes.
     */
    update: (
      id: string,
      body: ConversationsUpdateRequest,
      options?: WriteOptions,
    ): Promise<ConversationsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/conversations/${id}`, body, options),
    /**
     * Mark a conversation read.
     *
     * Sets `unread_count` to 0 and marks the inbound messages as `read`. If messages were unread, the provider then receives a read receipt, so that the person sees that the messages were read. A failed receipt is retried twice.
     */
    markRead: (
      id: string,
      body?: ConversationsMarkReadRequest,
      options?: WriteOptions,
    ): Promise<ConversationsMarkReadAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/conversations/${id}/read`, body, options),
  };

  readonly cannedReplies = {
    /**
     * List canned replies, newest first.
     *
     * Canned replies are texts that members insert into a reply by typing a slash and the shortcut.
     */
    list: (query?: CannedRepliesListQuery, options?: CallOptions): List<CannedRepliesListAnswer, CannedReply> =>
      this.#api.list("/api/v1/canned-replies", query, options, (page) => [
        page.canned_replies,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Create a canned reply.
     *
     * The text can contain the same variables as a template. The console replaces them with the person's values, and the member sees the values before sending.
     */
    create: (
      body: CannedRepliesCreateRequest,
      options?: WriteOptions,
    ): Promise<Revisioned<CannedRepliesCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/canned-replies", body, options),
    /**
     * Get a canned reply.
     *
     * Returns the canned reply with its shortcut, text and variables.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<CannedRepliesGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/canned-replies/${id}`, undefined, options),
    /**
     * Change a canned reply.
     *
     * Changes only the fields that are sent. Replies that were already sent do not change.
     */
    update: (
      id: string,
      body: CannedRepliesUpdateRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<CannedRepliesUpdateAnswer>> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/canned-replies/${id}`, body, options),
    /**
     * Delete a canned reply.
     *
     * Returns the deleted canned reply.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<CannedRepliesDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/canned-replies/${id}`, undefined, options),
  };

  readonly campaigns = {
    /**
     * List campaigns, newest first.
     *
     * Returns each campaign with its counts, rate and estimated end. Without `limit`, returns all campaigns.
     */
    list: (query?: CampaignsListQuery, options?: CallOptions): List<CampaignsListAnswer, Campaign> =>
      this.#api.list("/api/v1/campaigns", query, options, (page) => [page.campaigns, "cursor", page.next_cursor]),
    /**
     * Start or schedule a campaign.
     *
     * Filters combine with AND. Without filters, the audience is every reachable contact: not archived, not unsubscribed, not opted out of marketing, and with a phone number or a user id on the connection. Each person receives one message. The audience is fixed at the start: contacts who match later are not added. Tidings checks opt-outs and archiving again before each message. The request counts the audience before it responds, which takes a few seconds for a million contacts. Follow the campaign with `campaigns.get`. Only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. With the `audience_token` of a preview, the request returns 409 if the audience has changed since the preview. A template with positions such as {{1}} requires `variables`. Templates of category `AUTHENTICATION` return 422 `channel_mismatch`, because a login code is for one person.
     */
    start: (body: CampaignsStartRequest, options?: WriteOptions): Promise<CampaignsStartAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/campaigns", body, options),
    /**
     * Preview a campaign.
     *
     * Returns the number of recipients and sample messages. Stores nothing, so read-only keys can call it. Only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. For more than 2,000 contacts, the number can be up to 5 seconds old. A template with positions such as {{1}} requires `variables`. Templates of category `AUTHENTICATION` return 422 `channel_mismatch`, because a login code is for one person.
     */
    preview: (body: CampaignsPreviewRequest, options?: WriteOptions): Promise<CampaignsPreviewAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/campaigns/preview", body, options),
    /**
     * Get a campaign.
     *
     * Returns the campaign with its counts, send rate and estimated end.
     */
    get: (id: string, options?: CallOptions): Promise<CampaignsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/campaigns/${id}`, undefined, options),
    /**
     * Change a campaign that has not started.
     *
     * Changes a draft or a scheduled campaign. Omitted fields stay unchanged; null clears a field. Checks the changed campaign and counts its audience, as `campaigns.start` does. Returns 409 if the campaign starts at the same moment, because a started campaign cannot change.
     */
    update: (id: string, body: CampaignsUpdateRequest, options?: WriteOptions): Promise<CampaignsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/campaigns/${id}`, body, options),
    /**
     * Pause a campaign.
     *
     * Stops sending within two seconds.
     */
    pause: (id: string, options?: WriteOptions): Promise<CampaignsPauseAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/pause`, undefined, options),
    /**
     * Resume a campaign.
     *
     * Continues sending. If `send_before` has passed, the campaign completes instead.
     */
    resume: (id: string, options?: WriteOptions): Promise<CampaignsResumeAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/resume`, undefined, options),
    /**
     * Cancel a campaign.
     *
     * Skips all remaining recipients, immediately and permanently.
     */
    cancel: (id: string, options?: WriteOptions): Promise<CampaignsCancelAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/cancel`, undefined, options),
    /**
     * List a campaign's recipients.
     *
     * With `state`, a page can be short or empty before the last page. Continue until `next_cursor` is null.
     */
    recipients: (
      id: string,
      query?: CampaignsRecipientsQuery,
      options?: CallOptions,
    ): List<CampaignsRecipientsAnswer, CampaignRecipient> =>
      this.#api.list(pathOf`/api/v1/campaigns/${id}/recipients`, query, options, (page) => [
        page.recipients,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Download a campaign's recipients.
     *
     * Returns all recipients, or the recipients in `state`, as CSV (RFC 4180, UTF-8 with a byte order mark): contact_id, name, phone, user_id, state, reason, error_message, sent_at, delivered_at, read_at, failed_at, updated_at, message_id. A cell that a spreadsheet would run as a formula begins with an apostrophe, so that the spreadsheet shows it as text.
     */
    exportRecipients: (id: string, query?: CampaignsExportRecipientsQuery, options?: CallOptions): Promise<Response> =>
      this.#api.download(pathOf`/api/v1/campaigns/${id}/recipients.csv`, options, query),
    /**
     * Duplicate a campaign.
     *
     * Copies the settings to a new draft with a name like “December offer (copy)”. Times that have passed are not copied. Tidings checks the draft and counts its audience when you change or start the draft.
     */
    duplicate: (id: string, options?: WriteOptions): Promise<CampaignsDuplicateAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/duplicate`, undefined, options),
    /**
     * Preview a draft.
     *
     * Same as `campaigns.preview`, for a stored draft. Send the returned `audience_token` to `campaigns.startDraft`. Also previews a draft whose times have passed.
     */
    previewDraft: (id: string, options?: WriteOptions): Promise<CampaignsPreviewDraftAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/preview`, undefined, options),
    /**
     * Start a draft.
     *
     * Checks and counts the draft like `campaigns.start` and returns the same body. The campaign runs immediately, or is scheduled if `scheduled_at` is in the future. A `scheduled_at` in the past is an error. If the campaign has already been started with this `audience_token`, the request returns the same body and starts nothing.
     */
    startDraft: (
      id: string,
      body?: CampaignsStartDraftRequest,
      options?: WriteOptions,
    ): Promise<CampaignsStartDraftAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/start`, body, options),
    /**
     * Send a test of a campaign.
     *
     * Sends the campaign's message to one number through the campaign's connection, with the values of the contact that has this number. A missing value appears as a sample in brackets, like `[name]`; `sample_variables` lists its field. If no contact has the number, every contact field except `phone` is a sample. The test is a direct message, so it is not among the campaign's recipients and does not change the counts. The campaign can have any status.
     */
    test: (id: string, body: CampaignsTestRequest, options?: WriteOptions): Promise<CampaignsTestAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/test`, body, options),
  };

  readonly members = {
    /**
     * List the members of the workspace.
     *
     * Returns the members to whom you can assign conversations, without their emails.
     */
    list: (query?: MembersListQuery, options?: CallOptions): List<MembersListAnswer, MemberSummary> =>
      this.#api.list("/api/v1/members", query, options, (page) => [page.members, "cursor", page.next_cursor]),
  };

  readonly media = {
    /**
     * Upload a file, or fetch a file from a URL.
     *
     * Send the bytes as the body, with their `Content-Type` and `Content-Length`. The maximum is 100 MB, or the platform's limit if it is lower. Or send JSON with the `url` of a file. The file is `pending` until the download ends, and `failed` if the download fails. The bytes must match the `Content-Type`. Repeat an Idempotency-Key only with the same bytes. Files are stored for 365 days. A message refers to a file by its id. Each type of message accepts:
     *
     * | kind | types | size |
     * | --- | --- | --- |
     * | `image` | JPEG, PNG | 5 MB |
     * | `sticker` | WebP | 500 KB |
     * | `audio` | AAC, AMR, MP3, MP4, OGG (Opus) | 16 MB |
     * | `video` | MP4, 3GPP | 16 MB |
     * | `document` | any except pages, scripts and programs | 100 MB |
     */
    upload: (
      file: MediaFile | MediaUploadRequest,
      options?: UploadOptions & MediaUploadQuery,
    ): Promise<MediaUploadAnswer> => this.#api.upload("/api/v1/media", file, options),
    /**
     * List files, newest first.
     *
     * Returns uploaded, fetched and received files.
     */
    list: (query?: MediaListQuery, options?: CallOptions): List<MediaListAnswer, Media> =>
      this.#api.list("/api/v1/media", query, options, (page) => [page.media, "cursor", page.next_cursor]),
    /**
     * Get a file's metadata.
     *
     * The file's `status` shows whether its bytes are stored.
     */
    get: (id: string, options?: CallOptions): Promise<MediaGetAnswer> =>
      this.#api.read(pathOf`/api/v1/media/${id}`, undefined, options),
    /**
     * Delete a file.
     *
     * Deletes the file's content immediately. Sent messages keep the file's id. Queued messages that use the file fail.
     */
    delete: (id: string, options?: WriteOptions): Promise<MediaDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/media/${id}`, undefined, options),
    /**
     * Download a file.
     *
     * Streams the file with its type and `ETag`. `Range` returns a part. `If-None-Match` returns 304 without bytes if the file is unchanged. Images, videos and audio are `inline`; other files are an `attachment`. Returns 409 while the file is being downloaded, and 404 if the download failed or the file has expired.
     */
    download: (id: string, options?: CallOptions): Promise<Response> =>
      this.#api.download(pathOf`/api/v1/media/${id}/content`, options),
  };

  readonly contacts = {
    /**
     * Search contacts, newest first.
     *
     * A `search` of three or more characters matches any part of name, phone, email or company. A shorter search matches the beginning of a word. Several words must follow each other in one field. Case, accents and the punctuation of numbers do not matter. A workspace runs one slow search or large total at a time; others wait up to 10 seconds, then return 429 with Retry-After. Large totals can be 5 seconds old.
     */
    list: (query?: ContactsListQuery, options?: CallOptions): List<ContactsListAnswer, Contact> =>
      this.#api.list("/api/v1/contacts", query, options, (page) => [page.contacts, "cursor", page.next_cursor]),
    /**
     * Create or update a contact.
     *
     * Finds the contact by phone, then by email, and creates it if neither matches. Adds `tags` to the contact's tags, merges custom fields and clears fields that are null. Ignores read-only fields, so you can send a contact as it was returned.
     */
    upsert: (body: ContactsUpsertRequest, options?: WriteOptions): Promise<Revisioned<ContactsUpsertAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/contacts", body, options),
    /**
     * Create or update up to 500 contacts.
     *
     * Processes rows in order: a row can match an earlier row. An invalid row does not affect the other rows. Stores the contacts in parts of 15. After an error, a repeat with the same `Idempotency-Key` stores only the other parts.
     */
    upsertBatch: (body: ContactsUpsertBatchRequest, options?: WriteOptions): Promise<ContactsUpsertBatchAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/contacts/batch", body, options),
    /**
     * Get a contact.
     *
     * Returns active and archived contacts, with their tags, custom fields and ids at providers.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<ContactsGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/contacts/${id}`, undefined, options),
    /**
     * Change a contact.
     *
     * Changes only the fields that are sent. Replaces `tags`, merges custom fields and clears fields that are null.
     */
    update: (
      id: string,
      body: ContactsUpdateRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<ContactsUpdateAnswer>> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/contacts/${id}`, body, options),
    /**
     * Change a contact (PUT).
     *
     * Changes only the fields that are sent. Replaces `tags`, merges custom fields and clears fields that are null.
     */
    put: (id: string, body: ContactsPutRequest, options?: ChangeOptions): Promise<Revisioned<ContactsPutAnswer>> =>
      this.#api.writeOnce("PUT", pathOf`/api/v1/contacts/${id}`, body, options),
    /**
     * Archive a contact.
     *
     * Hides the contact from lists and campaigns, without deleting it.
     */
    archive: (id: string, options?: ChangeOptions): Promise<Revisioned<ContactsArchiveAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/contacts/${id}`, undefined, options),
    /**
     * Restore an archived contact.
     *
     * Returns the contact to lists and campaigns. A contact that is not archived stays unchanged.
     */
    restore: (id: string, options?: WriteOptions): Promise<Revisioned<ContactsRestoreAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/contacts/${id}/restore`, undefined, options),
    /**
     * Merge two contacts of one person.
     *
     * The contact in the path remains. It receives missing fields, tags, conversations, messages, opt-outs and provider ids from the other contact. `moved` counts the received records; `dropped` contains the lost values of the other contact, with custom fields as `custom_fields.<key>`. Two conversations on the same connection become one. It is open if either was open, keeps the earlier snooze, and has at most 20 labels; `dropped` contains the lost labels, assignees and snooze. After the merge, the other contact's id returns 404 with `merged_into`. A merge cannot be undone. `preview` changes nothing, so read-only keys can use it.
     */
    merge: (
      id: string,
      body: ContactsMergeRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<ContactsMergeAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/contacts/${id}/merge`, body, options),
    /**
     * Edit contacts in bulk.
     *
     * Starts a job that edits the contacts in steps, newest first, and returns the job immediately. `jobs.get` returns its progress. With `filter`, the job excludes contacts created after its start, and checks the filter again when it reaches each contact. A workspace runs one job at a time. Each contact changes once and gets one event, whose actor is the caller.
     */
    bulkUpdate: (body: ContactsBulkUpdateRequest, options?: WriteOptions): Promise<ContactsBulkUpdateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/contacts/bulk", body, options),
  };

  readonly jobs = {
    /**
     * List jobs, newest first.
     *
     * Returns bulk edits of the last 30 days.
     */
    list: (query?: JobsListQuery, options?: CallOptions): List<JobsListAnswer, Job> =>
      this.#api.list("/api/v1/jobs", query, options, (page) => [page.jobs, "cursor", page.next_cursor]),
    /**
     * Get a job.
     *
     * Returns the progress of a bulk edit.
     */
    get: (id: string, options?: CallOptions): Promise<JobsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/jobs/${id}`, undefined, options),
  };

  readonly tags = {
    /**
     * List tags, newest first.
     *
     * Returns all tags of the workspace.
     */
    list: (query?: TagsListQuery, options?: CallOptions): List<TagsListAnswer, Tag> =>
      this.#api.list("/api/v1/tags", query, options, (page) => [page.tags, "cursor", page.next_cursor]),
    /**
     * Create a tag.
     *
     * Names are unique regardless of case. Without `color`, the tag gets a color from a palette.
     */
    create: (body: TagsCreateRequest, options?: WriteOptions): Promise<TagsCreateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/tags", body, options),
    /**
     * Rename or recolor a tag.
     *
     * Contacts and segments that have the tag keep it.
     */
    update: (id: string, body: TagsUpdateRequest, options?: WriteOptions): Promise<TagsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/tags/${id}`, body, options),
    /**
     * Delete a tag.
     *
     * Removes the tag from every contact immediately.
     */
    delete: (id: string, options?: WriteOptions): Promise<TagsDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/tags/${id}`, undefined, options),
  };

  readonly customFields = {
    /**
     * List custom fields, newest first.
     *
     * Returns the custom fields that every contact of the workspace has in `custom_fields`.
     */
    list: (query?: CustomFieldsListQuery, options?: CallOptions): List<CustomFieldsListAnswer, CustomField> =>
      this.#api.list("/api/v1/custom-fields", query, options, (page) => [
        page.custom_fields,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Create a custom field.
     *
     * A workspace has at most 100 custom fields. If you create a field with the key of a deleted field, contacts do not get their old values back.
     */
    create: (body: CustomFieldsCreateRequest, options?: WriteOptions): Promise<CustomFieldsCreateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/custom-fields", body, options),
    /**
     * Change a custom field's label or options.
     *
     * Key and type never change; sending them unchanged has no effect. If you remove an option, contacts no longer have it as a value. You can add the option again after a background job has cleared the stored values.
     */
    update: (id: string, body: CustomFieldsUpdateRequest, options?: WriteOptions): Promise<CustomFieldsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/custom-fields/${id}`, body, options),
    /**
     * Delete a custom field.
     *
     * Removes the field's values from every contact immediately.
     */
    delete: (id: string, options?: WriteOptions): Promise<CustomFieldsDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/custom-fields/${id}`, undefined, options),
  };

  readonly segments = {
    /**
     * List segments, newest first.
     *
     * Returns each segment with its filter, and whether the filter is valid.
     */
    list: (query?: SegmentsListQuery, options?: CallOptions): List<SegmentsListAnswer, Segment> =>
      this.#api.list("/api/v1/segments", query, options, (page) => [page.segments, "cursor", page.next_cursor]),
    /**
     * Create a segment.
     *
     * A segment contains the active contacts that match its filter. A filter has `match` (`all` or `any`) and 1 to 20
     * `conditions` of `{field, op, value}`. One condition can be a group `{match, conditions}`, whose conditions count toward the 20.
     *
     * | field | op | value |
     * |---|---|---|
     * | `name`, `email`, `company`, `source`, `address_as`, custom `text`, `url`, `email` | `eq`, `ne`, `in`, `not_in`, `contains`, `starts_with`, `is_set`, `is_not_set` | Texts of at most 500 characters; case and accents do not matter. |
     * | `phone`, custom `phone` | `eq`, `ne`, `in`, `not_in`, `contains`, `starts_with`, `is_set`, `is_not_set` | Numbers in international format; `phone` matches any spelling of the number. `contains` and `starts_with` accept digits, with or without punctuation. |
     * | `id` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | Ids. |
     * | `status`, `lifecycle_stage`, custom `select` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | Options, exactly as written. |
     * | custom `country` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | ISO 3166-1 codes, like `BR`. |
     * | custom `number` | `eq`, `ne`, `in`, `not_in`, `gt`, `gte`, `lt`, `lte`, `between`, `is_set`, `is_not_set` | Numbers. |
     * | `is_unsubscribed`, `marketing_opt_out`, custom `boolean` | `eq`, `ne`, `is_set`, `is_not_set` | `true` or `false`. |
     * | custom `date` | `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `between`, `within_days`, `is_set`, `is_not_set` | Dates, like `2026-01-31`. `within_days: n` means today (UTC) or one of the n days before. |
     * | `created_at`, `updated_at`, `last_inbound_at`, custom `datetime` | `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `between`, `within_days`, `is_set`, `is_not_set` | Times with an offset, or dates, which are whole days in UTC: `gt` means after the day, `eq` within the day. `within_days: n` means the last n times 24 hours. |
     * | custom `multi_select` | `has_all`, `has_any`, `has_none`, `is_set`, `is_not_set` | Lists of options. |
     * | `tags` | `has_all`, `has_any`, `has_none`, `is_set`, `is_not_set` | Lists of tag names. |
     *
     * `in`, `not_in`, `has_all`, `has_any` and `has_none` accept a list of 1 to 200 values. `between` accepts two values, the lower first;
     * both are included. `within_days` accepts 1 to 3650. `is_set` and `is_not_set` accept no value. Only `ne`, `not_in`, `has_none` and `is_not_set`
     * match contacts without a value. Custom fields are named `custom_fields.<key>`.
     *
     * The filter stores tags and custom fields by id, so renaming a tag has no effect. Unknown tags and fields return an error.
     */
    create: (body: SegmentsCreateRequest, options?: WriteOptions): Promise<Revisioned<SegmentsCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/segments", body, options),
    /**
     * Get a segment.
     *
     * Tags and custom fields have their current names. If a tag or field of the filter was deleted, `invalid` is true and `reasons` lists the conditions; the filter then contains the last known name.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<SegmentsGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/segments/${id}`, undefined, options),
    /**
     * Change a segment.
     *
     * Changes only the fields that are sent. `filter` replaces the previous filter.
     */
    update: (
      id: string,
      body: SegmentsUpdateRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<SegmentsUpdateAnswer>> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/segments/${id}`, body, options),
    /**
     * Delete a segment.
     *
     * Returns the deleted segment. The contacts of the segment are not deleted. If a scheduled campaign uses the segment, the request returns 409 with the `campaign_id`.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<SegmentsDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/segments/${id}`, undefined, options),
    /**
     * List the contacts of a segment, newest first.
     *
     * Returns active contacts that currently match the filter. A page reads at most 5,000 contacts, so it can be short or empty while `next_cursor` is not null. A page is slow if the filter matches few contacts. Slow pages run one at a time in a workspace, and so do all pages if many requests arrive at once. Other requests wait for up to 10 seconds, then return 429 with Retry-After. An invalid segment returns an error, because without its deleted items the filter would match other contacts.
     */
    contacts: (
      id: string,
      query?: SegmentsContactsQuery,
      options?: CallOptions,
    ): List<SegmentsContactsAnswer, Contact> =>
      this.#api.list(pathOf`/api/v1/segments/${id}/contacts`, query, options, (page) => [
        page.contacts,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Count the contacts of a segment.
     *
     * Counts active contacts only. A count reads every contact, so only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. For more than 2,000 contacts, a count can be up to 5 seconds old.
     */
    count: (id: string, options?: CallOptions): Promise<SegmentsCountAnswer> =>
      this.#api.read(pathOf`/api/v1/segments/${id}/count`, undefined, options),
  };

  readonly events = {
    /**
     * List events, oldest first.
     *
     * Every change of a message, conversation, contact, campaign, template, tag, custom field, segment, webhook or connection is an event. Creating or revoking an API key is also an event. Changes of members and of the workspace's settings are not events. Events are stored for 30 days. Continue with `after=<next_after>`, also after an empty page. A page reads at most 5,000 events and about 4 MB, so a page can be short while `has_more` is true, and with `types` it can be empty. With `wait`, a request that finds no events waits for the next matching event. A request that waits counts once against the rate limit. At most 5 requests per key and 500 per workspace can wait at a time; further requests return 429. To follow the log, start with `after=now`, then send each `next_after` with `wait`. A provider can report a message of Tidings as if another device had sent it: Tidings stores an echo. If Tidings recognizes the echo later, its last event is `message.revoked`, with `delivery` changed to null.
     */
    list: (query?: EventsListQuery, options?: CallOptions): List<EventsListAnswer, Event> =>
      this.#api.list("/api/v1/events", query, options, (page) => [
        page.events,
        "after",
        page.has_more ? page.next_after : null,
      ]),
    /**
     * Get an event.
     *
     * Returns the event with the current object. Events older than 30 days return 404.
     */
    get: (id: string, options?: CallOptions): Promise<EventsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/events/${id}`, undefined, options),
  };

  readonly webhooks = {
    /**
     * List webhooks, newest first.
     *
     * A workspace has at most ten webhooks.
     */
    list: (query?: WebhooksListQuery, options?: CallOptions): List<WebhooksListAnswer, Webhook> =>
      this.#api.list("/api/v1/webhooks", query, options, (page) => [page.webhooks, "cursor", page.next_cursor]),
    /**
     * Create a webhook.
     *
     * Sends events of these types to the URL from now on, or after `start_after`, signed as Standard Webhooks specifies. Events of one contact arrive in order. An event that has failed for more than five minutes no longer delays later events. Without a 2xx response within 15 seconds, an event is sent again after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h. An event can arrive more than once, with the same `webhook-id`.
     */
    create: (body: WebhooksCreateRequest, options?: WriteOptions): Promise<Revisioned<WebhooksCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/webhooks", body, options),
    /**
     * Get a webhook.
     *
     * Returns the webhook's settings, its status and its progress in the event log.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<WebhooksGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/webhooks/${id}`, undefined, options),
    /**
     * Change a webhook.
     *
     * Changes only the fields that are sent. The change applies to the next delivery.
     */
    update: (
      id: string,
      body: WebhooksUpdateRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<WebhooksUpdateAnswer>> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/webhooks/${id}`, body, options),
    /**
     * Delete a webhook.
     *
     * Stops deliveries and returns the deleted webhook.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<WebhooksDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/webhooks/${id}`, undefined, options),
    /**
     * Rotate the signing secret.
     *
     * Until `overlap_seconds` have passed, each request has a signature with the old secret and one with the new secret. Replace the secret at your endpoint during this time. Further rotations during this time add signatures, up to five; one valid signature is enough.
     */
    rotateSecret: (
      id: string,
      body?: WebhooksRotateSecretRequest,
      options?: WriteOptions,
    ): Promise<WebhooksRotateSecretAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/rotate-secret`, body, options),
    /**
     * Send a test event.
     *
     * Sends an event of type `webhook.test` immediately, also to a paused webhook, and returns the result.
     */
    test: (id: string, options?: WriteOptions): Promise<WebhooksTestAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/test`, undefined, options),
    /**
     * Pause a webhook.
     *
     * Stops deliveries. Events wait in the log for up to 30 days, so that `webhooks.enable` can send them.
     */
    pause: (id: string, options?: WriteOptions): Promise<Revisioned<WebhooksPauseAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/pause`, undefined, options),
    /**
     * Enable a webhook.
     *
     * Continues after the last completed event of a paused, disabled or failing webhook. Sends all waiting deliveries immediately, also if the webhook is active. Earlier attempts of a delivery still count toward its maximum. Each contact's events stay in order.
     */
    enable: (id: string, options?: WriteOptions): Promise<Revisioned<WebhooksEnableAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/enable`, undefined, options),
    /**
     * Replay events.
     *
     * With `failed`, sends deliveries that failed at every attempt. With `all`, sends every event in the range that matches the webhook; `count` is then the number of all events in the range, regardless of filters.
     */
    replay: (id: string, body: WebhooksReplayRequest, options?: WriteOptions): Promise<WebhooksReplayAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/replay`, body, options),
    /**
     * List deliveries, newest first.
     *
     * Returns deliveries of the last 7 days that failed at least once, and the last 100 deliveries that succeeded at the first attempt. Of the failed deliveries that have ended, only the last 10,000 are stored.
     */
    deliveries: (
      id: string,
      query?: WebhooksDeliveriesQuery,
      options?: CallOptions,
    ): List<WebhooksDeliveriesAnswer, WebhookDelivery> =>
      this.#api.list(pathOf`/api/v1/webhooks/${id}/deliveries`, query, options, (page) => [
        page.deliveries,
        "cursor",
        page.next_cursor,
      ]),
    /**
     * Retry a delivery.
     *
     * Sends the delivery again immediately, whether it failed or succeeded. If the attempt fails, Tidings retries as often as for a new delivery.
     */
    retryDelivery: (id: string, delivery: string, options?: WriteOptions): Promise<WebhooksRetryDeliveryAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/deliveries/${delivery}/retry`, undefined, options),
  };

  readonly manage = {
    status: {
      /**
       * Get the status of the deployment.
       *
       * Returns backlogs, dead events and the sizes of the databases. The cron logs the same record each minute as `status`.
       */
      get: (options?: CallOptions): Promise<ManageStatusGetAnswer> =>
        this.#api.read("/manage/v1/status", undefined, options),
    },
    workspaces: {
      /**
       * Create a workspace.
       *
       * A workspace is a customer of this deployment, with its own contacts, connections and keys.
       */
      create: (body: ManageWorkspacesCreateRequest, options?: CallOptions): Promise<ManageWorkspacesCreateAnswer> =>
        this.#api.write("POST", "/manage/v1/workspaces", body, options),
      /**
       * List workspaces, newest first.
       *
       * Returns every customer of this deployment.
       */
      list: (query?: ManageWorkspacesListQuery, options?: CallOptions): List<ManageWorkspacesListAnswer, Workspace> =>
        this.#api.list("/manage/v1/workspaces", query, options, (page) => [
          page.workspaces,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Get a workspace.
       *
       * Returns the workspace's name, plan and time zone. Requires the admin or owner role.
       */
      get: (ws: string, options?: CallOptions): Promise<ManageWorkspacesGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}`, undefined, options),
      /**
       * Change a workspace.
       *
       * Only the operator can change the plan. A new plan takes effect with the next request of every key. Requires the admin or owner role.
       */
      update: (
        ws: string,
        body: ManageWorkspacesUpdateRequest,
        options?: CallOptions,
      ): Promise<ManageWorkspacesUpdateAnswer> =>
        this.#api.write("PATCH", pathOf`/manage/v1/workspaces/${ws}`, body, options),
    },
    members: {
      /**
       * List members.
       *
       * Returns the people who can sign in to this workspace, with their roles. Requires the owner role.
       */
      list: (
        ws: string,
        query?: ManageMembersListQuery,
        options?: CallOptions,
      ): List<ManageMembersListAnswer, Member> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/members`, query, options, (page) => [
          page.members,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Change a member's role.
       *
       * The new role applies to the member's next request. A workspace must keep at least one owner. Requires the owner role.
       */
      update: (
        ws: string,
        id: string,
        body: ManageMembersUpdateRequest,
        options?: CallOptions,
      ): Promise<ManageMembersUpdateAnswer> =>
        this.#api.write("PATCH", pathOf`/manage/v1/workspaces/${ws}/members/${id}`, body, options),
      /**
       * Remove a member.
       *
       * Tidings rejects the member's next request. A workspace must keep at least one owner. Requires the owner role.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/members/${id}`, undefined, options),
      /**
       * Create a password reset link.
       *
       * Send the `url` to the member. No other response contains the `url`. The link can be used once, within an hour, and replaces the person's earlier links. Using the link ends all sessions of the person. An owner can create links only for people without other workspaces. The operator can create links for anybody. Requires the owner role.
       */
      createResetLink: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersCreateResetLinkAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/members/${id}/reset-link`, undefined, options),
      /**
       * Confirm a member's email.
       *
       * Confirms that the email belongs to the person. Before, a password that was set through an invitation opens only the workspaces whose invitations the person accepted with it. After the confirmation, the password opens all workspaces with a member of this email. These members become one member, and other passwords and sessions of this email end. Repeating the call changes nothing.
       */
      confirm: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersConfirmAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/members/${id}/confirm`, undefined, options),
    },
    invitations: {
      /**
       * Invite a person.
       *
       * Send the `url` to the person, because Tidings sends no mail. No other response contains the `url`. The link can be used once, within 7 days. A new invitation to the same email replaces the invitation. The person signs in with an existing password, or sets a password that opens only this workspace. Requires the owner role.
       */
      create: (
        ws: string,
        body: ManageInvitationsCreateRequest,
        options?: CallOptions,
      ): Promise<ManageInvitationsCreateAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/invitations`, body, options),
      /**
       * List invitations that have not been accepted, newest first.
       *
       * Includes expired invitations until they are deleted. Requires the owner role.
       */
      list: (
        ws: string,
        query?: ManageInvitationsListQuery,
        options?: CallOptions,
      ): List<ManageInvitationsListAnswer, Invitation> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/invitations`, query, options, (page) => [
          page.invitations,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Revoke an invitation.
       *
       * The link of the invitation stops working. Requires the owner role.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageInvitationsDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/invitations/${id}`, undefined, options),
    },
    connections: {
      /**
       * Create a connection.
       *
       * Tidings generates the secrets that you omit, and returns them only in this response. The first connection of a channel becomes the channel's default. Requires the admin or owner role.
       */
      create: (
        ws: string,
        body: ManageConnectionsCreateRequest,
        options?: CallOptions,
      ): Promise<ManageConnectionsCreateAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/connections`, body, options),
      /**
       * List connections, newest first.
       *
       * Of each secret, the response has only the last four characters. Requires the admin or owner role.
       */
      list: (
        ws: string,
        query?: ManageConnectionsListQuery,
        options?: CallOptions,
      ): List<ManageConnectionsListAnswer, Connection> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/connections`, query, options, (page) => [
          page.connections,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Sync a connection's templates.
       *
       * Copies the provider's templates to the external templates of an official connection: creates new templates, updates changed ones, and deletes those that the provider has deleted. Requires the admin or owner role.
       */
      syncTemplates: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsSyncTemplatesAnswer> =>
        this.#api.write(
          "POST",
          pathOf`/manage/v1/workspaces/${ws}/connections/${id}/sync-templates`,
          undefined,
          options,
        ),
      /**
       * Get a connection.
       *
       * Returns the connection's settings and status. Of each secret, the response has only the last four characters. Requires the admin or owner role.
       */
      get: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/connections/${id}`, undefined, options),
      /**
       * Change a connection.
       *
       * Merges `config` into the stored settings, so settings that you omit stay unchanged. Requires the admin or owner role.
       */
      update: (
        ws: string,
        id: string,
        body: ManageConnectionsUpdateRequest,
        options?: CallOptions,
      ): Promise<ManageConnectionsUpdateAnswer> =>
        this.#api.write("PATCH", pathOf`/manage/v1/workspaces/${ws}/connections/${id}`, body, options),
      /**
       * Delete a connection.
       *
       * The connection can no longer send or receive. Its conversations stay readable, and its external templates are no longer listed. Requires the admin or owner role.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/connections/${id}`, undefined, options),
      /**
       * Test a connection.
       *
       * Calls the provider with the connection's settings. If the provider accepts them, the connection becomes `active`. Otherwise the request returns 502 with the provider's text. Requires the admin or owner role.
       */
      test: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsTestAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/connections/${id}/test`, undefined, options),
      /**
       * Simulate an inbound message.
       *
       * The message arrives through the queue, shortly after the response, as if a person had sent it. Send a file by the id of a stored file, or by its URL. Requires the admin or owner role.
       */
      simulate: (
        ws: string,
        id: string,
        body: ManageConnectionsSimulateRequest,
        options?: CallOptions,
      ): Promise<ManageConnectionsSimulateAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/connections/${id}/simulate`, body, options),
      /**
       * List messages sent to the sandbox's phone network, newest first.
       *
       * Returns one row per attempt, so that you can detect duplicates. `receipts` lists the latest messages whose senders received a read receipt. Requires the admin or owner role.
       */
      outbox: (
        ws: string,
        id: string,
        query?: ManageConnectionsOutboxQuery,
        options?: CallOptions,
      ): List<ManageConnectionsOutboxAnswer, SandboxDelivery> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/connections/${id}/outbox`, query, options, (page) => [
          page.deliveries,
          "cursor",
          page.next_cursor,
        ]),
    },
    apiKeys: {
      /**
       * Create an API key.
       *
       * Returns the key itself. Store the key, because no other response contains it. Requires the admin or owner role.
       */
      create: (
        ws: string,
        body: ManageApiKeysCreateRequest,
        options?: CallOptions,
      ): Promise<ManageApiKeysCreateAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/api-keys`, body, options),
      /**
       * List API keys, newest first.
       *
       * Includes expired and revoked keys. The response does not contain the keys themselves. Requires the admin or owner role.
       */
      list: (
        ws: string,
        query?: ManageApiKeysListQuery,
        options?: CallOptions,
      ): List<ManageApiKeysListAnswer, ApiKey> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/api-keys`, query, options, (page) => [
          page.api_keys,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Get an API key.
       *
       * Returns the key's settings, and the minute in which it was last used. Requires the admin or owner role.
       */
      get: (ws: string, id: string, options?: CallOptions): Promise<ManageApiKeysGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/api-keys/${id}`, undefined, options),
      /**
       * Change an API key.
       *
       * The change applies to the key's next request. Requires the admin or owner role.
       */
      update: (
        ws: string,
        id: string,
        body: ManageApiKeysUpdateRequest,
        options?: CallOptions,
      ): Promise<ManageApiKeysUpdateAnswer> =>
        this.#api.write("PATCH", pathOf`/manage/v1/workspaces/${ws}/api-keys/${id}`, body, options),
      /**
       * Revoke an API key.
       *
       * The key's next request is rejected. A revoked key cannot be restored. Requires the admin or owner role.
       */
      revoke: (ws: string, id: string, options?: CallOptions): Promise<ManageApiKeysRevokeAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/api-keys/${id}/revoke`, undefined, options),
    },
    requests: {
      /**
       * List API requests, newest first.
       *
       * Returns the last 1,000 requests made with the workspace's keys, including rejected requests. A request appears a second or two after its response. Requests beyond the rate limit share one entry per key, endpoint and minute. Bodies and query values are never stored. Requires the admin or owner role.
       */
      list: (
        ws: string,
        query?: ManageRequestsListQuery,
        options?: CallOptions,
      ): List<ManageRequestsListAnswer, LoggedRequest> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/requests`, query, options, (page) => [
          page.requests,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Count API requests.
       *
       * Returns the number of requests per key and day, for the last days including today. The oldest day comes first. Requires the admin or owner role.
       */
      usage: (
        ws: string,
        query?: ManageRequestsUsageQuery,
        options?: CallOptions,
      ): Promise<ManageRequestsUsageAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/requests/usage`, query, options),
    },
    statistics: {
      /**
       * List statistics by day.
       *
       * Returns counts of the workspace's events, which are updated every five minutes. Days without events are omitted. Counts are stored for 400 days. Requires the admin or owner role.
       */
      list: (
        ws: string,
        query?: ManageStatisticsListQuery,
        options?: CallOptions,
      ): Promise<ManageStatisticsListAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/statistics`, query, options),
    },
    deadEvents: {
      /**
       * List events that could not be processed, newest first.
       *
       * Returns events that a provider sent and that failed at every attempt. Events are deleted after 30 days. If the database could not store an event, the event stays in a bucket until it is replayed. Requires the admin or owner role.
       */
      list: (
        ws: string,
        query?: ManageDeadEventsListQuery,
        options?: CallOptions,
      ): List<ManageDeadEventsListAnswer, DeadEvent> =>
        this.#api.list(pathOf`/manage/v1/workspaces/${ws}/events/dead`, query, options, (page) => [
          page.events,
          "cursor",
          page.next_cursor,
        ]),
      /**
       * Retry a dead event.
       *
       * Removes the event from the list and retries it. After ten failures, in about 20 minutes, the event returns to the list. While storage is down, retries continue for days instead. Requires the admin or owner role.
       */
      replay: (ws: string, id: string, options?: CallOptions): Promise<ManageDeadEventsReplayAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/events/dead/${id}/replay`, undefined, options),
    },
    campaigns: {
      /**
       * Check a campaign's counts.
       *
       * Recounts the campaign's recipients and returns the differences from the stored counts. Changes nothing. Requires the admin or owner role.
       */
      reconcile: (ws: string, id: string, options?: CallOptions): Promise<ManageCampaignsReconcileAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/campaigns/${id}/reconcile`, undefined, options),
    },
  };
}
