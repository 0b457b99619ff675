import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../../kernel/secret'
import { innerHosts } from '../../settings/action-hosts'
import { isInner, isOfAction, OF_ACTION, writeOfAction } from './action-reach'
import { createExchange } from './action-requests'

const vault = createVault('a secret of thirty-two characters')
const NOW = new Date('2027-01-15T08:00:00Z')
const seen: IncomingHttpHeaders[] = []
const server = createServer((request, response) => {
  seen.push(request.headers)
  if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.9/' }).end()
  else response.end('here')
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => void seen.splice(0))

type Case = {
  inner?: string
  own?: string | null
  custom?: string[]
  nested?: boolean
  tenantId?: string
  url?: string
  headers?: Record<string, string>
  requestId?: string
  requestIdHeader?: string
}

async function outcomeOf(given: Case) {
  const { inner = '', own = null, nested = false, tenantId = 'shop', url, headers = {}, ...more } = given
  const exchange = createExchange({
    policy: { allowLoopback: false, allowPrivate: false },
    reach: { inner: innerHosts.parse(inner), ownUrl: async () => own, customUrls: async () => more.custom ?? [] },
    mark: (tenant) => writeOfAction(tenant, NOW, vault),
    requestIdHeader: more.requestIdHeader,
  })
  const request = {
    method: 'GET',
    headers,
    body: null,
    signal: new AbortController().signal,
    tenantId,
    nested,
    requestId: more.requestId,
    action: 'a.js',
  }
  try {
    const answer = await exchange(new URL(url ?? `http://127.0.0.1:${port}/`), request)
    answer.body.resume()
    return answer.status
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('an inner host', () => {
  it('is reached where the operator allows it, by plain http too', async () => {
    expect(await outcomeOf({})).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ inner: `127.0.0.1:${port}` })).toBe(200)
    expect(await outcomeOf({ inner: `localhost:${port}`, url: `http://localhost:${port}/` })).toBe(200)
    expect(seen.map((headers) => headers[OF_ACTION])).toEqual([undefined, undefined])
  })

  it.each([
    ['at another port', (at: number) => `127.0.0.1:${at + 1}`],
    ['by another name', (at: number) => `localhost:${at}`],
    ['of another tenant', (at: number) => `other=127.0.0.1:${at}`],
  ])('is not reached %s', async (_what, inner) => {
    expect(await outcomeOf({ inner: inner(port) })).toBe('EFORBIDDENADDRESS')
    expect(seen).toEqual([])
  })

  it('is reached by its own tenant', async () => {
    expect(await outcomeOf({ inner: `shop=127.0.0.1:${port}` })).toBe(200)
  })

  it('leads nowhere else: what it redirects to is judged by itself', async () => {
    const inner = `127.0.0.1:${port}`
    expect(await outcomeOf({ inner, url: `http://127.0.0.1:${port}/away` })).toBe(302)
    expect(await outcomeOf({ inner, url: 'http://10.0.0.9/' })).toBe('EFORBIDDENADDRESS')
  })
})

describe('the setting', () => {
  it('names hosts with a port, for all tenants or for one', () => {
    expect(innerHosts.parse('CRM.internal:8443, shop=[FD00::1]:5432')).toEqual([
      { tenantId: null, host: 'crm.internal', port: 8443 },
      { tenantId: 'shop', host: 'fd00::1', port: 5432 },
    ])
    const hosts = innerHosts.parse('[fd00::1]:5432')
    expect([isInner(hosts, 'any', '[fd00::1]', 5432), isInner(hosts, 'any', 'fd00::2', 5432)]).toEqual([true, false])
  })

  it.each(['crm', 'crm:0', 'crm:70000', 'http://crm:80', '*:80', '10.0.0.0/8:80', 'a=b=c:1', ':80'])(
    'the list of reachable hosts refuses %s',
    (value) => {
      expect(innerHosts.safeParse(value).success).toBe(false)
    },
  )
})

describe('the tenant’s own address', () => {
  const own = () => `http://127.0.0.1:${port}`

  it('is reached wherever it is, with a header that only this server can write', async () => {
    expect(await outcomeOf({ own: own() })).toBe(200)
    const header = String(seen[0]?.[OF_ACTION])
    expect(isOfAction(header, 'shop', NOW, vault)).toBe(true)
    expect(isOfAction(header, 'other', NOW, vault)).toBe(false)
    expect(isOfAction(header, 'shop', new Date(NOW.getTime() + 121_000), vault)).toBe(false)
    expect(isOfAction(header, 'shop', NOW, createVault('another secret of thirty-two chars'))).toBe(false)
    for (const forged of [undefined, '', '1', `${header}x`, header.replace(/\..*/, `.${'A'.repeat(43)}`)])
      expect(isOfAction(forged, 'shop', NOW, vault)).toBe(false)
  })

  it('is no way to another port, or to another scheme', async () => {
    expect(await outcomeOf({ own: `http://127.0.0.1:${port + 1}` })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ own: `https://127.0.0.1:${port}` })).toBe('EFORBIDDENADDRESS')
  })

  it('is marked under a custom domain too, which the tenant chose: it is judged as every address', async () => {
    const custom = [own()]
    expect(await outcomeOf({ custom })).toBe('EFORBIDDENADDRESS')
    expect(await outcomeOf({ custom, inner: `127.0.0.1:${port}` })).toBe(200)
    expect(isOfAction(String(seen[0]?.[OF_ACTION]), 'shop', NOW, vault)).toBe(true)
    seen.splice(0)
    expect(await outcomeOf({ custom, inner: `127.0.0.1:${port}`, nested: true })).toBe('ERECURSION')
    expect(seen).toEqual([])
  })

  it('is not called by a run that such a request caused', async () => {
    expect(await outcomeOf({ own: own(), nested: true })).toBe('ERECURSION')
    expect(seen).toEqual([])
  })
})

describe('the id of the request that caused a run', () => {
  const inner = () => `127.0.0.1:${port}`

  it('is passed on in the header that the operator names, whatever the action says', async () => {
    const headers = { 'x-request-id': 'of the action' }
    await outcomeOf({ inner: inner(), requestId: 'r1', requestIdHeader: 'X-Request-Id', headers })
    await outcomeOf({ inner: inner(), requestId: 'r1', headers })
    await outcomeOf({ inner: inner(), requestIdHeader: 'X-Request-Id' })
    expect(seen.map((each) => each['x-request-id'])).toEqual(['r1', 'of the action', undefined])
  })
})
