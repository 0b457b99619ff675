// The options of passwordless connections, under the vendor's names where it has one. Mails have the sender of the process, and
// text messages contain no link.
import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { commonOptions } from './common-options'

const everyPasswordless = {
  ...commonOptions,
  totp: z
    .object({
      length: z
        .number()
        .int()
        .min(6)
        .max(10)
        .default(6)
        .meta({ title: 'Digits of a code', group: 'codes', order: 181 }),
      /** Lifetime of a code or link in seconds. */
      time_step: z
        .number()
        .int()
        .min(30)
        .max(300)
        .default(180)
        .meta({ title: 'Lifetime of a code or link', unit: 'seconds', group: 'codes', order: 182 }),
      /** Ours: maximum of wrong tries per code. */
      attempts: z
        .number()
        .int()
        .min(1)
        .max(10)
        .default(3)
        .meta({ title: 'Wrong tries', help: 'After so many, a code is void.', group: 'codes', order: 183 }),
    })
    .prefault({}),
  /** Ours: limits of messages. */
  message_limits: z
    .object({
      per_address_hour: z
        .number()
        .int()
        .min(1)
        .max(50)
        .default(5)
        .meta({ title: 'Messages to one address in an hour', group: 'limits', order: 191 }),
      per_address_day: z
        .number()
        .int()
        .min(1)
        .max(200)
        .default(20)
        .meta({ title: 'Messages to one address in a day', group: 'limits', order: 192 }),
      /** For the whole connection. */
      per_day: z
        .number()
        .int()
        .min(1)
        .default(10_000)
        .meta({ title: 'Messages in a day', help: 'Of the whole connection.', group: 'limits', order: 193 }),
    })
    .prefault({}),
}

export const emailOptions = z.object({
  ...everyPasswordless,
  /** Ours: what the mails of the hosted pages contain. */
  send: z
    .enum(['code', 'link', 'both'])
    .default('code')
    .meta({
      title: 'Mails contain',
      options: { code: 'A code', link: 'A link', both: 'A code and a link' },
      group: 'codes',
      order: 180,
    }),
})

export const smsOptions = z.object({
  ...everyPasswordless,
  /** The gateway for text messages, called with a signature; if absent, the gateway of the process. */
  gateway_url: webUrl
    .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'must hold no credentials')
    .optional()
    .meta({
      title: 'Gateway for messages',
      help: 'Called with a signature. Empty: the gateway of the server.',
      format: 'address',
      group: 'codes',
      order: 184,
    }),
  /** The sender of text messages. */
  from: z.string().min(1).max(100).optional().meta({ title: 'Sender', group: 'codes', order: 185 }),
  /** Ours: the countries that messages are sent to; if absent, all. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as DE'))
    .optional()
    .meta({ title: 'Countries', help: 'Codes such as DE. Empty: all.', group: 'limits', order: 190 }),
})

export type SmsOptions = z.output<typeof smsOptions>
