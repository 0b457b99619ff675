import { afterEach, expect, it } from 'vitest'
import { outboxWriter } from '../../../adapters/store/sql/outbox'
import { enqueue } from '../../../data/outbox/outbox'
import type { BrowserOptions } from '../../../testing/browser'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
afterEach(() => server.close())

async function send(channel: 'email' | 'sms', to: string): Promise<void> {
  const message = { channel, to, subject: `To ${to}`, text: 'text', html: '', code: '012345' }
  await enqueue(message, outboxWriter(server.database.pool), { ...server, tenantId: 'default' })
  server.clock.advance(1)
}

const ask = async (query: Record<string, string> = {}, from: BrowserOptions = { ip: '127.0.0.1' }) =>
  server.browser(from).get('/dev/outbox.json', { query })

it('is not there unless it is switched on', async () => {
  server = await testServer()
  await send('email', 'ada@demo.test')
  const answer = await ask()
  expect(answer.status).toBe(404)
  expect(JSON.stringify(answer.json())).not.toContain('ada@')
})

it.each([
  { host: 'evil.test', ip: '127.0.0.1' },
  { host: 'localhost:3001', ip: '127.0.0.1' },
  { host: 'id.test', ip: '192.168.1.9' },
])('is not there for %j', async (from) => {
  server = await testServer({ devOutbox: true })
  await send('email', 'ada@demo.test')
  const answer = await ask({}, from)
  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain('ada@')
  expect(answer.header('x-content-type-options')).toBe('nosniff')
})

it('shows every message, newest first, narrowed by recipient and channel', async () => {
  server = await testServer({ devOutbox: true })
  await send('email', 'ada@demo.test')
  const sentAt = server.clock.now().toISOString()
  await send('sms', '+4915112345678')
  const sms = {
    id: expect.any(String),
    channel: 'sms',
    to: '+4915112345678',
    subject: 'To +4915112345678',
    text: 'text',
    html: '',
    link: null,
    code: '012345',
    created_at: sentAt,
  }
  const all = await ask()
  expect(all.json()).toEqual([sms, expect.objectContaining({ to: 'ada@demo.test' })])
  expect(Object.fromEntries(all.headers)['access-control-allow-origin']).toBeUndefined()
  expect((await ask({ channel: 'sms' })).json()).toEqual([sms])
  expect((await ask({ to: 'Ada@demo.test' })).json()).toHaveLength(1)
  expect((await ask({ to: 'ada@demo.test', channel: 'sms' })).json()).toEqual([])
})
