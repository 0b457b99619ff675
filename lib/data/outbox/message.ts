// Messages to people, and the interface of a channel (threat-model.md DB7).
// - A message has exactly one recipient. An address that could be read as a list or inject a header is refused here, before it is
//   stored, for every caller.
// - The content and the recipient are sealed together: write access to the table permits neither reading a message nor
//   redirecting it.
import * as z from 'zod'
import { inWords } from '../../kernel/network-failure'

export const CHANNELS = ['email', 'sms', 'voice', 'push'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** Control characters, line separators and bidirectional marks: never part of a header or of a name in a mail. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const ONE_ADDRESS = /^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;:<>()[\]\\"]{1,255}$/u
const ONE_NUMBER = /^\+[1-9]\d{3,14}$/
const ONE_DEVICE = /^[\w|.:-]{1,255}$/

const isRecipient: Record<ChannelName, (to: string) => boolean> = {
  email: (to) => to.length <= 320 && ONE_ADDRESS.test(to) && !UNPRINTABLE.test(to),
  sms: (to) => ONE_NUMBER.test(to),
  voice: (to) => ONE_NUMBER.test(to),
  push: (to) => ONE_DEVICE.test(to),
}

export const isMailAddress = (text: string): boolean => isRecipient.email(text)

/** Whose mail it is to its reader, where that is not the tenant: name, picture and colour of an organization. */
export type MailBrand = { name: string; logoUrl?: string | undefined; accent?: string | undefined }

/** The organization of the login that caused a message, or of an invitation. */
export type MailedOrganization = {
  id: string
  name: string
  settings: {
    display_name?: string | undefined
    metadata?: Readonly<Record<string, string>> | undefined
    branding?:
      | {
          logo_url?: string | undefined
          colors?: { primary?: string | undefined; page_background?: string | undefined } | undefined
        }
      | undefined
  }
}

/** Which message it is and what caused it, for an action that delivers it. What is unknown is absent. */
const messageCause = z.object({
  /** The vendor's name of the message, or ours for one that the vendor does not send. */
  type: z.string().max(64),
  locale: z.string().max(35),
  userId: z.string().optional(),
  clientId: z.string().optional(),
  /** The id or the name of the connection. */
  connection: z.string().optional(),
  organizationId: z.string().optional(),
  ip: z.string().optional(),
  /** Of the code for a second factor. */
  factor: z.enum(['enrollment', 'second-factor-authentication']).optional(),
})

export type StoredMessageCause = z.output<typeof messageCause>

const outgoingMessage = z
  .object({
    channel: z.enum(CHANNELS),
    to: z.string(),
    subject: z
      .string()
      .max(250)
      .refine((subject) => !UNPRINTABLE.test(subject), 'must be one line'),
    text: z.string(),
    html: z.string(),
    /** The message's only link and only code, for the outbox page. */
    link: z.string().optional(),
    code: z.string().optional(),
    /** For mails: the sender in the header, if it differs from the process's own. */
    from: z
      .string()
      .max(500)
      .refine((from) => !UNPRINTABLE.test(from), 'must be one line')
      .optional(),
    /** For calls and text messages: the sender and the gateway, if they differ from the process's own. */
    sender: z.string().max(100).optional(),
    gateway: z.string().optional(),
    cause: messageCause.optional(),
    /** The time (ISO) after which the message is useless. */
    until: z.iso.datetime().optional(),
  })
  .refine((message) => isRecipient[message.channel](message.to), { path: ['to'], error: 'must be one recipient' })

export type OutgoingMessage = z.output<typeof outgoingMessage>

/** An invalid message is a programming error, hence a plain Error. The error contains no value of the message. */
export function checkMessage(message: unknown): OutgoingMessage {
  const checked = outgoingMessage.safeParse(message)
  if (checked.success) return checked.data
  const fields = checked.error.issues.map((issue) => `${issue.path.join('.') || 'message'} ${issue.message}`)
  throw new Error(`not a message that can be sent: ${fields.join('; ')}`)
}

export type Channel = {
  name: ChannelName
  /** `id` is the same for all attempts, so that the receiver can drop duplicates. */
  send(message: OutgoingMessage, id: string): Promise<void>
  close(): void
}

/**
 * A failed send. `reason` is a code; the message says it in words, and is stored and logged. Neither has an address, a response text or a
 * secret.
 */
export class DeliveryError extends Error {
  constructor(
    readonly reason: string,
    /** A retry cannot succeed. */
    readonly permanent: boolean,
    cause?: unknown,
    /** The provider read the message and refused it, perhaps for the sender that the message names. */
    readonly refused = false,
    /** The header of that name of the provider's answer. */
    readonly retryAfter?: string | undefined,
  ) {
    super(inWords(reason), { cause })
    this.name = 'DeliveryError'
  }
}

/** What is read of the answer to a request. */
export type PostAnswer = { status: number; retryAfter?: string | undefined }

/** The answer of a server that did not take the message. */
export const refusedBy = ({ status, retryAfter }: PostAnswer, permanent: boolean, refused = false): DeliveryError =>
  new DeliveryError(`HTTP ${status}`, permanent, undefined, refused, retryAfter)
