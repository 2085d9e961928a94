// Reads the `_data` field of a WAHA event. It contains the message in WhatsApp's own format, and its names and nesting
// depend on WAHA's engine.
import * as z from "zod";
import { lenientText, lenientBoolean } from "../provider-input.ts";

const record = z.record(z.string(), z.unknown());

const recordOf = (value: unknown): Record<string, unknown> => record.safeParse(value).data ?? {};

/** Makes names lower case, because the engine GOWS writes `stanzaID` and other engines write `stanzaId`. */
const withLowerNames = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
    : value;

const part = <S extends z.ZodRawShape>(shape: S) => z.preprocess(withLowerNames, z.object(shape)).nullish().catch(null);

const options = z
  .array(z.union([part({ optionname: lenientText, name: lenientText }), z.unknown().transform(() => null)]))
  .nullish()
  .catch(null);

const content = part({
  ptt: lenientBoolean,
  contextinfo: part({ stanzaid: lenientText, isforwarded: lenientBoolean }),
  selectedbuttonid: lenientText,
  selecteddisplaytext: lenientText,
  selectedid: lenientText,
  title: lenientText,
  description: lenientText,
  singleselectreply: part({ selectedrowid: lenientText }),
  nativeflowresponsemessage: part({ name: lenientText, paramsjson: lenientText }),
  body: z.union([part({ text: lenientText }), z.unknown().transform(() => null)]),
  name: lenientText,
  options,
});

const flat = part({
  type: lenientText,
  isforwarded: lenientBoolean,
  selectedbuttonid: lenientText,
  selectedid: lenientText,
  listresponse: content,
  pollname: lenientText,
  polloptions: options,
});

export type EngineContent = NonNullable<z.infer<typeof content>>;

export interface EngineMessage {
  kind: string;
  raw: Record<string, unknown>;
  content: EngineContent | null;
  isForwarded: boolean;
  quoted: string | null;
}

const ACCOMPANYING = new Set(["messageContextInfo", "senderKeyDistributionMessage"]);
/**
 * WhatsApp puts some messages into a wrapper object, for example disappearing messages. Wrappers can be nested, and
 * `unwrap` opens at most this many.
 */
const MAX_WRAPS = 5;

function unwrap(message: Record<string, unknown>, wraps = 0): [kind: string, content: unknown] {
  const [kind, inner] = Object.entries(message).find(([name, value]) => !ACCOMPANYING.has(name) && value) ?? ["", null];
  const wrapped = recordOf(recordOf(inner)["message"]);
  return Object.keys(wrapped).length > 0 && wraps < MAX_WRAPS ? unwrap(wrapped, wraps + 1) : [kind, inner];
}

export function engineMessage(data: unknown): EngineMessage {
  const fields = recordOf(data);
  const { data: webjs } = flat.safeParse(fields);
  const [kind, inner] = unwrap(recordOf(fields["message"] ?? fields["Message"]));
  const type = webjs?.type ?? "";
  if (kind === "" || type !== "") {
    const poll = webjs?.pollname ? { name: webjs.pollname, options: webjs.polloptions } : null;
    const reply = webjs?.listresponse ?? content.safeParse(fields).data ?? null;
    return {
      kind: type,
      raw: fields,
      content: reply === null ? null : { ...reply, ...poll },
      isForwarded: webjs?.isforwarded === true,
      quoted: null,
    };
  }
  const known = content.safeParse(inner).data ?? null;
  return {
    kind,
    raw: recordOf(inner),
    content: known,
    isForwarded: known?.contextinfo?.isforwarded === true,
    quoted: known?.contextinfo?.stanzaid ?? null,
  };
}
