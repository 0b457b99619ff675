import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { DeliveryError, type OutgoingMessage } from '../../data/outbox/message'
import { inWords } from '../../kernel/network-failure'
import { createEmailChannel } from './email'

const message: OutgoingMessage = {
  channel: 'email',
  to: 'ada@demo.test',
  subject: 'Grüße — für Sie',
  text: 'Hello\n.\nAda',
  html: '<p>Hello <b>Ada</b></p>',
}

type Received = { from: string; to: string[]; source: string }

const servers: SMTPServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((done) => server.close(done))))
})

async function listen(options: SMTPServerOptions = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  servers.push(server)
  const port = await new Promise<number>((done) => {
    const listener = server.listen(0, '127.0.0.1', () => done((listener.address() as AddressInfo).port))
  })
  return { url: `smtp://127.0.0.1:${port}`, received }
}

async function failureOf(url: string): Promise<DeliveryError> {
  const channel = createEmailChannel({ url, from: 'login@id.test' })
  const error = await channel.send(message, 'id-1').catch((thrown: unknown) => thrown)
  channel.close()
  if (!(error instanceof DeliveryError)) throw new Error('expected a DeliveryError')
  return error
}

describe('mail over SMTP', () => {
  it('sends to the one recipient, text and HTML, from the configured sender', async () => {
    const { url, received } = await listen()
    const channel = createEmailChannel({ url, from: 'Acme Login <login@id.test>' })
    await channel.send(message, 'id-1')
    channel.close()
    const other = createEmailChannel({ url, from: 'Acme, Inc. <login@id.test>' })
    await other.send(message, 'id-2')
    other.close()
    expect(received[1]?.source).toMatch(/^From: "Acme, Inc\." <login@id\.test>\r?$/m)
    const [mail] = received
    expect(mail).toMatchObject({ from: 'login@id.test', to: ['ada@demo.test'] })
    expect(mail?.source).toMatch(/^From: Acme Login <login@id.test>/m)
    expect(mail?.source).toMatch(/^Message-ID: <id-1@id.test>/m)
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(mail?.source).toContain('multipart/alternative')
  })

  it.each([
    ['its name and an address of our domain', 'Notes <notes@ID.test>', /^From: Notes <notes@id\.test>\r?$/im],
    ['an address alone', 'notes@id.test', /^From: notes@id\.test\r?$/m],
    ['its name, not an address of another domain', '"Notes" <boss@bank.test>', /^From: Notes <login@id\.test>\r?$/m],
    ['no second address', 'eve@evil.test, x <notes@id.test>', /^From: "eve@evil\.test, x" <notes@id\.test>\r?$/m],
    ['a name with a comma', 'Notes, Ltd. <notes@id.test>', /^From: "Notes, Ltd\." <notes@id\.test>\r?$/im],
    ['a name beyond ASCII', 'Grüße, X <notes@id.test>', /^From: =\?UTF-8\?[BQ]\?\S+\?= <notes@id\.test>\r?$/im],
  ])('takes from a message %s', async (_what, from, expected) => {
    const { url, received } = await listen()
    const channel = createEmailChannel({ url, from: 'Acme Login <login@id.test>' })
    await channel.send({ ...message, from }, 'id-1')
    channel.close()
    expect(received[0]).toMatchObject({ from: 'login@id.test', to: ['ada@demo.test'] })
    expect(received[0]?.source).toMatch(expected)
  })

  it('keeps a subject that holds a line break inside the subject', async () => {
    const { url, received } = await listen()
    const channel = createEmailChannel({ url, from: 'login@id.test' })
    await channel.send({ ...message, subject: 'one\r\nBcc: eve@evil.test' }, 'id-1')
    channel.close()
    expect(received[0]?.to).toEqual(['ada@demo.test'])
    expect(received[0]?.source).not.toMatch(/^Bcc:/m)
  })

  it('calls a refused recipient final, and repeats nothing of what the server said', async () => {
    const { url } = await listen({
      onRcptTo(_, __, done) {
        done(Object.assign(new Error('no such user ada@demo.test'), { responseCode: 550 }))
      },
    })
    const error = await failureOf(url)
    expect(error).toMatchObject({ permanent: true, reason: 'EENVELOPE 550', message: inWords('EENVELOPE 550') })
  })

  it('calls a refused sender and a refused content passing: both can be corrected', async () => {
    const refuse = (error: Error, done: (error: Error) => void) => done(Object.assign(error, { responseCode: 550 }))
    const sender = await listen({ onMailFrom: (_, __, done) => refuse(new Error('not yours'), done) })
    expect(await failureOf(sender.url)).toMatchObject({ permanent: false, reason: 'EENVELOPE 550', refused: false })
    const content = await listen({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => refuse(new Error('From is not yours'), done))
      },
    })
    expect(await failureOf(content.url)).toMatchObject({ permanent: false, reason: 'EMESSAGE 550', refused: true })
  })

  it('calls a busy server passing', async () => {
    const { url } = await listen({
      onRcptTo(_, __, done) {
        done(Object.assign(new Error('greylisted'), { responseCode: 451 }))
      },
    })
    expect(await failureOf(url)).toMatchObject({ permanent: false, reason: 'EENVELOPE 451' })
  })

  it('calls an unreachable server and a refused login passing', async () => {
    expect(await failureOf('smtp://127.0.0.1:1')).toMatchObject({ permanent: false, reason: 'ECONNREFUSED' })
    const { url } = await listen({
      authOptional: false,
      onAuth: (_, __, done) => done(new Error('Invalid password hunter2')),
    })
    const refused = await failureOf(url.replace('smtp://', 'smtp://user:hunter2@'))
    expect(refused.permanent).toBe(false)
    expect(refused.reason).toBe('EAUTH 535')
  })
})
