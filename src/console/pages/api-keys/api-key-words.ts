// Limits of API keys in words.
import { countOf } from "../../kit/feedback.tsx";

/** `600 requests in 60 s` */
export const rateInWords = ({ requests, windowSeconds }: { requests: number; windowSeconds: number }): string =>
  `${countOf(requests, "request")} in ${windowSeconds} s`;
