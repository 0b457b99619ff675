// What each provider of mail is sent.
import addressparser from 'nodemailer/lib/addressparser'
import { describe, expect, it } from 'vitest'
import { signAws } from './aws-signature'
import { MAIL_KINDS, type MailProviderName } from './mail-providers'
import type { OutgoingMessage } from './message'
import { asciiMailboxOf, chosenSender, mailboxOf, senderOf } from './sender'

const AT = new Date('2026-11-22T12:00:00.500Z')
const FROM = 'Acme Login <login@acme.test>'
const message: OutgoingMessage = {
  channel: 'email',
  to: 'ada@demo.test',
  subject: 'Grüße',
  text: 'Hello',
  html: '<p>Hello</p>',
}

function requestOf(name: MailProviderName, credentials: Record<string, string>, settings = {}, from = FROM) {
  const { credentials: schema, request } = MAIL_KINDS[name]
  const made = request?.(schema.parse(credentials), {
    message,
    id: 'id-1',
    from: senderOf(from),
    settings,
    at: AT,
  })
  if (!made) throw new Error(`${name} has no request`)
  return { ...made, json: made.type === 'application/json' ? JSON.parse(made.body) : null }
}

describe('the request to', () => {
  it('a mail by SendGrid is one authenticated request', () => {
    const { url, headers, json } = requestOf('sendgrid', { api_key: 'key' })
    expect({ url, headers }).toEqual({
      url: 'https://api.sendgrid.com/v3/mail/send',
      headers: { authorization: 'Bearer key' },
    })
    expect(json).toMatchObject({
      personalizations: [{ to: [{ email: 'ada@demo.test' }] }],
      from: { email: 'login@acme.test', name: 'Acme Login' },
      subject: 'Grüße',
      content: [
        { type: 'text/plain', value: 'Hello' },
        { type: 'text/html', value: '<p>Hello</p>' },
      ],
    })
  })

  it('a mail by Mailgun goes to the region of the account', () => {
    const credentials = { api_key: 'key', domain: 'mg.acme.test' }
    const { url, headers, body } = requestOf('mailgun', { ...credentials, region: 'eu' })
    expect(url).toBe('https://api.eu.mailgun.net/v3/mg.acme.test/messages')
    expect(headers).toEqual({ authorization: `Basic ${Buffer.from('api:key').toString('base64')}` })
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      from: FROM,
      to: 'ada@demo.test',
      subject: 'Grüße',
      text: 'Hello',
      html: '<p>Hello</p>',
    })
    expect(requestOf('mailgun', credentials).url).toBe('https://api.mailgun.net/v3/mg.acme.test/messages')
  })

  it('a mail by Postmark is one authenticated request', () => {
    const { url, headers, json } = requestOf('postmark', { api_key: 'key' })
    expect({ url, headers }).toEqual({
      url: 'https://api.postmarkapp.com/email',
      headers: { 'x-postmark-server-token': 'key' },
    })
    expect(json).toMatchObject({ From: FROM, To: 'ada@demo.test', TextBody: 'Hello', HtmlBody: '<p>Hello</p>' })
  })

  it('a mail by Resend has the same idempotency key for every attempt', () => {
    const { url, headers, json } = requestOf('resend', { api_key: 'key' })
    expect({ url, headers }).toEqual({
      url: 'https://api.resend.com/emails',
      headers: { authorization: 'Bearer key', 'idempotency-key': 'id-1' },
    })
    expect(json).toMatchObject({ from: FROM, to: ['ada@demo.test'], subject: 'Grüße' })
  })

  it('a mail by SES is signed and names its configuration set', () => {
    const key = { accessKeyId: 'AKIDEXAMPLE123456', secretAccessKey: 'secret', region: 'eu-west-1' }
    const { url, headers, json } = requestOf('ses', key, { message: { configuration_set_name: 'login' } })
    expect(url).toBe('https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails')
    expect(json).toMatchObject({
      FromEmailAddress: FROM,
      Destination: { ToAddresses: ['ada@demo.test'] },
      Content: { Simple: { Subject: { Data: 'Grüße', Charset: 'UTF-8' } } },
      ConfigurationSetName: 'login',
    })
    expect(headers['x-amz-date']).toBe('20261122T120000Z')
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE123456\/20261122\/eu-west-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    )
  })
})

it('names no configuration set of SES that is empty', () => {
  const key = { accessKeyId: 'AKIDEXAMPLE123456', secretAccessKey: 'secret', region: 'eu-west-1' }
  for (const configuration_set_name of ['', null])
    expect(requestOf('ses', key, { message: { configuration_set_name } }).json).not.toHaveProperty(
      'ConfigurationSetName',
    )
})

it('signs as the test suite of AWS does (post-x-www-form-urlencoded)', () => {
  const { authorization } = signAws(
    {
      url: 'https://example.amazonaws.com/',
      type: 'application/x-www-form-urlencoded',
      body: 'Param1=value1',
      service: 'service',
      at: new Date('2015-08-30T12:36:00Z'),
    },
    { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'us-east-1' },
  )
  expect(authorization).toContain('Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a')
})

/** How a sender is written: its address and name; where interfaces write the header; in ASCII. */
const SENDERS: readonly [from: string, name: string | undefined, mailbox: string, ascii?: string][] = [
  ['login@acme.test', undefined, 'login@acme.test'],
  ['<login@acme.test>', undefined, 'login@acme.test'],
  ['"" <login@acme.test>', undefined, 'login@acme.test'],
  ['Acme <login@acme.test>', 'Acme', 'Acme <login@acme.test>'],
  ['  Acme   Login<login@acme.test> ', 'Acme Login', 'Acme Login <login@acme.test>'],
  ['Acme, Inc. <login@acme.test>', 'Acme, Inc.', '"Acme, Inc." <login@acme.test>'],
  ['"Acme, Inc." <login@acme.test>', 'Acme, Inc.', '"Acme, Inc." <login@acme.test>'],
  ['Dr. Acme <login@acme.test>', 'Dr. Acme', '"Dr. Acme" <login@acme.test>'],
  ['Smith & Sons <login@acme.test>', 'Smith & Sons', 'Smith & Sons <login@acme.test>'],
  ['A/B Testing (Beta): 1; <login@acme.test>', 'A/B Testing (Beta): 1;', '"A/B Testing (Beta): 1;" <login@acme.test>'],
  [
    String.raw`"The \"A\" \\ Team" <login@acme.test>`,
    String.raw`The "A" \ Team`,
    String.raw`"The \"A\" \\ Team" <login@acme.test>`,
  ],
  ['The "A" Team <login@acme.test>', 'The "A" Team', String.raw`"The \"A\" Team" <login@acme.test>`],
  [
    'eve@evil.test, <x@evil.test> <login@acme.test>',
    'eve@evil.test, <x@evil.test>',
    '"eve@evil.test, <x@evil.test>" <login@acme.test>',
  ],
  ['Grüße <login@acme.test>', 'Grüße', 'Grüße <login@acme.test>', '=?UTF-8?B?R3LDvMOfZQ==?= <login@acme.test>'],
  [
    'Müller, Söhne <login@acme.test>',
    'Müller, Söhne',
    '"Müller, Söhne" <login@acme.test>',
    '=?UTF-8?B?TcO8bGxlciwgU8O2aG5l?= <login@acme.test>',
  ],
  [
    '=?utf-8?q?Gr=C3=BC=C3=9Fe=2C_Acme?= <login@acme.test>',
    'Grüße, Acme',
    '"Grüße, Acme" <login@acme.test>',
    '=?UTF-8?B?R3LDvMOfZSwgQWNtZQ==?= <login@acme.test>',
  ],
  [
    '=?iso-8859-1?B?R3L832U=?= =?UTF-8?B?IQ==?= <login@acme.test>',
    'Grüße!',
    'Grüße! <login@acme.test>',
    '=?UTF-8?B?R3LDvMOfZSE=?= <login@acme.test>',
  ],
  ['=?none?B?eA==?= <login@acme.test>', '=?none?B?eA==?=', '"=?none?B?eA==?=" <login@acme.test>'],
  ['Acme <login@bücher.example>', 'Acme', 'Acme <login@xn--bcher-kva.example>'],
  [
    'A\r\nBcc: eve@evil.test\u202e <login@acme.test>',
    'A Bcc: eve@evil.test',
    '"A Bcc: eve@evil.test" <login@acme.test>',
  ],
]

describe.each(SENDERS)('the sender %j', (from, name, mailbox, ascii = mailbox) => {
  it('has one name and one address', () => {
    const email = /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox
    expect(senderOf(from)).toEqual({ email, ...(name !== undefined && { name }) })
  })

  it('is written in the two forms, which are read as the same', () => {
    expect(mailboxOf(senderOf(from))).toBe(mailbox)
    expect(asciiMailboxOf(senderOf(from))).toBe(ascii)
    for (const written of [mailbox, ascii]) expect(senderOf(written)).toEqual(senderOf(from))
    const [parsed, ...others] = addressparser(mailbox)
    expect({ parsed, others }).toMatchObject({
      parsed: { address: senderOf(from).email, name: name ?? '' },
      others: [],
    })
  })

  it('is sent to each provider in the form that it takes', () => {
    const key = { api_key: 'key' }
    const aws = { accessKeyId: 'AKIDEXAMPLE123456', secretAccessKey: 'secret', region: 'eu-west-1' }
    expect(requestOf('sendgrid', key, {}, from).json.from).toEqual(senderOf(from))
    expect(requestOf('resend', key, {}, from).json.from).toBe(mailbox)
    expect(requestOf('postmark', key, {}, from).json.From).toBe(mailbox)
    const { body } = requestOf('mailgun', { ...key, domain: 'mg.acme.test' }, {}, from)
    expect(new URLSearchParams(body).get('from')).toBe(mailbox)
    expect(requestOf('ses', aws, {}, from).json.FromEmailAddress).toBe(ascii)
  })
})

it('writes a long name in words of at most 75 characters', () => {
  const ascii = asciiMailboxOf({ email: 'a@acme.test', name: '株式会社'.repeat(30) })
  for (const word of ascii.split(' ').slice(0, -1)) expect(word).toMatch(/^=\?UTF-8\?B\?[\w+/=]{1,63}\?=$/)
  expect(senderOf(ascii).name).toBe('株式会社'.repeat(30))
})

it.each([
  ['Notes, Ltd. <hello@notes.test>', 'any', { email: 'hello@notes.test', name: 'Notes, Ltd.' }],
  ['Notes <hello@notes.test>', 'own', { email: 'login@acme.test', name: 'Notes' }],
  ['Notes <hello@ACME.test>', 'own', { email: 'hello@acme.test', name: 'Notes' }],
  ['Notes <no address>', 'any', { email: 'login@acme.test', name: 'Notes' }],
  ['hello@notes.test', 'any', { email: 'hello@notes.test' }],
  [undefined, 'any', { email: 'login@acme.test', name: 'Acme, Inc.' }],
] as const)('the sender %s where the domain may be %s is right', (wanted, domains, sender) => {
  expect(chosenSender(wanted, 'Acme, Inc. <login@acme.test>', domains)).toEqual(sender)
})
