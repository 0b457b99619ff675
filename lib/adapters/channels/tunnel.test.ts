// Requests through a proxy (threat-model.md SE8): what the proxy is asked for, and what is refused before it is called.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OutboundProxy } from '../../settings/outbound-proxy'
import { makePartner } from '../../testing/saml'
import { createCallOut } from './call-out'
import type { OutboundPolicy } from './outbound-guard'
import { post } from './post'
import { proxyFor } from './tunnel'

const PUBLIC = '93.184.215.14'
const SIX = '2606:4700::1'

let target: Server
let secure: Server
let proxy: Server
let proxyUrl: string
let answer: ((socket: Socket) => void) | undefined
const tunnels: { authority: string; credentials: string | undefined }[] = []
const received: { host: string | undefined; url: string | undefined; body: string }[] = []
const servernames: unknown[] = []

const portOf = (server: Server): number => (server.address() as AddressInfo).port

beforeAll(async () => {
  const handle = async (incoming: IncomingMessage, response: import('node:http').ServerResponse) => {
    received.push({
      host: incoming.headers.host,
      url: incoming.url,
      body: Buffer.concat(await incoming.toArray()).toString(),
    })
    response.end('hello')
  }
  target = createServer(handle)
  const { certificatePem, privatePem } = await makePartner()
  const SNICallback = (name: string, done: (error: null) => void): void => {
    servernames.push(name)
    done(null)
  }
  secure = createTlsServer({ cert: certificatePem, key: privatePem, SNICallback }, handle)
  secure.on('tlsClientError', () => {})
  proxy = createServer((_incoming, response) => response.writeHead(400).end())
  proxy.on('connect', (incoming, socket: Socket) => {
    tunnels.push({ authority: incoming.url ?? '', credentials: incoming.headers['proxy-authorization'] })
    if (answer) return answer(socket)
    const upstream = connect(portOf(incoming.url?.endsWith(':443') ? secure : target), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const each of [upstream, socket]) each.on('error', () => {})
  })
  for (const server of [target, secure, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening')
  proxyUrl = `http://127.0.0.1:${portOf(proxy)}/`
})
afterAll(() => {
  for (const server of [target, secure, proxy]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(() => {
  answer = undefined
  for (const list of [tunnels, received, servernames]) list.length = 0
})

const NAMES: Record<string, { address: string; family: number }[]> = {
  'app.test': [{ address: PUBLIC, family: 4 }],
  'both.test': [
    { address: SIX, family: 6 },
    { address: PUBLIC, family: 4 },
  ],
  'six.test': [{ address: SIX, family: 6 }],
  'inside.test': [{ address: '169.254.169.254', family: 4 }],
}

const lookUp = ((name: string, _options: unknown, done: (error: Error | null, found?: unknown) => void) => {
  const found = NAMES[name]
  if (found) done(null, found)
  else if (name !== 'silent.test') done(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
}) as unknown as NonNullable<OutboundPolicy['lookUp']>

/** Private targets are permitted, because plain http is only then. */
const policy = (proxy: Partial<OutboundProxy> = {}, more: Partial<OutboundPolicy> = {}): OutboundPolicy => ({
  allowLoopback: false,
  allowPrivate: true,
  lookUp,
  proxy: { https: proxyUrl, http: proxyUrl, exceptions: [], resolves: false, ...proxy },
  ...more,
})

const get = (address: string, own = policy(), fixed = false) =>
  createCallOut(own)(address, { method: 'GET', headers: {}, seconds: 5, fixed })
const reasonOf = (address: string, own = policy(), fixed = false): Promise<unknown> =>
  get(address, own, fixed).then(
    ({ status }) => status,
    ({ reason }) => reason,
  )

describe('a request through the proxy', () => {
  it('asks for the judged address, and the server inside gets the name', async () => {
    expect(await get('http://app.test:8080/path?a=b')).toMatchObject({ status: 200 })
    expect(tunnels).toEqual([{ authority: `${PUBLIC}:8080`, credentials: undefined }])
    expect(received).toMatchObject([{ host: 'app.test:8080', url: '/path?a=b' }])
  })

  it.each([
    ['http://app.test/', `${PUBLIC}:80`],
    ['http://both.test/', `${PUBLIC}:80`],
    ['http://six.test/', `[${SIX}]:80`],
    [`http://${PUBLIC}/`, `${PUBLIC}:80`],
    [`http://[${SIX}]/`, `[${SIX}]:80`],
  ])('a request for %s opens a tunnel to %s', async (address, authority) => {
    expect(await reasonOf(address)).toBe(200)
    expect(tunnels).toMatchObject([{ authority }])
    expect(received).toMatchObject([{ host: new URL(address).host }])
  })

  it('has TLS with the name inside the tunnel, and checks its certificate', async () => {
    expect(await reasonOf('https://app.test/')).toMatch(/CERT/)
    expect(tunnels).toMatchObject([{ authority: `${PUBLIC}:443` }])
    expect(servernames).toEqual(['app.test'])
    expect(received).toEqual([])
  })

  it('posts, as messages and log streams do', async () => {
    const body = { type: 'text/plain', body: 'a message', headers: {} }
    expect(await post('http://app.test/out', body, policy())).toMatchObject({ status: 200 })
    expect(tunnels).toMatchObject([{ authority: `${PUBLIC}:80` }])
    expect(received).toMatchObject([{ body: 'a message' }])
  })

  it('shows the credentials to the proxy alone', async () => {
    const own = proxyUrl.replace('//', '//user:p%40ss@')
    expect(await reasonOf('http://app.test/', policy({ http: own }))).toBe(200)
    expect(tunnels[0]?.credentials).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    expect(JSON.stringify(received)).not.toContain('p@ss')
  })

  it('says by a code alone that the proxy refuses or is absent', async () => {
    answer = (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    expect(await reasonOf('http://app.test/')).toBe('EPROXY 407')
    answer = (socket) => socket.destroy()
    expect(await reasonOf('http://app.test/')).toBe('EPROXY ECONNRESET')
    const secret = 'http://user:hidden@127.0.0.1:9/'
    const error = await get('http://app.test/', policy({ http: secret })).catch((reason: Error) => reason)
    expect(error).toMatchObject({ reason: 'EPROXY ECONNREFUSED' })
    expect(String((error as Error).stack) + String((error as Error).cause)).not.toContain('hidden')
  })

  it('ends with its time where the proxy, or the server behind it, keeps silent', async () => {
    answer = () => {}
    const silent = createCallOut(policy())('http://app.test/', { method: 'GET', headers: {}, seconds: 0.2 })
    await expect(silent).rejects.toMatchObject({ name: 'CallOutError' })
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const mute = createCallOut(policy())('https://app.test/', { method: 'GET', headers: {}, seconds: 0.2 })
    await expect(mute).rejects.toMatchObject({ name: 'CallOutError' })
  })
})

describe('the guard', () => {
  const STRICT = { allowPrivate: false }

  it.each([
    ['https://inside.test/', 'EFORBIDDENADDRESS'],
    ['https://169.254.169.254/', 'EFORBIDDENADDRESS'],
    ['https://10.0.0.1/', 'EFORBIDDENADDRESS'],
    ['https://[::1]/', 'EFORBIDDENADDRESS'],
    ['http://app.test/', 'EPLAINHTTP'],
    ['https://unknown.test/', 'EUNJUDGED'],
  ])('refuses %s before the proxy is called', async (address, reason) => {
    for (const fixed of [false, true])
      if (reason !== 'EUNJUDGED' || !fixed) expect(await reasonOf(address, policy({}, STRICT), fixed)).toBe(reason)
    if (reason !== 'EUNJUDGED') expect(await reasonOf(address, policy({ resolves: true }, STRICT))).toBe(reason)
    expect(tunnels).toEqual([])
  })

  it('leaves a name that is unknown here to the proxy where no tenant chose it, or the operator permits it', async () => {
    expect(await reasonOf('http://unknown.test/', policy(), true)).toBe(200)
    expect(await reasonOf('http://unknown.test/', policy({ resolves: true }))).toBe(200)
    expect(tunnels.map(({ authority }) => authority)).toEqual(['unknown.test:80', 'unknown.test:80'])
    expect(await reasonOf('http://unknown.test/')).toBe('EUNJUDGED')
    expect(tunnels).toHaveLength(2)
  })

  it('does not wait for a look-up that is never answered', async () => {
    expect(await reasonOf('http://silent.test/', policy(), true)).toBe(200)
    expect(await reasonOf('http://silent.test/')).toBe('EUNJUDGED')
  })

  it('looks up by itself without a proxy, or where NO_PROXY names the host', async () => {
    const direct = `http://127.0.0.1:${portOf(target)}/`
    expect(await reasonOf(direct)).toBe(200)
    NAMES['near.test'] = [{ address: '127.0.0.1', family: 4 }]
    expect(await reasonOf(`http://near.test:${portOf(target)}/`, policy({ exceptions: ['near.test'] }))).toBe(200)
    expect(tunnels).toEqual([])
  })
})

describe('NO_PROXY', () => {
  const isDirect = (exception: string, address: string): boolean =>
    proxyFor(new URL(address), {
      https: 'http://p.test',
      http: 'http://p.test',
      exceptions: [exception],
      resolves: false,
    }) === undefined

  it.each([
    ['*', 'https://app.test/'],
    ['app.test', 'https://app.test/'],
    ['app.test', 'https://app.test./'],
    ['app.test.', 'https://app.test/'],
    ['app.test', 'https://sub.app.test/'],
    ['.app.test', 'https://sub.app.test/'],
    ['.app.test', 'https://app.test/'],
    ['*.app.test', 'https://sub.app.test/'],
    ['app.test:443', 'https://app.test/'],
    ['app.test:8443', 'https://app.test:8443/'],
    ['10.1.2.3', 'https://10.1.2.3/'],
    ['10.1.2.3:443', 'https://10.1.2.3/'],
    ['10.0.0.0/8', 'https://10.1.2.3/'],
    ['fd00::1', 'https://[fd00::1]/'],
    ['[fd00::1]', 'https://[fd00::1]/'],
    ['[fd00::1]:443', 'https://[fd00:0::1]/'],
    ['fd00::/8', 'https://[fd00::1]/'],
    ['none', 'https://localhost/'],
    ['none', 'https://127.0.0.1/'],
    ['none', 'https://[::1]/'],
    ['none', 'https://acme.localhost/'],
  ])('%s covers %s', (exception, address) => {
    expect(isDirect(exception, address)).toBe(true)
  })

  it.each([
    ['app.test', 'https://myapp.test/'],
    ['app.test', 'https://app.test.evil.test/'],
    ['app.test:8443', 'https://app.test/'],
    ['10.0.0.0/8', 'https://11.1.2.3/'],
    ['10.0.0.0/8', 'https://[fd00::1]/'],
    ['10.1.2.3', 'https://10.1.2.30/'],
    ['10.', 'https://10.1.2.3/'],
    ['.', 'https://app.test/'],
    [':443', 'https://app.test/'],
    ['fd00::1', 'https://[fd00::2]/'],
    ['https://app.test', 'https://app.test/'],
  ])('%s does not cover %s', (exception, address) => {
    expect(isDirect(exception, address)).toBe(false)
  })

  it('leaves a scheme without a proxy direct', () => {
    const only = { https: 'http://p.test', http: undefined, exceptions: [], resolves: false }
    expect(proxyFor(new URL('http://app.test/'), only)).toBeUndefined()
    expect(proxyFor(new URL('https://app.test/'), only)).toBe('http://p.test')
  })
})

it('is what the proxy of this test does: a request that is no CONNECT is refused', async () => {
  const asking = request(`${proxyUrl}x`).end()
  const [refused] = (await once(asking, 'response')) as [IncomingMessage]
  expect(refused.statusCode).toBe(400)
})
