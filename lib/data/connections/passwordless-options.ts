// The options of passwordless connections, under the vendor's names where it has one. Mails have the sender of the process, and
// text messages contain no link.
import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { commonOptions } from './common-options'

const everyPasswordless = {
  ...commonOptions,
  totp: z
    .object({
      length: z.number().int().min(6).max(10).default(6),
      /** Lifetime of a code or link in seconds. */
      time_step: z.number().int().min(30).max(300).default(180),
      /** Ours: maximum of wrong tries per code. */
      attempts: z.number().int().min(1).max(10).default(3),
    })
    .prefault({}),
  /** Ours: limits of messages. */
  message_limits: z
    .object({
      per_address_hour: z.number().int().min(1).max(50).default(5),
      per_address_day: z.number().int().min(1).max(200).default(20),
      /** For the whole connection. */
      per_day: z.number().int().min(1).default(10_000),
    })
    .prefault({}),
}

export const emailOptions = z.object({
  ...everyPasswordless,
  /** Ours: what the mails of the hosted pages contain. */
  send: z.enum(['code', 'link', 'both']).default('code'),
})

export const smsOptions = z.object({
  ...everyPasswordless,
  /** The gateway for text messages, called with a signature; if absent, the gateway of the process. */
  gateway_url: webUrl
    .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'must hold no credentials')
    .optional(),
  /** The sender of text messages. */
  from: z.string().min(1).max(100).optional(),
  /** Ours: the countries that messages are sent to; if absent, all. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as DE')).optional(),
})

export type SmsOptions = z.output<typeof smsOptions>
