// What can be sent to a person, and what a channel is (threat-model.md DB7).
// - A message has exactly one recipient: whatever could make a list or a header of an address is refused here,
//   before it is stored, whoever asks.
// - The content, recipient included, is sealed as one piece: whoever can write to the table can neither read it
//   nor send it to somebody else.
import * as z from 'zod'

export const CHANNELS = ['email', 'sms', 'voice', 'push'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** Controls, line separators and the marks that reorder text: never part of a header or of a name in a mail. */
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
    /** The one link and the one code of the message, for the outbox page. */
    link: z.string().optional(),
    code: z.string().optional(),
    /** Of a call or text message: who it is from, and the gateway that takes it, where that is not the process's. */
    sender: z.string().max(100).optional(),
    gateway: z.string().optional(),
    /** When it is worth nothing any more: an ISO time. */
    until: z.iso.datetime().optional(),
  })
  .refine((message) => isRecipient[message.channel](message.to), { path: ['to'], error: 'must be one recipient' })

export type OutgoingMessage = z.output<typeof outgoingMessage>

/** Our own mistake when it is wrong, so it throws an ordinary error; no value is repeated in it. */
export function checkMessage(message: unknown): OutgoingMessage {
  const checked = outgoingMessage.safeParse(message)
  if (checked.success) return checked.data
  const fields = checked.error.issues.map((issue) => `${issue.path.join('.') || 'message'} ${issue.message}`)
  throw new Error(`not a message that can be sent: ${fields.join('; ')}`)
}

export type Channel = {
  name: ChannelName
  /** `id` stays the same over all attempts, so that the receiving side can drop a repeated one. */
  send(message: OutgoingMessage, id: string): Promise<void>
  close(): void
}

/** A send that failed. `reason` is kept and logged: a code, never an address, a text of the other side or a secret. */
export class DeliveryError extends Error {
  constructor(
    readonly reason: string,
    /** Trying again cannot help. */
    readonly permanent: boolean,
    cause?: unknown,
  ) {
    super(reason, { cause })
    this.name = 'DeliveryError'
  }
}
