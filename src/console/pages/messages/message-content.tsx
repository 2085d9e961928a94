import * as z from "zod";
import type { FC, Child } from "hono/jsx";
import { type ContentOf, contentShapes, type MediaContent, type MediaType } from "../../../channels/content.ts";
import { formatCount, formatMoney, formatNumber } from "../../kit/format.ts";
import { MessageText, Choice, FormReply, Interactive, People, LocationCard, Unsupported } from "./message-cards.tsx";
import { templateHeader, templateValue, type TemplateValue } from "../../../channels/templates/channel-templates.ts";
import { readComponents } from "../../../channels/templates/components.ts";
import { parseExternal, render, variablesIn } from "../../../features/templates/model/render-text.ts";
import { MessageFile, type FilesById } from "./message-files.tsx";
import { BubbleContent } from "./phone-bubble.tsx";

type Product = ContentOf<"order">["products"][number];

/** Returns null if the price of a product is missing, because the total would be too low. */
function totalsOf(products: readonly Product[]): string | null {
  const sums = new Map<string, number>();
  for (const { price, currency = "", quantity } of products) {
    if (price === undefined) return null;
    sums.set(currency, (sums.get(currency) ?? 0) + price * quantity);
  }
  return Array.from(sums, ([currency, sum]) => formatMoney(sum, currency)).join(" + ");
}

const Order: FC<{ order: ContentOf<"order"> }> = ({ order: { text, products } }) => {
  const total = totalsOf(products);
  return (
    <>
      <p>
        <span aria-hidden="true">🛒</span> <strong>Order of {formatCount(products.length, "product")}</strong>
      </p>
      <MessageText text={text} />
      <table class="order">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" class="end">
              Quantity
            </th>
            <th scope="col" class="end">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {products.map(({ product_id, quantity, price, currency }) => (
            <tr>
              <td>{product_id}</td>
              <td class="end">{formatNumber(quantity)}</td>
              <td class="end">{price === undefined ? "–" : formatMoney(price, currency)}</td>
            </tr>
          ))}
        </tbody>
        {total !== null && products.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row" colspan={2}>
                Total
              </th>
              <td class="end">
                <strong>{total}</strong>
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </>
  );
};

export interface RenderedContent {
  type: string;
  content: unknown;
  /** The values of the template's text header. */
  templateTitle?: unknown;
  body: string;
  fromContact: boolean;
  components?: readonly unknown[] | undefined;
}

const sentValues = z.array(templateValue).catch([]);

const sentTemplate = z.object({
  header: templateHeader.nullish().catch(null),
  cards: z
    .array(z.object({ index: z.number(), header: templateHeader.nullish().catch(null), body: sentValues }))
    .optional()
    .catch([]),
});

/** Fills in the values of a message, which are in the order of the text's variables. */
function fillText(text: string, values: readonly TemplateValue[]): string {
  const pieces = parseExternal(text, values.some(({ name }) => name !== null) ? "named" : "positional");
  const names = variablesIn(pieces);
  return render(pieces, (name) => values[names.indexOf(name)]?.text ?? `{{${name}}}`).text;
}

const FromTemplate: FC<{ message: RenderedContent; files: FilesById }> = ({ message, files }) => {
  const { components, content, templateTitle, body } = message;
  const given = sentTemplate.safeParse(content ?? {}).data;
  const { header, footer, buttons, cards } = readComponents(components ?? []);
  const sent = new Map((given?.cards ?? []).map((card) => [card.index, card]));
  return (
    <BubbleContent
      header={header}
      title={header === null ? undefined : fillText(header.text, sentValues.parse(templateTitle))}
      given={given?.header}
      footer={footer?.text ?? ""}
      buttons={buttons}
      cards={cards.map((card, index) => ({
        ...card,
        said: fillText(card.body?.text ?? "", sent.get(index)?.body ?? []),
        given: sent.get(index)?.header,
      }))}
      files={files}
    >
      <MessageText text={body} />
    </BubbleContent>
  );
};

/**
 * Renders the content of a message. If a later version of Tidings stored it in a shape that this version does
 * not know, renders one line of text instead.
 */
function renderAs<S extends z.ZodType>(
  shape: S,
  { content, body }: RenderedContent,
  show: (content: z.output<S>) => Child,
): Child {
  const { success, data } = shape.safeParse(content);
  return success ? show(data) : <MessageText text={body} />;
}

const File = (file: { type: MediaType; content: MediaContent; files: FilesById; isOwn: boolean }) => (
  <>
    <MessageFile {...file} />
    <MessageText text={file.content.caption} />
  </>
);

export const MessageContent: FC<{ message: RenderedContent; files: FilesById }> = ({ message, files }): Child => {
  switch (message.type) {
    case "template":
      return <FromTemplate message={message} files={files} />;
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const { type, fromContact } = message;
      return renderAs(contentShapes[type], message, (content) => (
        <File type={type} content={content} files={files} isOwn={!fromContact} />
      ));
    }
    case "location":
      return renderAs(contentShapes.location, message, (location) => <LocationCard location={location} />);
    case "contacts":
      return renderAs(contentShapes.contacts, message, (cards) => <People cards={cards} />);
    case "interactive":
      return renderAs(contentShapes.interactive, message, (content) => <Interactive content={content} />);
    case "button_reply":
      return renderAs(contentShapes.button_reply, message, (choice) => <Choice choice={choice} from="button" />);
    case "list_reply":
      return renderAs(contentShapes.list_reply, message, (choice) => <Choice choice={choice} from="list" />);
    case "form_reply":
      return renderAs(contentShapes.form_reply, message, (reply) => <FormReply reply={reply} />);
    case "order":
      return renderAs(contentShapes.order, message, (order) => <Order order={order} />);
    case "unsupported":
      return renderAs(contentShapes.unsupported, message, (content) => <Unsupported content={content} />);
    case "reaction":
      return renderAs(contentShapes.reaction, message, ({ emoji }) => (
        <p class="help">{emoji === "" ? "Removed a reaction" : `Reacted ${emoji}`}</p>
      ));
    default:
      return <MessageText text={message.body} />;
  }
};
