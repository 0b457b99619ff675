// The SMS and voice channels against a local gateway: the requests sent, and how responses are interpreted.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, OutgoingMessage } from '../../data/outbox/message'
import { fixedClock } from '../../kernel/clock'
import { createPhoneChannels, type PhoneSettings } from './phone'

const SECRET = 'a signing secret of thirty-two characters'
const TEXT = '123456 is your code & no one’s.\n\n@id.test #123456'

let server: Server
let host: string
let status = 201
const received: { path: string; body: string; headers: IncomingHttpHeaders }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', body, headers: request.headers })
      response.writeHead(status).end('secret 123456')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  status = 201
  received.length = 0
})

const message = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  channel: 'sms',
  to: '+491701234567',
  subject: '',
  text: TEXT,
  html: '',
  ...over,
})

const channels = (settings: Partial<PhoneSettings>, allowLoopback = true): Channel[] =>
  createPhoneChannels(
    { smsUrl: undefined, voiceUrl: undefined, from: '+4930123456', secret: undefined, ...settings },
    { clock: fixedClock(), policy: { allowLoopback, allowPrivate: false } },
  )

const send = async (settings: Partial<PhoneSettings>, over: Partial<OutgoingMessage> = {}, allowLoopback = true) => {
  const all = channels(settings, allowLoopback)
  const channel = all.find(({ name }) => name === (over.channel ?? 'sms'))
  if (!channel) throw new Error('no such channel')
  await channel.send(message(over), 'the-id')
}

describe('a gateway with credentials', () => {
  const smsUrl = () => `http://AC1:to%2Fken@${host}/2010-04-01/Accounts/AC1/Messages.json`

  it('gets Twilio’s form and Basic authentication, and no credentials in the address', async () => {
    await send({ smsUrl: smsUrl() })
    expect(received[0]?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:to/ken').toString('base64')}`)
    const form = Object.fromEntries(new URLSearchParams(received[0]?.body))
    expect(form).toEqual({ To: '+491701234567', From: '+4930123456', Body: TEXT })
  })

  it('receives the text of a call, escaped', async () => {
    await send({ voiceUrl: smsUrl() }, { channel: 'voice', text: 'Code: 1, 2 <3>' })
    const form = new URLSearchParams(received[0]?.body)
    expect(form.get('Twiml')).toBe('<Response><Say>Code: 1, 2 &#60;3&#62;</Say></Response>')
  })
})

describe('a gateway without', () => {
  it('gets the vendor’s JSON, signed with the time', async () => {
    await send({ smsUrl: `http://${host}/sms`, secret: SECRET })
    const [request] = received
    expect(JSON.parse(request?.body ?? '')).toEqual({
      message_id: 'the-id',
      channel: 'sms',
      recipient: '+491701234567',
      body: TEXT,
      sender: '+4930123456',
    })
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['latchkey-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${time}.${request?.body}`).digest('hex'))
    expect(request?.headers['idempotency-key']).toBe('the-id')
  })

  it('may be configured by a connection, with its own sender', async () => {
    await send({ secret: SECRET }, { gateway: `http://${host}/own`, sender: 'Acme' })
    expect(received[0]?.path).toBe('/own')
    expect(JSON.parse(received[0]?.body ?? '').sender).toBe('Acme')
  })

  it('gets nothing unsigned', async () => {
    await expect(send({ smsUrl: `http://${host}/sms` })).rejects.toMatchObject({ reason: 'ENOSECRET', permanent: true })
    expect(received).toEqual([])
  })
})

describe('what can go wrong', () => {
  it.each([
    [500, false],
    [429, false],
    [408, false],
    [400, true],
    [302, true],
  ])('an answer with status %i is final: %s', async (answer, permanent) => {
    status = answer
    const failure = await send({ smsUrl: `http://${host}/sms`, secret: SECRET }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: `HTTP ${answer}`, permanent })
    expect(String(failure)).not.toContain('123456')
  })

  it('calls no address of the inside (threat-model.md SE8)', async () => {
    const inside = send({ secret: SECRET }, { gateway: `http://${host}/own` }, false)
    await expect(inside).rejects.toMatchObject({ reason: 'EFORBIDDENADDRESS', permanent: true })
    expect(received).toEqual([])
  })

  it('knows that there is no gateway', async () => {
    await expect(send({ secret: SECRET })).rejects.toMatchObject({ reason: 'ENOGATEWAY', permanent: true })
    expect(channels({})).toEqual([])
  })
})
