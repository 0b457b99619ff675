import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { NOWHERE } from '../http/target'
import { createAddressReader, stampEverySocket } from './address'

const nowhere = { platform: undefined, trustedProxies: [] }

it('trusts no forwarding header while the socket’s address is unknown', () => {
  const addressOf = createAddressReader({ ...nowhere, trustedProxies: ['127.0.0.1'] })
  expect(addressOf({ 'x-latchkey-socket': '127.0.0.1', 'x-forwarded-for': '203.0.113.9' })).toBe('0.0.0.0')
})

it('takes the client from the platform, and nothing that the client says', () => {
  const addressOf = createAddressReader({ ...nowhere, platform: 'vercel' })
  expect(addressOf({ 'x-real-ip': '203.0.113.9', 'x-forwarded-for': '192.0.2.1' })).toBe('203.0.113.9')
  expect(createAddressReader(nowhere)({ 'x-real-ip': '203.0.113.9' })).toBe('0.0.0.0')
})

it('overwrites its own header if a client sends it, and trusts listed proxies only', async () => {
  stampEverySocket()
  const headers = await headersSeenFor({ 'x-latchkey-socket': '192.0.2.66', 'x-forwarded-for': '203.0.113.9' })
  expect(createAddressReader(nowhere)(headers)).toBe('127.0.0.1')
  expect(createAddressReader({ ...nowhere, trustedProxies: ['127.0.0.0/8'] })(headers)).toBe('203.0.113.9')
  expect(createAddressReader({ ...nowhere, trustedProxies: ['10.0.0.0/8'] })(headers)).toBe('127.0.0.1')
})

it('shows Next no target that it could make a redirect to another host of (threat-model.md BF12)', async () => {
  stampEverySocket()
  for (const target of ['http://evil.test/', '//evil.test/', '/\\evil.test/']) {
    expect((await requestSeenFor({}, target)).url).toBe(NOWHERE)
  }
  expect((await requestSeenFor({}, '/u/login?state=a//b')).url).toBe('/u/login?state=a//b')
})

async function headersSeenFor(sent: Record<string, string>): Promise<Record<string, string | undefined>> {
  return (await requestSeenFor(sent)).headers as Record<string, string | undefined>
}

async function requestSeenFor(sent: Record<string, string>, path = '/'): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  request({ host: '127.0.0.1', port, path, headers: sent, agent: false }).end()
  const [incoming, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  outgoing.end()
  server.close()
  return incoming
}
