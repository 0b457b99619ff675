// The options of a passwordless connection, in the vendor's names where it has one.
import * as z from 'zod'

export const passwordlessOptions = {
  totp: z
    .object({
      length: z.number().int().min(6).max(10).default(6),
      /** Seconds that a code or link is good for. */
      time_step: z.number().int().min(30).max(300).default(180),
      /** Ours: wrong tries at one code. */
      attempts: z.number().int().min(1).max(10).default(3),
    })
    .prefault({}),
  /** Ours: what a mail of the hosted pages holds. */
  send: z.enum(['code', 'link', 'both']).default('code'),
  /** Where text messages are handed over, signed; else where the process is set to. */
  gateway_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'must hold no credentials')
    .optional(),
  /** Who a text message is from. */
  from: z.string().min(1).max(100).optional(),
  /** Ours: countries whose numbers are sent to; absent, any. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as DE')).optional(),
  /** Ours: how many messages may be caused. */
  message_limits: z
    .object({
      per_address_hour: z.number().int().min(1).max(50).default(5),
      per_address_day: z.number().int().min(1).max(200).default(20),
      /** Of the whole connection. */
      per_day: z.number().int().min(1).default(10_000),
    })
    .prefault({}),
}
