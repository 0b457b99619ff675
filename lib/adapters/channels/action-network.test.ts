// What sockets of actions may reach, against servers of this machine: names are looked up by the test.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { innerHosts } from '../../settings/action-hosts'
import { createNetwork } from './action-network'
import type { OutboundPolicy } from './outbound-guard'

let server: Server
let port = 0
let connections = 0
const lookedUp: string[] = []
/** The addresses of the names, one after the other at each look-up. */
let names: Record<string, string[]> = {}

const lookUp = ((name: string, _options: unknown, done: (error: Error | null, found?: unknown) => void) => {
  lookedUp.push(name)
  const address = names[name]?.[0]
  if ((names[name]?.length ?? 0) > 1) names[name]?.shift()
  if (address) done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  else done(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
}) as unknown as NonNullable<OutboundPolicy['lookUp']>

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => {
  connections = 0
  lookedUp.length = 0
  names = {}
})

type Case = {
  host?: string
  at?: number
  inner?: string
  own?: string | null
  custom?: string[]
  tenantId?: string
  policy?: Partial<OutboundPolicy>
}

const networkOf = ({ inner = '', own = null, custom = [], policy = {} }: Case, servers?: string[]) =>
  createNetwork({
    policy: { allowLoopback: false, allowPrivate: false, lookUp, ...policy },
    reach: { inner: innerHosts.parse(inner), ownUrl: async () => own, customUrls: async () => custom },
    ...(servers ? { servers } : {}),
  })

const caller = (tenantId = 'shop') => ({ tenantId, signal: new AbortController().signal })
const codeOf = (error: unknown) => (error as { code?: string }).code

async function outcomeOf({ host = '127.0.0.1', at = port, tenantId, ...more }: Case) {
  try {
    const socket = await networkOf(more).connect({ host, port: at }, caller(tenantId))
    socket.destroy()
    return 'open'
  } catch (error) {
    return codeOf(error)
  }
}

describe('a socket', () => {
  it('reaches an inner host where the operator allows it, by the name that it has there', async () => {
    names = { 'db.internal': ['127.0.0.1'] }
    expect(await outcomeOf({})).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ host: 'db.internal' })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ host: 'DB.internal.', inner: `db.internal:${port}` })).toBe('open')
    expect(await outcomeOf({ inner: `db.internal:${port}` })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ inner: `shop=127.0.0.1:${port}` })).toBe('open')
    expect(await outcomeOf({ inner: `shop=127.0.0.1:${port}`, tenantId: 'other' })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ inner: `127.0.0.1:${port + 1}` })).toBe('EFORBIDDENADDRESS')
  })

  it.each([25, 465, 587])('reaches no port %i, even of a host that is allowed', async (at) => {
    expect(await outcomeOf({ at, inner: `127.0.0.1:${at}`, policy: { allowPrivate: true } })).toBe('EMAILPORT')
  })

  it('is to the address that was judged: a name that changes is looked up once', async () => {
    names = { 'turns.test': ['10.0.0.9', '127.0.0.1'] }
    expect(await outcomeOf({ host: 'turns.test' })).toBe('EFORBIDDENADDRESS')
    names = { 'turns.test': ['127.0.0.1', '10.0.0.9'] }
    lookedUp.length = 0
    expect(await outcomeOf({ host: 'turns.test', policy: { allowLoopback: true } })).toBe('open')
    expect(lookedUp).toEqual(['turns.test'])
    expect(connections).toBe(1)
  })

  it('ends with its run while it is not open', async () => {
    const controller = new AbortController()
    const silent = networkOf({ policy: { lookUp: (() => {}) as never } })
    const opening = silent.connect({ host: 'never.test', port: 5432 }, { tenantId: 'shop', signal: controller.signal })
    controller.abort()
    expect(codeOf(await opening.catch((error) => error))).toBe('ABORT_ERR')
  })
})

describe('the tenant’s own address', () => {
  const policy = { allowLoopback: true }

  it('is not reached, under its name or another one', async () => {
    names = { 'id.test': ['127.0.0.1'], 'alias.test': ['127.0.0.1'] }
    const own = `http://id.test:${port}`
    expect(await outcomeOf({ policy })).toBe('open')
    connections = 0
    expect(await outcomeOf({ policy, own, host: 'ID.test' })).toBe('EOWNADDRESS')
    expect(connections).toBe(0)
    expect(await outcomeOf({ policy, own, host: 'alias.test' })).toBe('EOWNADDRESS')
    expect(await outcomeOf({ policy, own })).toBe('EOWNADDRESS')
    expect(await outcomeOf({ policy, own: `http://id.test:${port + 1}` })).toBe('open')
    expect(await outcomeOf({ policy, custom: [`http://alias.test:${port}`], host: 'alias.test' })).toBe('EOWNADDRESS')
  })

  it('is not named in TLS either', async () => {
    const network = networkOf({ own: 'https://id.test', custom: ['https://login.shop.test'] })
    expect(await network.isOwn({ host: 'login.shop.test', port: 443 }, 'shop')).toBe(true)
    expect(await network.isOwn({ host: 'ID.test', port: 443 }, 'shop')).toBe(true)
    expect(await network.isOwn({ host: 'id.test', port: 5432 }, 'shop')).toBe(false)
    expect(await network.isOwn({ host: 'other.test', port: 443 }, 'shop')).toBe(false)
  })
})

describe('through a proxy', () => {
  it('asks for the judged address, and refuses what only the proxy knows', async () => {
    const heads: string[] = []
    const proxy = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', (head) => {
          heads.push(String(head).split('\r\n', 1)[0] ?? '')
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
        })
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    names = { 'db.test': ['93.184.215.14'], 'inner.test': ['10.0.0.9'] }
    const policy = { proxy: { https: address, http: address, exceptions: [], resolves: false } }
    expect(await outcomeOf({ policy, host: 'db.test', at: 5432 })).toBe('open')
    expect(await outcomeOf({ policy, host: 'inner.test', at: 5432 })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ policy, host: 'unknown.test', at: 5432 })).toBe('EUNJUDGED')
    names['id.test'] = ['93.184.215.14']
    expect(await outcomeOf({ policy, host: 'db.test', at: 443, own: 'https://id.test' })).toBe('EOWNADDRESS')
    const naming = { proxy: { ...policy.proxy, resolves: 'always' as const } }
    expect(await outcomeOf({ policy: naming, host: 'inner.test', at: 5432 })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ policy: naming, host: 'db.test', at: 443, own: 'https://id.test' })).toBe('EOWNADDRESS')
    expect(heads.splice(2)).toEqual(['CONNECT db.test:443 HTTP/1.1'])
    expect(heads).toEqual(['CONNECT 93.184.215.14:5432 HTTP/1.1', 'CONNECT 93.184.215.14:443 HTTP/1.1'])
    proxy.close()
  })
})

describe('a look-up', () => {
  it('answers what an action may reach alone', async () => {
    names = { 'app.test': ['93.184.215.14'], 'inner.test': ['10.0.0.9'] }
    const { lookUp: ofName } = networkOf({})
    expect(await ofName('app.test', 0, caller())).toEqual([{ address: '93.184.215.14', family: 4 }])
    for (const name of ['inner.test', '10.0.0.9', '[::1]'])
      expect(codeOf(await ofName(name, 0, caller()).catch((error) => error))).toBe('EFORBIDDENADDRESS')
    expect(codeOf(await ofName('unknown.test', 4, caller()).catch((error) => error))).toBe('ENOTFOUND')
  })
})

describe('a look-up of other records', () => {
  let resolver: DatagramSocket
  let address = ''
  beforeAll(async () => {
    resolver = createSocket('udp4').on('message', (query, { port: to, address: of }) => {
      resolver.send(answered(query), to, of)
    })
    await new Promise<void>((resolve) => resolver.bind(0, '127.0.0.1', resolve))
    address = `127.0.0.1:${resolver.address().port}`
  })
  afterAll(() => new Promise<void>((resolve) => resolver.close(() => resolve())))

  const labels = (name: string): Buffer =>
    Buffer.concat([
      ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
      Buffer.from([0]),
    ])
  /** Two SRV records, or one TXT record in two parts (RFC 2782; RFC 1035 4.1). */
  function answered(query: Buffer): Buffer {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    const targets = query.includes('_inner') ? ['inner.test'] : ['db.test', 'inner.test']
    const datas =
      type === 33
        ? targets.map((target) => Buffer.concat([Buffer.from([0, 1, 0, 2, 0x69, 0x89]), labels(target)]))
        : [Buffer.from([1, 97, 2, 98, 99])]
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(datas.length, 6)
    header.writeUInt32BE(0, 8)
    const records = datas.map((data) => {
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([head, data])
    })
    return Buffer.concat([header, query.subarray(12, end), ...records])
  }

  it('answers services whose names lead to what an action may reach', async () => {
    names = { 'db.test': ['93.184.215.14'], 'inner.test': ['10.0.0.9'] }
    const { services } = networkOf({}, [address])
    expect(await services('_mongodb._tcp.app.test', caller())).toMatchObject([
      { name: 'db.test', port: 27_017, priority: 1, weight: 2 },
    ])
    expect(codeOf(await services('_inner._tcp.app.test', caller()).catch((error) => error))).toBe('EFORBIDDENADDRESS')
    const allowed = networkOf({ inner: 'inner.test:27017' }, [address])
    expect(await allowed.services('_inner._tcp.app.test', caller())).toHaveLength(1)
  })

  it('answers texts, and nothing of names of inner networks', async () => {
    const { texts } = networkOf({}, [address])
    expect(await texts('app.test', caller())).toEqual([['a', 'bc']])
    for (const name of ['db', 'db.internal', 'a.corp.', 'x.LOCAL', '9.0.0.10.in-addr.arpa'])
      expect(codeOf(await texts(name, caller()).catch((error) => error))).toBe('EFORBIDDENADDRESS')
  })
})
