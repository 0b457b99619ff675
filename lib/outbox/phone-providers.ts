// A tenant's own provider of text messages and calls: an account of Twilio.
import * as z from 'zod'

export const PHONE_PURPOSE = 'phone-provider'

/** The vendor's delivery methods, and the channel of each. */
export const CHANNEL_OF = { text: 'sms', voice: 'voice' } as const

const number = z.string().regex(/^\+[1-9]\d{3,14}$/, 'must be a number such as +4930123456')

export const phoneConfiguration = z
  .strictObject({
    sid: z.string().regex(/^\w{1,64}$/, 'must be the id of an account'),
    /** The sender of text messages; calls need a number. */
    default_from: z
      .string()
      .regex(/^[\w+ ]{1,40}$/, 'must be a number or a name')
      .optional(),
    /** A messaging service, which selects the sender of text messages. */
    mssid: z
      .string()
      .regex(/^\w{1,64}$/, 'must be the id of a messaging service')
      .optional(),
    delivery_methods: z
      .array(z.enum(['text', 'voice']))
      .min(1)
      .max(2),
  })
  .refine(({ default_from, mssid, delivery_methods }) => {
    const { text, voice } = { text: delivery_methods.includes('text'), voice: delivery_methods.includes('voice') }
    return (
      (!text || default_from !== undefined || mssid !== undefined) && (!voice || number.safeParse(default_from).success)
    )
  }, 'needs a default_from, which is a number for calls, or for text messages an mssid')

export type PhoneConfiguration = z.output<typeof phoneConfiguration>

/** As it is stored; the credentials are sealed. */
export type PhoneProvider = { configuration: PhoneConfiguration; sealedCredentials: Uint8Array }

export type PhoneCredentials = { auth_token: string }
