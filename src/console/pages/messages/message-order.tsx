import type { FC } from "hono/jsx";
import type { ContentOf } from "../../../channels/content.ts";
import { formatCount, formatMoney, formatNumber } from "../../kit/format.ts";
import { MessageText } from "./message-cards.tsx";

type Product = ContentOf<"order">["products"][number];

/** Totals by currency; null if a price is missing, because a partial sum would mislead. */
function totalsOf(products: readonly Product[]): string | null {
  const sums = new Map<string, number>();
  for (const { price, currency = "", quantity } of products) {
    if (price === undefined) return null;
    sums.set(currency, (sums.get(currency) ?? 0) + price * quantity);
  }
  return Array.from(sums, ([currency, sum]) => formatMoney(sum, currency)).join(" + ");
}

export const Order: FC<{ order: ContentOf<"order"> }> = ({ order: { text, products } }) => {
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
