// The edge in front of a server that this project did not create, as under `next start`, and the client address that it states
// (threat-model.md RL3).
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { NOWHERE } from '../../http/target'
import { createReadPeer } from './address'
import { standInFront } from './edge'

const nowhere = { platform: undefined, trustedProxies: [], forwardingHeader: 'x-forwarded-for' } as const

it('trusts no forwarding header while the socket’s address is unknown', () => {
  const readPeer = createReadPeer({ ...nowhere, trustedProxies: ['127.0.0.1'] })
  expect(readPeer({ 'x-latchkey-socket': '127.0.0.1', 'x-forwarded-for': '203.0.113.9' })).toEqual({ ip: '0.0.0.0' })
})

describe('in front of Next', () => {
  beforeAll(() => standInFront('https://id.test'))

  it('takes the client from the platform, and nothing that the client says', () => {
    const readPeer = createReadPeer({ ...nowhere, platform: 'vercel' })
    expect(readPeer({ 'x-real-ip': '203.0.113.9', 'x-forwarded-for': '192.0.2.1' })).toEqual({ ip: '203.0.113.9' })
    expect(readPeer({ 'x-real-ip': '203.0.113.9', 'x-vercel-ja4-digest': 't13d1516h2_8daaf' })).toEqual({
      ip: '203.0.113.9',
      fingerprint: { ja4: 't13d1516h2_8daaf' },
    })
    expect(createReadPeer(nowhere)({ 'x-real-ip': '203.0.113.9' })).toEqual({ ip: '0.0.0.0' })
  })

  it('overwrites its own header if a client sends it, and trusts listed proxies only', async () => {
    const headers = await headersOf({ 'x-latchkey-socket': '192.0.2.66', 'x-forwarded-for': '203.0.113.9' })
    expect(createReadPeer(nowhere)(headers)).toEqual({ ip: '127.0.0.1' })
    expect(createReadPeer({ ...nowhere, trustedProxies: ['127.0.0.0/8'] })(headers)).toEqual({ ip: '203.0.113.9' })
    expect(createReadPeer({ ...nowhere, trustedProxies: ['10.0.0.0/8'] })(headers)).toEqual({ ip: '127.0.0.1' })
  })

  const headersOf = async (sent: Record<string, string>) =>
    (await seen('/', 'GET', sent)).headers as Record<string, string | undefined>

  /** What Next is shown of a request. */
  async function seen(path: string, method = 'GET', headers: Record<string, string> = {}) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    request({ host: '127.0.0.1', port, path, method, headers: { host: 'id.test', ...headers }, agent: false }).end()
    const [incoming, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    outgoing.end()
    server.close()
    return { url: incoming.url, method: incoming.method, headers: incoming.headers }
  }

  it.each(['http://evil.test/', '//evil.test/', '/\\evil.test/', '/demo/.', '/_not-found', '/_error', '/500'])(
    'shows Next nothing of the target %s (threat-model.md BF12)',
    async (target) => {
      expect((await seen(target)).url).toBe(NOWHERE)
    },
  )

  it('shows Next other targets as they are', async () => {
    for (const target of ['/u/login?state=a//b', '/_next/static/x.js', '/console/users/auth0%7C1', '/authorize'])
      expect((await seen(target)).url).toBe(target)
  })

  it.each([
    ['GET', '/console/%ff', '/.refused/path/console/'],
    ['POST', '/samlp/%E0%A4%A', '/.refused/path/samlp/'],
    ['TRACE', '/', '/.refused/method/'],
    ['TRACE', '/nothing', '/.refused/method/nothing'],
    ['PUT', '/console', '/.refused/method/console'],
    ['PUT', '/oauth/token', '/.refused/method/oauth/token'],
    ['GET', '/oauth/token/', '/.refused/method/oauth/token/'],
    ['PROPFIND', '/u/login', '/.refused/method/u/login'],
    ['DELETE', '/u/login', '/.refused/method/u/login'],
  ])('sends %s %s to the route of refusals, as a GET (threat-model.md BF23)', async (method, path, refused) => {
    expect(await seen(path, method)).toMatchObject({ url: refused, method: 'GET' })
  })

  it('lets endpoints judge the source of their posts, and judges that of pages', async () => {
    const headers = { origin: 'https://evil.test' }
    for (const path of ['/login/callback', '/u/submit', '/samlp/x'])
      expect((await seen(path, 'POST', headers)).url).toBe(path)
    expect((await seen('/console', 'POST', headers)).url).toBe('/.refused/origin/console')
  })

  it('refuses the state of a router that Next cannot read', async () => {
    const headers = { 'next-router-state-tree': '{' }
    expect((await seen('/console', 'GET', headers)).url).toBe('/.refused/headers/console')
    expect((await seen('/authorize', 'GET', headers)).url).toBe('/authorize')
  })

  it('shows Next the judged origin of a post, and the headers of its renderer on its pages alone', async () => {
    const rsc = { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' }
    expect((await seen('/console', 'GET', rsc)).headers).toMatchObject(rsc)
    for (const path of ['/authorize', '/console/%ff'])
      expect((await seen(path, 'GET', rsc)).headers).not.toHaveProperty('rsc')
    const own = { origin: 'https://id.test', 'x-forwarded-host': 'evil.test' }
    expect((await seen('/console', 'POST', own)).headers).toMatchObject({ ...own, 'x-forwarded-host': 'id.test' })
  })
})
