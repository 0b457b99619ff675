// What each provider of mail is sent.
import { describe, expect, it } from 'vitest'
import { signAws } from './aws-signature'
import { MAIL_KINDS, type MailProviderName } from './mail-providers'
import type { OutgoingMessage } from './message'
import { senderOf } from './sender'

const AT = new Date('2026-11-22T12:00:00.500Z')
const FROM = 'Acme Login <login@acme.test>'
const message: OutgoingMessage = {
  channel: 'email',
  to: 'ada@demo.test',
  subject: 'Grüße',
  text: 'Hello',
  html: '<p>Hello</p>',
}

function requestOf(name: MailProviderName, credentials: Record<string, string>, settings = {}) {
  const { credentials: schema, request } = MAIL_KINDS[name]
  const made = request?.(schema.parse(credentials), { message, id: 'id-1', from: FROM, settings, at: AT })
  if (!made) throw new Error(`${name} has no request`)
  return { ...made, json: made.type === 'application/json' ? JSON.parse(made.body) : null }
}

describe('the request to', () => {
  it('SendGrid', () => {
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

  it('Mailgun, in the region of the account', () => {
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

  it('Postmark', () => {
    const { url, headers, json } = requestOf('postmark', { api_key: 'key' })
    expect({ url, headers }).toEqual({
      url: 'https://api.postmarkapp.com/email',
      headers: { 'x-postmark-server-token': 'key' },
    })
    expect(json).toMatchObject({ From: FROM, To: 'ada@demo.test', TextBody: 'Hello', HtmlBody: '<p>Hello</p>' })
  })

  it('Resend, with the same key for every attempt', () => {
    const { url, headers, json } = requestOf('resend', { api_key: 'key' })
    expect({ url, headers }).toEqual({
      url: 'https://api.resend.com/emails',
      headers: { authorization: 'Bearer key', 'idempotency-key': 'id-1' },
    })
    expect(json).toMatchObject({ from: FROM, to: ['ada@demo.test'], subject: 'Grüße' })
  })

  it('SES, signed, with its configuration set', () => {
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

it.each([
  ['login@acme.test', { email: 'login@acme.test' }],
  ['Acme <login@acme.test>', { email: 'login@acme.test', name: 'Acme' }],
  ['"Acme, Login" <login@acme.test>', { email: 'login@acme.test', name: 'Acme, Login' }],
  ['<login@acme.test>', { email: 'login@acme.test' }],
])('reads the sender %s', (from, sender) => {
  expect(senderOf(from)).toEqual(sender)
})
