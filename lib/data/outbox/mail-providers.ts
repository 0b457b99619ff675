// The providers of mail that a tenant may have: credentials, and the HTTP request for a message. SMTP has none: its channel speaks
// it (lib/adapters/channels/tenant-mail.ts), nor has `custom`: an action delivers (lib/server/runtime/action-channel.ts).
import * as z from 'zod'
import { orMeantHost } from '../../kernel/address'
import { type JsonObject, objectIn } from '../../kernel/json'
import { signAws } from './aws-signature'
import type { OutgoingMessage } from './message'
import { asciiMailboxOf, type MailSender, mailboxOf } from './sender'

export const MAIL_PROVIDERS = ['smtp', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'custom'] as const
export type MailProviderName = (typeof MAIL_PROVIDERS)[number]

export const MAIL_PURPOSE = 'mail-provider'

/** A tenant's provider as it is stored; the credentials are sealed. */
export type MailProvider = {
  name: MailProviderName
  /** `Example <login@example.com>` or the bare address. */
  from: string
  settings: JsonObject
  sealedCredentials: Uint8Array
}

/** `id` is the same for all attempts. */
export type Mail = { message: OutgoingMessage; id: string; from: MailSender; settings: JsonObject; at: Date }

export type MailRequest = { url: string; type: string; body: string; headers: Readonly<Record<string, string>> }

type Kind<C> = {
  credentials: z.ZodType<C>
  secrets: readonly string[]
  /** Where the secrets are sent. */
  destination(credentials: C): string
  settings: z.ZodType
  request?(credentials: C, mail: Mail): MailRequest
}

const define = <C>(kind: Kind<C>): Kind<JsonObject> => kind as unknown as Kind<JsonObject>

const secret = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e]+$/, 'must be visible characters')
const noSettings = z.strictObject({})
/** The name of a configuration set of SES; an empty text names none. */
const configurationSet = z
  .string()
  .max(200)
  .regex(/^[ -~]*$/, 'must be one line of ASCII')
  .nullish()
const JSON_TYPE = 'application/json'
/** Prevents out-of-office replies to the sender's mailbox (RFC 3834). */
const AUTOMATIC = 'Auto-Submitted'
const GENERATED = 'auto-generated'

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

const smtp = define({
  credentials: z.strictObject({
    smtp_host: z
      .string()
      .max(253)
      .regex(/^(?:[a-z0-9.-]+|[\da-f.]*:[\da-f.]*:[\da-f:.]*)$/i, {
        error: orMeantHost('must be a host name, without port'),
      })
      .meta({ title: 'Host' }),
    smtp_port: z.number().int().min(1).max(65_535).meta({ title: 'Port', help: '587 with STARTTLS, 465 with TLS.' }),
    smtp_user: z.string().max(500).optional().meta({ title: 'User' }),
    smtp_pass: z.string().max(2000).optional().meta({ title: 'Password', secret: true }),
  }),
  secrets: ['smtp_pass'],
  destination: ({ smtp_host, smtp_port }) => `${smtp_host}:${smtp_port}`,
  settings: z.strictObject({
    headers: z
      .strictObject({
        'X-MC-ViewContentLink': z.union([z.enum(['true', 'false']), z.boolean()]).nullish(),
        'X-SES-Configuration-Set': configurationSet,
      })
      .nullish(),
  }),
})

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const ses = define({
  credentials: z.strictObject({
    accessKeyId: z
      .string()
      .regex(/^\w{16,128}$/, 'must be the id of an access key')
      .meta({ title: 'ID of the access key', secret: true }),
    secretAccessKey: secret.meta({ title: 'Secret access key', secret: true }),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/, 'must be a region')
      .meta({ title: 'Region' }),
  }),
  secrets: ['secretAccessKey'],
  destination: ({ region }) => region,
  settings: z.strictObject({
    message: z.strictObject({ configuration_set_name: configurationSet }).nullish(),
  }),
  request(key, { message, from, settings, at }) {
    const url = `https://email.${key.region}.amazonaws.com/v2/email/outbound-emails`
    const text = (Data: string) => ({ Data, Charset: 'UTF-8' })
    const { configuration_set_name } = objectIn(settings.message)
    const body = JSON.stringify({
      FromEmailAddress: asciiMailboxOf(from),
      Destination: { ToAddresses: [message.to] },
      Content: {
        Simple: {
          Subject: text(message.subject),
          Body: { Text: text(message.text), Html: text(message.html) },
          Headers: [{ Name: AUTOMATIC, Value: GENERATED }],
        },
      },
      ConfigurationSetName: configuration_set_name || undefined,
    })
    return { url, type: JSON_TYPE, body, headers: signAws({ url, type: JSON_TYPE, body, service: 'ses', at }, key) }
  },
})

const apiKey = secret.meta({ title: 'API key', secret: true })
const byKey = { credentials: z.strictObject({ api_key: apiKey }), secrets: ['api_key'], destination: () => '' }

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const sendgrid = define({
  ...byKey,
  settings: noSettings,
  request: ({ api_key }, { message, id, from }) => ({
    url: 'https://api.sendgrid.com/v3/mail/send',
    type: JSON_TYPE,
    body: JSON.stringify({
      personalizations: [{ to: [{ email: message.to }], custom_args: { message_id: id } }],
      from,
      subject: message.subject,
      content: [
        { type: 'text/plain', value: message.text },
        { type: 'text/html', value: message.html },
      ],
      headers: { [AUTOMATIC]: GENERATED },
    }),
    headers: { authorization: `Bearer ${api_key}` },
  }),
})

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
const mailgun = define({
  credentials: z.strictObject({
    api_key: apiKey,
    domain: z
      .string()
      .max(253)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain')
      .meta({ title: 'Domain' }),
    region: z.enum(['us', 'eu']).nullish().meta({ title: 'Region' }),
  }),
  secrets: ['api_key'],
  destination: ({ region }) => region ?? 'us',
  settings: noSettings,
  request: ({ api_key, domain, region }, { message, id, from }) => ({
    url: `https://api${region === 'eu' ? '.eu' : ''}.mailgun.net/v3/${domain}/messages`,
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      from: mailboxOf(from),
      to: message.to,
      subject: message.subject,
      text: message.text,
      html: message.html,
      [`h:${AUTOMATIC}`]: GENERATED,
      'v:message_id': id,
    }).toString(),
    headers: { authorization: basic('api', api_key) },
  }),
})

/** https://postmarkapp.com/developer/api/email-api. Ours: the vendor has no such provider. */
const postmark = define({
  ...byKey,
  settings: noSettings,
  request: ({ api_key }, { message, id, from }) => ({
    url: 'https://api.postmarkapp.com/email',
    type: JSON_TYPE,
    body: JSON.stringify({
      From: mailboxOf(from),
      To: message.to,
      Subject: message.subject,
      TextBody: message.text,
      HtmlBody: message.html,
      Headers: [{ Name: AUTOMATIC, Value: GENERATED }],
      Metadata: { message_id: id },
    }),
    headers: { 'x-postmark-server-token': api_key },
  }),
})

/** https://resend.com/docs/api-reference/emails/send-email */
const resend = define({
  ...byKey,
  settings: noSettings,
  request: ({ api_key }, { message, id, from }) => ({
    url: 'https://api.resend.com/emails',
    type: JSON_TYPE,
    body: JSON.stringify({
      from: mailboxOf(from),
      to: [message.to],
      subject: message.subject,
      text: message.text,
      html: message.html,
      headers: { [AUTOMATIC]: GENERATED },
    }),
    headers: { authorization: `Bearer ${api_key}`, 'idempotency-key': id },
  }),
})

const custom = define({
  credentials: z.strictObject({}),
  secrets: [],
  destination: () => '',
  settings: noSettings,
})

/** The headers that a tenant adds to the mails of its SMTP server, by which services behind it are set. */
export const smtpHeaders = ({ headers }: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectIn(headers)).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  )

export const MAIL_KINDS: Readonly<Record<MailProviderName, Kind<JsonObject>>> = {
  smtp,
  ses,
  sendgrid,
  mailgun,
  postmark,
  resend,
  custom,
}
