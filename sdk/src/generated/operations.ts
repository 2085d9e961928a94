// Made by `npm run generate` from openapi.json.

import type { CallOptions, ChangeOptions, MediaFile, Revisioned, UploadOptions, WriteOptions } from "../options.ts";
import type { List } from "../list.ts";
import { pathOf } from "../path.ts";
import type { Transport } from "../transport.ts";
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
     * Its workspace, the connection that it sends through, what it may do, and how much of its limit is used.
     */
    get: (options?: CallOptions): Promise<MeGetAnswer> => this.#api.read("/api/v1/me", undefined, options),
  };

  readonly messages = {
    /**
     * Send a message.
     *
     * Answers 202 once the message is stored; delivery follows at once. Read its `delivery` with `messages.get`.
     */
    send: (body: MessagesSendRequest, options?: WriteOptions): Promise<MessagesSendAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/messages", body, options),
    /**
     * List messages, newest first.
     *
     * At least one filter; several combine with AND. A page examines at most 5,000 messages: with `delivery`, or with several filters, it may be short or empty while `next_cursor` is not null.
     */
    list: (query?: MessagesListQuery, options?: CallOptions): List<MessagesListAnswer, Message> =>
      this.#api.list("/api/v1/messages", query, options, (page) => [page.messages, "cursor", page.next_cursor]),
    /**
     * Send up to 100 messages.
     *
     * Each is a body of `messages.send` and is accepted or refused alone, in the order given: messages to one person leave in that order. A repeat of the request with its Idempotency-Key gives the same results and sends nothing twice.
     */
    sendBatch: (body: MessagesSendBatchRequest, options?: WriteOptions): Promise<MessagesSendBatchAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/messages/batch", body, options),
    /**
     * Cancel a scheduled message.
     *
     * Possible until the message leaves. After that the answer is 409.
     */
    cancel: (id: string, options?: WriteOptions): Promise<MessagesCancelAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/messages/${id}/cancel`, undefined, options),
    /**
     * Get a message.
     *
     * How far it has come, and why it failed where it did.
     */
    get: (id: string, options?: CallOptions): Promise<MessagesGetAnswer> =>
      this.#api.read(pathOf`/api/v1/messages/${id}`, undefined, options),
  };

  readonly templates = {
    /**
     * Send a template.
     *
     * External templates go through the official connection they belong to, at any time; local ones through an unofficial one. A named variable takes the value sent, else the contact's own (name, first_name, phone, email, company, address_as, status, lifecycle_stage, or a custom field by its key), else its fallback.
     */
    send: (id: string, body: TemplatesSendRequest, options?: WriteOptions): Promise<TemplatesSendAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/templates/${id}/send`, body, options),
    /**
     * List templates, newest first.
     *
     * All of them when no `limit` is sent.
     */
    list: (query?: TemplatesListQuery, options?: CallOptions): List<TemplatesListAnswer, Template> =>
      this.#api.list("/api/v1/templates", query, options, (page) => [page.templates, "cursor", page.next_cursor]),
    /**
     * Create a template.
     *
     * With `name` and `body` a local one, usable at once on unofficial connections; no other local template has its name. With `connection_id`, `language`, `category` and `components` it is submitted to the provider of an official connection, and has the status that the provider answers; its review comes as an event. Where the provider's answer is lost (502), a sync finds within two minutes whether it was taken; a repeat with the same Idempotency-Key gives the template then.
     */
    create: (body: TemplatesCreateRequest, options?: WriteOptions): Promise<Revisioned<TemplatesCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/templates", body, options),
    /**
     * Get a template.
     *
     * Its text, its variables in order, and whether it may be sent.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<TemplatesGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/templates/${id}`, undefined, options),
    /**
     * Change a template.
     *
     * Only what is sent changes: `name` and `body` of a local template, `category` and `components` (all of them) of a provider's, which reviews it anew. What has been sent with it stays as it was.
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
     * First at the provider that holds it. Answers the template as it was. Its messages stay.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<TemplatesDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/templates/${id}`, undefined, options),
  };

  readonly conversations = {
    /**
     * Reply in a conversation.
     *
     * Goes through the conversation's connection, also to people known only by a provider's user id.
     */
    reply: (id: string, body: ConversationsReplyRequest, options?: WriteOptions): Promise<ConversationsReplyAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/conversations/${id}/messages`, body, options),
    /**
     * List the messages of a conversation, newest first.
     *
     * Inbound, direct and campaign messages of one contact on one connection; with `include=notes` its notes among them, by time.
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
     * Never sent: members see it, and software that lists messages with `include=notes`. `last_message` stays as it is. A member is mentioned by `@` and their name.
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
     * Sorted by the time of the last message, direct or inbound: a conversation that gets a message while you page moves to the top. Filters combine with AND. Snoozed conversations are included; `snoozed=false` leaves them out. A search for text that very many contacts or messages contain can return a short or empty page before the last one: continue until `next_cursor` is null.
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
     * With a contact, on the key's connection. Nothing is sent: write in it with `conversations.reply`. Where there is one already, the answer is 200 with that one.
     */
    start: (body: ConversationsStartRequest, options?: WriteOptions): Promise<ConversationsStartAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/conversations", body, options),
    /**
     * Change up to 100 conversations.
     *
     * All in the same way. An id that is given again is `unchanged`; one that does not exist fails alone.
     */
    bulkUpdate: (
      body: ConversationsBulkUpdateRequest,
      options?: WriteOptions,
    ): Promise<ConversationsBulkUpdateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/conversations/bulk", body, options),
    /**
     * Get a conversation.
     *
     * The contact, the last message, and how many are unread.
     */
    get: (id: string, options?: CallOptions): Promise<ConversationsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/conversations/${id}`, undefined, options),
    /**
     * Change a conversation.
     *
     * Only what is sent changes. The next inbound message opens one that is `done`, and ends a snooze. A member who is removed from the workspace is taken off the conversations that were assigned to them, within two minutes.
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
     * Sets `unread_count` to 0, and its inbound messages to `read`. The provider gets a receipt after the answer, so that the person sees the ticks, unless nothing was unread. A receipt that fails is tried twice more.
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
     * Texts that members put into a reply by typing a slash and the shortcut.
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
     * Its variables are those of templates; members see them filled in for the person before they send.
     */
    create: (
      body: CannedRepliesCreateRequest,
      options?: WriteOptions,
    ): Promise<Revisioned<CannedRepliesCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/canned-replies", body, options),
    /**
     * Get a canned reply.
     *
     * Its shortcut, its text, and the variables in it.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<CannedRepliesGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/canned-replies/${id}`, undefined, options),
    /**
     * Change a canned reply.
     *
     * Only what is sent changes. Replies that were sent with it stay as they are.
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
     * Answers the canned reply as it was.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<CannedRepliesDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/canned-replies/${id}`, undefined, options),
  };

  readonly campaigns = {
    /**
     * List campaigns, newest first.
     *
     * Each with its counts, rate and estimated end. Without `limit`, all of them.
     */
    list: (query?: CampaignsListQuery, options?: CallOptions): List<CampaignsListAnswer, Campaign> =>
      this.#api.list("/api/v1/campaigns", query, options, (page) => [page.campaigns, "cursor", page.next_cursor]),
    /**
     * Start or schedule a campaign.
     *
     * Filters combine with AND; none means everyone reachable: not archived, neither unsubscribed nor opted out of marketing, with a phone number or a user id on the connection. One message a person. The audience is fixed at the start; opt-out and archiving are looked at again at each send. Answered once they are counted, a few seconds where there are a million; follow it with `campaigns.get`. Counts of a workspace run one at a time: where others take long, the answer is 429 with Retry-After. With the `audience_token` of a preview, it is 409 where the audience has changed since. A template with positions such as {{1}} requires `variables`. Templates of category `AUTHENTICATION` return 422 `channel_mismatch`.
     */
    start: (body: CampaignsStartRequest, options?: WriteOptions): Promise<CampaignsStartAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/campaigns", body, options),
    /**
     * Preview a campaign.
     *
     * Returns the number of recipients and samples of their messages. Stores nothing; read-only keys may call it. Counts of a workspace run one at a time; while they are busy, the request returns 429 with Retry-After. Of more than 2,000 contacts it may be up to 5 seconds old. A template with positions such as {{1}} requires `variables`. Templates of category `AUTHENTICATION` return 422 `channel_mismatch`.
     */
    preview: (body: CampaignsPreviewRequest, options?: WriteOptions): Promise<CampaignsPreviewAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/campaigns/preview", body, options),
    /**
     * Get a campaign.
     *
     * Its counts by the furthest state reached, its rate and its estimated end.
     */
    get: (id: string, options?: CallOptions): Promise<CampaignsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/campaigns/${id}`, undefined, options),
    /**
     * Change a campaign that has not started.
     *
     * A draft or a scheduled one. What is left out stays, null takes a value away. The result is checked, and its audience counted, as at a start. Where the campaign starts at that moment, a change that comes second is 409.
     */
    update: (id: string, body: CampaignsUpdateRequest, options?: WriteOptions): Promise<CampaignsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/campaigns/${id}`, body, options),
    /**
     * Pause a campaign.
     *
     * Nothing more is sent within two seconds.
     */
    pause: (id: string, options?: WriteOptions): Promise<CampaignsPauseAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/pause`, undefined, options),
    /**
     * Resume a campaign.
     *
     * Goes on where it was; past `send_before` it completes.
     */
    resume: (id: string, options?: WriteOptions): Promise<CampaignsResumeAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/resume`, undefined, options),
    /**
     * Cancel a campaign.
     *
     * Recipients it has not been sent to are skipped, at once and for good.
     */
    cancel: (id: string, options?: WriteOptions): Promise<CampaignsCancelAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/cancel`, undefined, options),
    /**
     * List a campaign's recipients.
     *
     * A page of one `state` may be short or empty while `next_cursor` leads on.
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
     * All of them, or those in a `state`, as CSV (RFC 4180, UTF-8 with a byte order mark): contact_id, name, phone, user_id, state, reason, error_message, sent_at, delivered_at, read_at, failed_at, updated_at, message_id. A cell that a spreadsheet would run as a formula begins with an apostrophe.
     */
    exportRecipients: (id: string, query?: CampaignsExportRecipientsQuery, options?: CallOptions): Promise<Response> =>
      this.#api.download(pathOf`/api/v1/campaigns/${id}/recipients.csv`, options, query),
    /**
     * Duplicate a campaign.
     *
     * Makes a draft that asks for the same, named like “December offer (copy)”; times that have passed are left out. It is checked and counted once it is changed or started.
     */
    duplicate: (id: string, options?: WriteOptions): Promise<CampaignsDuplicateAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/duplicate`, undefined, options),
    /**
     * Preview a draft.
     *
     * As `campaigns.preview`, of a draft as it is stored; its `audience_token` is for `campaigns.startDraft`. Times that have passed are not refused yet.
     */
    previewDraft: (id: string, options?: WriteOptions): Promise<CampaignsPreviewDraftAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/preview`, undefined, options),
    /**
     * Start a draft.
     *
     * Checked and counted as by `campaigns.start`, and answered with the same body: it runs at once, or is scheduled where its `scheduled_at` lies ahead. One that has passed is refused. Where it is scheduled or running already, for as many recipients as the `audience_token` says, the answer is the same and nothing is started again.
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
     * Sends the campaign's message to one number, through the campaign's connection, with the values of the contact at that number. A value that is missing shows as a sample in brackets, like `[name]`; `sample_variables` lists them. If no contact has the number, every contact field except `phone` shows a sample. The test is a direct message: it is not a recipient and does not change the campaign's counts. Possible in every status.
     */
    test: (id: string, body: CampaignsTestRequest, options?: WriteOptions): Promise<CampaignsTestAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/campaigns/${id}/test`, body, options),
  };

  readonly members = {
    /**
     * List the members of the workspace.
     *
     * Conversations can be assigned to them. Their emails are not shown.
     */
    list: (query?: MembersListQuery, options?: CallOptions): List<MembersListAnswer, MemberSummary> =>
      this.#api.list("/api/v1/members", query, options, (page) => [page.members, "cursor", page.next_cursor]),
  };

  readonly media = {
    /**
     * Upload a file, or have one fetched.
     *
     * Send the bytes as the body, with their `Content-Type` and `Content-Length`: at most 100 MB; the platform's limit may be lower. Or send JSON with the `url` of a file: it is `pending` until it has been fetched, and `failed` where it could not be. The bytes must be what their type says. An Idempotency-Key counts for the same bytes only. Files are kept for 365 days. A message names one by its id; what each kind of message takes:
     *
     * | kind | types | size |
     * | --- | --- | --- |
     * | `image` | JPEG, PNG | 5 MB |
     * | `sticker` | WebP | 500 KB |
     * | `audio` | AAC, AMR, MP3, MP4, OGG (Opus) | 16 MB |
     * | `video` | MP4, 3GPP | 16 MB |
     * | `document` | any, but for pages, scripts and programs | 100 MB |
     */
    upload: (
      file: MediaFile | MediaUploadRequest,
      options?: UploadOptions & MediaUploadQuery,
    ): Promise<MediaUploadAnswer> => this.#api.upload("/api/v1/media", file, options),
    /**
     * List files, newest first.
     *
     * Uploaded ones, fetched ones, and those that came in with messages.
     */
    list: (query?: MediaListQuery, options?: CallOptions): List<MediaListAnswer, Media> =>
      this.#api.list("/api/v1/media", query, options, (page) => [page.media, "cursor", page.next_cursor]),
    /**
     * Read what is known of a file.
     *
     * Its `status` says whether its bytes are here.
     */
    get: (id: string, options?: CallOptions): Promise<MediaGetAnswer> =>
      this.#api.read(pathOf`/api/v1/media/${id}`, undefined, options),
    /**
     * Delete a file.
     *
     * Its bytes are gone at once. Messages that had it keep its id; those that wait to be sent with it fail.
     */
    delete: (id: string, options?: WriteOptions): Promise<MediaDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/media/${id}`, undefined, options),
    /**
     * Read a file's bytes.
     *
     * Streams the file under its own type, with its `ETag`; `Range` gives a part, `If-None-Match` nothing where it is unchanged. Pictures, videos and sound are `inline`, all else is an `attachment`. 409 while it is being fetched, 404 once it has failed or expired.
     */
    download: (id: string, options?: CallOptions): Promise<Response> =>
      this.#api.download(pathOf`/api/v1/media/${id}/content`, options),
  };

  readonly contacts = {
    /**
     * Search contacts, newest first.
     *
     * `search` is a substring of name, phone, email or company from three characters, below that the beginning of a word; case, accents and the punctuation of numbers do not matter. Searches of a workspace where they take long, and totals of very many contacts, run one at a time: where others take long, the answer is 429 with Retry-After. Such a total may be up to 5 seconds old.
     */
    list: (query?: ContactsListQuery, options?: CallOptions): List<ContactsListAnswer, Contact> =>
      this.#api.list("/api/v1/contacts", query, options, (page) => [page.contacts, "cursor", page.next_cursor]),
    /**
     * Create or update a contact.
     *
     * Looks for the phone first, then the email. `tags` are added to the contact's tags, custom fields are merged, null clears a field. Read-only fields are ignored.
     */
    upsert: (body: ContactsUpsertRequest, options?: WriteOptions): Promise<Revisioned<ContactsUpsertAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/contacts", body, options),
    /**
     * Create or update up to 500 contacts.
     *
     * In the order given: a row may match an earlier one. A bad row fails alone.
     */
    upsertBatch: (body: ContactsUpsertBatchRequest, options?: WriteOptions): Promise<ContactsUpsertBatchAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/contacts/batch", body, options),
    /**
     * Get a contact, also an archived one.
     *
     * With its tags, custom fields and ids at providers.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<ContactsGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/contacts/${id}`, undefined, options),
    /**
     * Change a contact.
     *
     * Changes only the fields that are sent. `tags` replaces the contact's tags, custom fields are merged, null clears a field.
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
     * Changes only the fields that are sent. `tags` replaces the contact's tags, custom fields are merged, null clears a field.
     */
    put: (id: string, body: ContactsPutRequest, options?: ChangeOptions): Promise<Revisioned<ContactsPutAnswer>> =>
      this.#api.writeOnce("PUT", pathOf`/api/v1/contacts/${id}`, body, options),
    /**
     * Archive a contact.
     *
     * It is hidden from lists and campaigns, not deleted.
     */
    archive: (id: string, options?: ChangeOptions): Promise<Revisioned<ContactsArchiveAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/contacts/${id}`, undefined, options),
    /**
     * Restore an archived contact.
     *
     * A contact that is not archived is answered as it is.
     */
    restore: (id: string, options?: WriteOptions): Promise<Revisioned<ContactsRestoreAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/contacts/${id}/restore`, undefined, options),
    /**
     * Merge two contacts that are one person.
     *
     * The contact in the path stays, and gets from the other what it lacks: fields, tags, conversations, messages, opt-outs and ids at providers. `moved` counts what it gets; `dropped` shows values of the other that are lost, custom fields as `custom_fields.<key>`. Two conversations on one connection become one, which is open where either was, keeps the earlier of two snoozes and has at most 20 labels: `dropped` names labels, assignees and a snooze that it does not keep. Afterwards the other id is 404 with `merged_into`. A merge cannot be undone. With `preview` nothing changes, and read-only keys may ask too.
     */
    merge: (
      id: string,
      body: ContactsMergeRequest,
      options?: ChangeOptions,
    ): Promise<Revisioned<ContactsMergeAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/contacts/${id}/merge`, body, options),
    /**
     * Change many contacts.
     *
     * Starts a job that goes through the contacts in steps, the newest first, and answers it at once; `jobs.get` shows how far it is. With `filter`, contacts that are created later are left out, and whether one matches is seen when its turn comes. Jobs of a workspace run one after the other. Each contact is changed once, with an event of its own whose actor is the caller.
     */
    bulkUpdate: (body: ContactsBulkUpdateRequest, options?: WriteOptions): Promise<ContactsBulkUpdateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/contacts/bulk", body, options),
  };

  readonly jobs = {
    /**
     * List jobs, newest first.
     *
     * Actions on many contacts, of the last 30 days.
     */
    list: (query?: JobsListQuery, options?: CallOptions): List<JobsListAnswer, Job> =>
      this.#api.list("/api/v1/jobs", query, options, (page) => [page.jobs, "cursor", page.next_cursor]),
    /**
     * Get a job.
     *
     * How far an action on many contacts is.
     */
    get: (id: string, options?: CallOptions): Promise<JobsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/jobs/${id}`, undefined, options),
  };

  readonly tags = {
    /**
     * List tags, newest first.
     *
     * Every tag of the workspace.
     */
    list: (query?: TagsListQuery, options?: CallOptions): List<TagsListAnswer, Tag> =>
      this.#api.list("/api/v1/tags", query, options, (page) => [page.tags, "cursor", page.next_cursor]),
    /**
     * Create a tag.
     *
     * Names are unique without regard to case. Without `color` the tag gets one of a palette.
     */
    create: (body: TagsCreateRequest, options?: WriteOptions): Promise<TagsCreateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/tags", body, options),
    /**
     * Rename or recolour a tag.
     *
     * Contacts and segments that have the tag keep it.
     */
    update: (id: string, body: TagsUpdateRequest, options?: WriteOptions): Promise<TagsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/tags/${id}`, body, options),
    /**
     * Delete a tag.
     *
     * It disappears from every contact at once.
     */
    delete: (id: string, options?: WriteOptions): Promise<TagsDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/tags/${id}`, undefined, options),
  };

  readonly customFields = {
    /**
     * List custom fields, newest first.
     *
     * The fields that every contact of the workspace shows in `custom_fields`.
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
     * At most 100 a workspace. A field made again under a key that was used before has none of its old values.
     */
    create: (body: CustomFieldsCreateRequest, options?: WriteOptions): Promise<CustomFieldsCreateAnswer> =>
      this.#api.writeOnce("POST", "/api/v1/custom-fields", body, options),
    /**
     * Change a custom field's label or options.
     *
     * Key and type are fixed; sending them unchanged does no harm. Values of an option that is removed read as unset at once and are then cleared; until that is done the option cannot be added again.
     */
    update: (id: string, body: CustomFieldsUpdateRequest, options?: WriteOptions): Promise<CustomFieldsUpdateAnswer> =>
      this.#api.writeOnce("PATCH", pathOf`/api/v1/custom-fields/${id}`, body, options),
    /**
     * Delete a custom field.
     *
     * Its values disappear from every contact at once.
     */
    delete: (id: string, options?: WriteOptions): Promise<CustomFieldsDeleteAnswer> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/custom-fields/${id}`, undefined, options),
  };

  readonly segments = {
    /**
     * List segments, newest first.
     *
     * With their filters, and whether each can still be asked.
     */
    list: (query?: SegmentsListQuery, options?: CallOptions): List<SegmentsListAnswer, Segment> =>
      this.#api.list("/api/v1/segments", query, options, (page) => [page.segments, "cursor", page.next_cursor]),
    /**
     * Save a filter over contacts.
     *
     * A segment holds the active contacts for which its filter is true. A filter has `match` (`all` or `any`) and 1 to 20
     * `conditions` of `{field, op, value}`; one of them may be a group `{match, conditions}`, whose conditions count too.
     *
     * | field | op | value |
     * |---|---|---|
     * | `name`, `email`, `company`, `source`, `address_as`, custom `text`, `url`, `email` | `eq`, `ne`, `in`, `not_in`, `contains`, `starts_with`, `is_set`, `is_not_set` | Texts of at most 500 characters; case and accents do not matter. |
     * | `phone`, custom `phone` | `eq`, `ne`, `in`, `not_in`, `contains`, `starts_with`, `is_set`, `is_not_set` | Whole numbers in international format; `phone` compares who is reached, in whatever spelling. `contains` and `starts_with` take digits, with or without punctuation. |
     * | `id` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | Ids. |
     * | `status`, `lifecycle_stage`, custom `select` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | Options, as they are written. |
     * | custom `country` | `eq`, `ne`, `in`, `not_in`, `is_set`, `is_not_set` | Codes of ISO 3166-1, like `BR`. |
     * | custom `number` | `eq`, `ne`, `in`, `not_in`, `gt`, `gte`, `lt`, `lte`, `between`, `is_set`, `is_not_set` | Numbers. |
     * | `is_unsubscribed`, `marketing_opt_out`, custom `boolean` | `eq`, `ne`, `is_set`, `is_not_set` | `true` or `false`. |
     * | custom `date` | `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `between`, `within_days`, `is_set`, `is_not_set` | Dates, like `2026-01-31`. `within_days: n` is today (UTC) and the n days before. |
     * | `created_at`, `updated_at`, `last_inbound_at`, custom `datetime` | `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `between`, `within_days`, `is_set`, `is_not_set` | Times with their offset, or dates, which are whole days in UTC: `gt` is after the day, `eq` within it. `within_days: n` is the last n times 24 hours. |
     * | custom `multi_select` | `has_all`, `has_any`, `has_none`, `is_set`, `is_not_set` | Lists of options. |
     * | `tags` | `has_all`, `has_any`, `has_none`, `is_set`, `is_not_set` | Lists of names of tags. |
     *
     * `in`, `not_in`, `has_all`, `has_any` and `has_none` take a list of 1 to 200 values, `between` two, the lower first and both
     * included; `within_days` takes 1 to 3650, `is_set` and `is_not_set` no value. `ne`, `not_in`, `has_none` and `is_not_set` also hold for
     * what is unset; all others never do. Custom fields are written `custom_fields.<key>`.
     *
     * The filter keeps tags and custom fields by identity: renaming a tag changes nothing. Unknown ones are refused.
     */
    create: (body: SegmentsCreateRequest, options?: WriteOptions): Promise<Revisioned<SegmentsCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/segments", body, options),
    /**
     * Get a segment.
     *
     * Tags and custom fields are shown by the names they have now. When one that the filter asks for was deleted, `invalid` is true and `reasons` name the conditions; the filter then shows the last known name.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<SegmentsGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/segments/${id}`, undefined, options),
    /**
     * Change a segment.
     *
     * Only what is sent changes; a filter replaces the one before.
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
     * Answers the segment as it was. Its contacts stay. While a scheduled campaign goes to it, the answer is 409 with the `campaign_id`.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<SegmentsDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/segments/${id}`, undefined, options),
    /**
     * List the contacts of a segment, newest first.
     *
     * Active contacts only, as the filter finds them now. A page looks at 5,000 contacts at most, so it may be short or empty while `next_cursor` is not null. Pages that find little, and many at a time, run one after the other: where that takes long, the answer is 429 with Retry-After. An invalid segment is refused: it would mean something else.
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
     * Active contacts only. It looks at every contact of the workspace, so counts run one at a time: where others take long, the answer is 429 with Retry-After. Of more than 2,000 contacts a count may be up to 5 seconds old.
     */
    count: (id: string, options?: CallOptions): Promise<SegmentsCountAnswer> =>
      this.#api.read(pathOf`/api/v1/segments/${id}/count`, undefined, options),
  };

  readonly events = {
    /**
     * List events, oldest first.
     *
     * Every change of a message, conversation, contact, campaign, template, tag, custom field, segment, webhook or connection is an event, and so is creating or revoking an API key. Changes of members and of the workspace's settings are not. Events are kept for 30 days. Go on with `after=<next_after>`, also after an empty page: a page examines 5,000 events and holds about 4 MB at most, so it may be short, with `types` also empty, while `has_more` is true. With `wait`, a request that finds nothing and has examined all there is waits for the next event that it asks for; it counts once against the limit. At most 5 requests of a key wait at a time, and 500 of the workspace; one more answers 429. To follow the log, start with `after=now`, then pass each `next_after` together with `wait`. An echo of a message from another device that is recognised as one of ours ends with `message.revoked`, its `delivery` changed to null.
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
     * With the object as it is now. Events older than 30 days answer 404.
     */
    get: (id: string, options?: CallOptions): Promise<EventsGetAnswer> =>
      this.#api.read(pathOf`/api/v1/events/${id}`, undefined, options),
  };

  readonly webhooks = {
    /**
     * List webhooks, newest first.
     *
     * A workspace has ten at most.
     */
    list: (query?: WebhooksListQuery, options?: CallOptions): List<WebhooksListAnswer, Webhook> =>
      this.#api.list("/api/v1/webhooks", query, options, (page) => [page.webhooks, "cursor", page.next_cursor]),
    /**
     * Create a webhook.
     *
     * Events of these types are sent to the address from now on, or from `start_after` on, signed as the Standard Webhooks specification says. Events of one contact arrive in order, except that an event that has failed for more than five minutes no longer holds back later ones. What is not answered with 2xx within 15 seconds is sent again after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h. An event may arrive more than once: its `webhook-id` is the same each time.
     */
    create: (body: WebhooksCreateRequest, options?: WriteOptions): Promise<Revisioned<WebhooksCreateAnswer>> =>
      this.#api.writeOnce("POST", "/api/v1/webhooks", body, options),
    /**
     * Get a webhook.
     *
     * Its settings, whether it works, and how far it has come.
     */
    get: (id: string, options?: CallOptions): Promise<Revisioned<WebhooksGetAnswer>> =>
      this.#api.read(pathOf`/api/v1/webhooks/${id}`, undefined, options),
    /**
     * Change a webhook.
     *
     * Fields you leave out stay as they are. The next request uses the new settings.
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
     * Nothing is sent any more. Answers the webhook as it was.
     */
    delete: (id: string, options?: ChangeOptions): Promise<Revisioned<WebhooksDeleteAnswer>> =>
      this.#api.writeOnce("DELETE", pathOf`/api/v1/webhooks/${id}`, undefined, options),
    /**
     * Make a new signing secret.
     *
     * Until `overlap_seconds` are over, requests carry a signature of each secret.
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
     * Sends an event of type `webhook.test` at once, also to a paused webhook, and answers what came of it.
     */
    test: (id: string, options?: WriteOptions): Promise<WebhooksTestAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/test`, undefined, options),
    /**
     * Pause a webhook.
     *
     * Events wait in the log, for 30 days.
     */
    pause: (id: string, options?: WriteOptions): Promise<Revisioned<WebhooksPauseAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/pause`, undefined, options),
    /**
     * Enable a webhook.
     *
     * It goes on where it was paused, disabled, or kept failing. Its endpoint is given another chance at once: all deliveries that wait for their next try are sent now, also those of a webhook that is active, and the tries they have used up still count. Each contact's events stay in order.
     */
    enable: (id: string, options?: WriteOptions): Promise<Revisioned<WebhooksEnableAnswer>> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/enable`, undefined, options),
    /**
     * Send events again.
     *
     * `failed`: what was given up after its last try. `all`: every event of the log in the range that the webhook wants; `count` is then how many events the range holds, filters aside.
     */
    replay: (id: string, body: WebhooksReplayRequest, options?: WriteOptions): Promise<WebhooksReplayAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/replay`, body, options),
    /**
     * List deliveries, newest first.
     *
     * Whatever failed once, for 7 days (the last 10,000 that are done with), and the last 100 that went well at once.
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
     * Sends it at once, with all its tries, whatever came of it before.
     */
    retryDelivery: (id: string, delivery: string, options?: WriteOptions): Promise<WebhooksRetryDeliveryAnswer> =>
      this.#api.writeOnce("POST", pathOf`/api/v1/webhooks/${id}/deliveries/${delivery}/retry`, undefined, options),
  };

  readonly manage = {
    workspaces: {
      /**
       * Create a workspace.
       *
       * A customer of this deployment, with contacts, connections and keys of its own.
       */
      create: (body: ManageWorkspacesCreateRequest, options?: CallOptions): Promise<ManageWorkspacesCreateAnswer> =>
        this.#api.write("POST", "/manage/v1/workspaces", body, options),
      /**
       * List workspaces, newest first.
       *
       * Every customer of this deployment.
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
       * Its name, plan and time zone. Admins and owners may.
       */
      get: (ws: string, options?: CallOptions): Promise<ManageWorkspacesGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}`, undefined, options),
      /**
       * Change a workspace.
       *
       * A plan holds for the next request of every key once this is answered. Only the operator changes it. Admins and owners may.
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
       * Everybody who may sign in to this workspace, with their role. Owners may.
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
       * It holds from their next request. A workspace keeps at least one owner. Owners may.
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
       * They lose the workspace with their next request. A workspace keeps at least one owner. Owners may.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/members/${id}`, undefined, options),
      /**
       * Make a link by which a member sets a new password.
       *
       * Hand on the `url`: it is in this answer only, works once and for an hour, and replaces earlier ones of the same person. Using it ends all their sessions. An owner's link is for people who belong to no other workspace, the operator's for anybody. Owners may.
       */
      createResetLink: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersCreateResetLinkAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/members/${id}/reset-link`, undefined, options),
      /**
       * Confirm that a member is the person of their email.
       *
       * A password set through an invitation opens the workspaces whose invitations it has accepted. Once confirmed, it opens all that have a member of the same email: those members become this one, and other passwords and sessions of the email end. Doing it twice changes nothing.
       */
      confirm: (ws: string, id: string, options?: CallOptions): Promise<ManageMembersConfirmAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/members/${id}/confirm`, undefined, options),
    },
    invitations: {
      /**
       * Invite somebody.
       *
       * Hand on the `url`: it is in this answer only, works once and for 7 days. Another invitation of the same email replaces it. No mail is sent. The person signs in with a password they have, or sets one, which opens this workspace only. Owners may.
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
       * Expired ones too, until they are deleted. Owners may.
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
       * Its link no longer works. Owners may.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageInvitationsDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/invitations/${id}`, undefined, options),
    },
    connections: {
      /**
       * Create a connection.
       *
       * Secrets that were left out are generated and shown in this answer only. The first connection of a channel is its default. Admins and owners may.
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
       * Secrets show their last four characters only. Admins and owners may.
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
       * Makes the external templates of an official connection what its provider holds: new ones come, changed ones change, and what is gone there goes. Admins and owners may.
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
       * Its settings and status. Secrets show their last four characters only. Admins and owners may.
       */
      get: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/connections/${id}`, undefined, options),
      /**
       * Change a connection.
       *
       * `config` is merged. Admins and owners may.
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
       * Its conversations stay readable. The templates its provider holds are no longer listed. Admins and owners may.
       */
      delete: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsDeleteAnswer> =>
        this.#api.write("DELETE", pathOf`/manage/v1/workspaces/${ws}/connections/${id}`, undefined, options),
      /**
       * Test a connection.
       *
       * Asks the provider whether the settings work. Admins and owners may.
       */
      test: (ws: string, id: string, options?: CallOptions): Promise<ManageConnectionsTestAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/connections/${id}/test`, undefined, options),
      /**
       * Play an inbound message.
       *
       * It arrives as one from a phone would: by the queue, a moment after this is answered. A file comes in by its id, if it is the workspace's, or by its address. Admins and owners may.
       */
      simulate: (
        ws: string,
        id: string,
        body: ManageConnectionsSimulateRequest,
        options?: CallOptions,
      ): Promise<ManageConnectionsSimulateAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/connections/${id}/simulate`, body, options),
      /**
       * List what the sandbox's phone network was handed, latest first.
       *
       * A row for every attempt: the ledger against which duplicates are counted. `receipts`: the latest messages whose senders got a read receipt. Admins and owners may.
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
       * The key itself is in this answer only. Admins and owners may.
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
       * Live, expired and revoked ones. The keys themselves are never shown again. Admins and owners may.
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
       * Its settings and when it was last used, to the minute. Admins and owners may.
       */
      get: (ws: string, id: string, options?: CallOptions): Promise<ManageApiKeysGetAnswer> =>
        this.#api.read(pathOf`/manage/v1/workspaces/${ws}/api-keys/${id}`, undefined, options),
      /**
       * Change an API key.
       *
       * Holds for the next request anywhere once this is answered. Admins and owners may.
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
       * For good, and from the next request on. Admins and owners may.
       */
      revoke: (ws: string, id: string, options?: CallOptions): Promise<ManageApiKeysRevokeAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/api-keys/${id}/revoke`, undefined, options),
    },
    requests: {
      /**
       * List API requests, newest first.
       *
       * The last 1,000 requests with a key of this workspace, refused ones among them, a second or two after their answers. Of those that came too fast, one a minute for each endpoint counts the others. Bodies and values of the query are never kept. Admins and owners may.
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
       * How many requests each key made on each of the last days, today among them, the oldest day first. Admins and owners may.
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
       * Counted from the workspace's events, every five minutes; days on which nothing happened are left out. Kept for 400 days. Admins and owners may.
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
       * Accepted from a provider, and retried in vain. They are kept for 30 days; those that no database took are kept in a bucket until they are replayed. Admins and owners may.
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
       * Try a dead event anew.
       *
       * It leaves the list, and comes back when it has failed ten times, which takes about 20 minutes. While storage is down it is retried for days instead. Admins and owners may.
       */
      replay: (ws: string, id: string, options?: CallOptions): Promise<ManageDeadEventsReplayAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/events/dead/${id}/replay`, undefined, options),
    },
    campaigns: {
      /**
       * Check a campaign's counts.
       *
       * Counts its recipients anew and says where that differs from the counts that are kept. Changes nothing. Admins and owners may.
       */
      reconcile: (ws: string, id: string, options?: CallOptions): Promise<ManageCampaignsReconcileAnswer> =>
        this.#api.write("POST", pathOf`/manage/v1/workspaces/${ws}/campaigns/${id}/reconcile`, undefined, options),
    },
  };
}
