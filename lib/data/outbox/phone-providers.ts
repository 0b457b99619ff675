// A tenant's own provider of text messages and calls: an account of Twilio, or an action (`custom`).
import * as z from 'zod'

export const PHONE_PURPOSE = 'phone-provider'

/** The vendor's delivery methods, and the channel of each. */
export const CHANNEL_OF = { text: 'sms', voice: 'voice' } as const

const number = z.string().regex(/^\+[1-9]\d{3,14}$/, 'must be a number such as +4930123456')

const deliveryMethods = z
  .array(z.enum(['text', 'voice']))
  .min(1)
  .max(2)
  .meta({ title: 'Sends', options: { text: 'Text messages', voice: 'Calls' }, group: 'provider', order: 4 })

const twilio = z
  .strictObject({
    sid: z
      .string()
      .regex(/^\w{1,64}$/, 'must be the id of an account')
      .meta({ title: 'Account SID', group: 'provider', order: 2 }),
    /** The sender of text messages; calls need a number. */
    default_from: z
      .string()
      .regex(/^[\w+ ]{1,40}$/, 'must be a number or a name')
      .optional()
      .meta({
        title: 'Sender',
        help: 'A number, or a name for text messages; calls need a number.',
        group: 'provider',
        order: 5,
      }),
    /** A messaging service, which selects the sender of text messages. */
    mssid: z
      .string()
      .regex(/^\w{1,64}$/, 'must be the id of a messaging service')
      .optional()
      .meta({ title: 'Messaging service', help: 'Chooses the sender of text messages.', group: 'provider', order: 6 }),
    delivery_methods: deliveryMethods,
  })
  .refine(({ default_from, mssid, delivery_methods }) => {
    const { text, voice } = { text: delivery_methods.includes('text'), voice: delivery_methods.includes('voice') }
    return (
      (!text || default_from !== undefined || mssid !== undefined) && (!voice || number.safeParse(default_from).success)
    )
  }, 'needs a default_from, which is a number for calls, or for text messages an mssid')

const token = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be visible characters')
  .meta({ title: 'Auth token', secret: true, group: 'provider', order: 3 })

export const PHONE_PROVIDERS = ['twilio', 'custom'] as const

/** What each provider is configured by, and its credentials. */
export const PHONE_KINDS = {
  twilio: { configuration: twilio, credentials: z.strictObject({ auth_token: token }) },
  custom: { configuration: z.strictObject({ delivery_methods: deliveryMethods }), credentials: z.strictObject({}) },
}

type TwilioConfiguration = z.output<typeof twilio>
type CustomConfiguration = Pick<TwilioConfiguration, 'delivery_methods'>

/** As it is stored; the credentials are sealed. */
export type PhoneProvider = (
  | { name: 'twilio'; configuration: TwilioConfiguration }
  | { name: 'custom'; configuration: CustomConfiguration }
) & { sealedCredentials: Uint8Array }

export type PhoneCredentials = { auth_token: string }
