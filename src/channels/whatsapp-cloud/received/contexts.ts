// The message that another one quotes, and the ad or product that led to it. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import * as z from "zod";
import { referral, type Referral } from "../../content.ts";
import { lenientText } from "../../lenient.ts";
import { fitJson, given } from "../../fitting.ts";

const flag = z.boolean().nullish().catch(null);
const object = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish().catch(null);

/** The fields of a message other than its content. */
export const messageContext = {
  context: object({
    id: lenientText,
    forwarded: flag,
    frequently_forwarded: flag,
    referred_product: object({ catalog_id: lenientText, product_retailer_id: lenientText }),
  }),
  referral: object({
    source_url: lenientText,
    source_id: lenientText,
    source_type: lenientText,
    headline: lenientText,
    body: lenientText,
    media_type: lenientText,
    image_url: lenientText,
    video_url: lenientText,
    thumbnail_url: lenientText,
    ctwa_clid: lenientText,
    welcome_message: object({ text: lenientText }),
  }),
};

export type MessageContext = z.infer<z.ZodObject<typeof messageContext>>;

export const isForwardedBy = ({ context }: MessageContext): boolean =>
  context?.forwarded === true || context?.frequently_forwarded === true;

const MAX_REFERRAL_BYTES = 12_000;

/** The ad that led to a message, and the product that it asks about. */
export function referralOf({ referral: sent, context }: MessageContext): Referral | null {
  const { ctwa_clid, welcome_message, ...fields } = sent ?? {};
  const { catalog_id, product_retailer_id } = context?.referred_product ?? {};
  const ours = {
    click_id: ctwa_clid,
    welcome_message: welcome_message?.text,
    catalog_id,
    product_id: product_retailer_id,
  };
  const all = given({ ...fields, ...ours });
  return Object.keys(all).length === 0 ? null : (referral.safeParse(fitJson(all, MAX_REFERRAL_BYTES)).data ?? null);
}
