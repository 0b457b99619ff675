// The SMS and voice channels: HTTP gateways (threat-model.md DB7, SE8).
// - A URL with credentials is Twilio's API or a compatible one: a form with HTTP Basic authentication. A URL without credentials
//   is a custom gateway: the vendor's JSON with a signature, so that the gateway can authenticate our requests.
// - URLs come from the operator's settings and from connections. All are called like every registered URL (post.ts).
// - Only the status of the response is read. A permanent refusal is not retried.
import { createHmac } from 'node:crypto'
import { type Channel, DeliveryError, type OutgoingMessage, refusedBy } from '../../data/outbox/message'
import type { Clock } from '../../kernel/clock'
import { epochSeconds } from '../../kernel/clock'
import type { OutboundPolicy } from './outbound-guard'
import { post } from './post'

export type PhoneSettings = {
  smsUrl: string | undefined
  voiceUrl: string | undefined
  /** The default sender, for connections without their own. */
  from: string | undefined
  /** The signing key for gateways without credentials. */
  secret: string | undefined
}

type PhoneDeps = { clock: Clock; policy: OutboundPolicy }

/** `service` selects the sender of text messages. */
type Addressed = {
  url: URL
  from: string | undefined
  service?: string | undefined
  secret: string | undefined
  fixed: boolean
}

/** One channel for each configured kind. A connection's own gateway needs only the secret. */
export function createPhoneChannels(settings: PhoneSettings, deps: PhoneDeps): Channel[] {
  const { smsUrl, voiceUrl, secret } = settings
  return [
    ...(smsUrl || secret ? [phoneChannel('sms', smsUrl, settings, deps)] : []),
    ...(voiceUrl ? [phoneChannel('voice', voiceUrl, settings, deps)] : []),
  ]
}

const phoneChannel = (
  name: 'sms' | 'voice',
  ofProcess: string | undefined,
  { from, secret }: PhoneSettings,
  deps: PhoneDeps,
): Channel => ({
  name,
  async send(message, id) {
    const address = message.gateway ?? ofProcess
    if (address === undefined) throw new DeliveryError('ENOGATEWAY', true)
    const to = { url: new URL(address), from: message.sender ?? from, secret, fixed: message.gateway === undefined }
    const answer = await (to.url.username === '' ? sendSigned : sendForm)(message, id, to, deps)
    if (answer.status < 200 || answer.status >= 300) throw refusedBy(answer, isFinal(answer.status))
  },
  close: () => {},
})

export type TwilioAccount = { sid: string; token: string; from: string | undefined; service: string | undefined }

/** Twilio's API with the account of a tenant. Only a refusal of the message itself is final. */
export const twilioChannel = (
  name: 'sms' | 'voice',
  { sid, token, from, service }: TwilioAccount,
  deps: PhoneDeps,
): Channel => ({
  name,
  async send(message, id) {
    const url = new URL(
      `https://api.twilio.com/2010-04-01/Accounts/${sid}/${name === 'sms' ? 'Messages' : 'Calls'}.json`,
    )
    Object.assign(url, { username: sid, password: encodeURIComponent(token) })
    const sender = message.sender ?? from
    const answer = await sendForm(message, id, { url, from: sender, service, secret: undefined, fixed: true }, deps)
    if (answer.status < 200 || answer.status >= 300) throw refusedBy(answer, answer.status === 400)
  },
  close: () => {},
})

const isFinal = (status: number): boolean => status !== 408 && status !== 429 && status < 500

/** https://www.twilio.com/docs/messaging/api/message-resource, and the same for calls. */
function sendForm(
  message: OutgoingMessage,
  _id: string,
  { url, from = '', service, fixed }: Addressed,
  { policy }: PhoneDeps,
) {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const content: Record<string, string> =
    message.channel === 'sms' ? { Body: message.text } : { Twiml: spoken(message.text) }
  const sender: Record<string, string> =
    service !== undefined && message.channel === 'sms' ? { MessagingServiceSid: service } : { From: from }
  const body = new URLSearchParams({ To: message.to, ...sender, ...content }).toString()
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return post(bare(url), { type: 'application/x-www-form-urlencoded', body, headers: { authorization }, fixed }, policy)
}

const bare = (url: URL): string => Object.assign(new URL(url), { username: '', password: '' }).href

const spoken = (text: string): string => {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<Response><Say>${escaped}</Say></Response>`
}

/** `Latchkey-Signature: t=<epoch seconds>,v1=<hex HMAC-SHA-256 of "<t>.<body>">`. Every attempt has the same id. */
function sendSigned(message: OutgoingMessage, id: string, to: Addressed, { clock, policy }: PhoneDeps) {
  if (to.secret === undefined) throw new DeliveryError('ENOSECRET', true)
  const { channel, to: recipient, text } = message
  const body = JSON.stringify({
    message_id: id,
    channel,
    recipient,
    body: text,
    ...(to.from ? { sender: to.from } : {}),
  })
  const time = epochSeconds(clock.now())
  const signature = createHmac('sha256', to.secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'latchkey-signature': `t=${time},v1=${signature}`, 'idempotency-key': id }
  return post(to.url.href, { type: 'application/json', body, headers, fixed: to.fixed }, policy)
}
