// What the service of `fetch` makes of values that no interface of the platform sends.
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../kernel/json'
import { openRequests } from '../sandbox/requests'
import type { RunContext } from '../sandbox/services'
import type { ExchangeRequest, SendRequest } from './exchange'
import { fetchServices } from './fetch'

const scopeOf = (signal = new AbortController().signal): RunContext => ({
  ...{ tenantId: 'default', action: 'a.js', nested: false, signal, resources: new Map(), requests: openRequests() },
})

function served(answer: () => Readable = () => Readable.from([Buffer.from('body')])) {
  const sent: (ExchangeRequest & { url: string })[] = []
  const exchange: SendRequest = async (url, request) => {
    sent.push({ ...request, url: url.href })
    return { status: 200, statusText: 'OK', headers: [], body: answer() }
  }
  const services = fetchServices(exchange)
  const call = async (name: string, args: JsonObject, scope: RunContext) => services[name]?.(args, null, scope)
  return { sent, call }
}

const GET: JsonObject = { url: 'https://a.test/', method: 'GET', redirect: 'follow', headers: [] }

describe('the service of fetch', () => {
  it.each([
    { ...GET, url: 5 },
    { ...GET, url: 'x'.repeat(40_000) },
    { ...GET, method: 'CONNECT' },
    { ...GET, method: 'GET /smuggled HTTP/1.1' },
    { ...GET, redirect: 'both' },
    { ...GET, headers: [['a', 'x\r\nb: y']] },
    { ...GET, headers: [['a b', 'x']] },
    { ...GET, headers: { a: 'x' } },
    {},
  ] as JsonObject[])('refuses %j', async (args) => {
    const { call, sent } = served()
    await expect(call('fetch', args, scopeOf())).rejects.toThrow()
    expect(sent).toEqual([])
  })

  it('keeps the headers of the connection, and credentials of an address, to itself', async () => {
    const { call, sent } = served()
    const headers = [
      ...[
        ['Host', 'inner.test'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '5'],
        ['Connection', 'x'],
        ['X', 'y'],
      ],
    ]
    await call('fetch', { ...GET, url: 'https://user:pw@a.test/', headers }, scopeOf())
    expect(sent[0]?.url).toBe('https://a.test/')
    expect(Object.keys(sent[0]?.headers ?? {}).sort()).toEqual([
      ...['accept', 'accept-encoding', 'accept-language', 'user-agent', 'x'],
    ])
  })

  it('reads and closes the bodies of the run only, and nothing else that the run has open', async () => {
    const { call } = served()
    const [scope, other] = [scopeOf(), scopeOf()]
    const closed: number[] = []
    scope.resources.set(1, { close: () => void closed.push(1) })
    const answered = await call('fetch', GET, scope)
    expect(answered?.value).toMatchObject({ resource: 2 })
    await expect(call('fetch.read', { resource: 2, whole: true }, other)).rejects.toThrow('there is no such body')
    await expect(call('fetch.read', { resource: 1, whole: true }, scope)).rejects.toThrow('there is no such body')
    await call('fetch.close', { resource: 1 }, scope)
    expect([closed, scope.resources.has(1)]).toEqual([[], true])
    const read = await call('fetch.read', { resource: 2, whole: true }, scope)
    expect([read?.value, Buffer.from(read?.bytes ?? []).toString()]).toEqual([{ done: true }, 'body'])
    await call('fetch.close', { resource: 2 }, scope)
    await expect(call('fetch.read', { resource: 2, whole: true }, scope)).rejects.toThrow('there is no such body')
  })

  it('keeps no body of an answer that comes after the run is over', async () => {
    const controller = new AbortController()
    const scope = scopeOf(controller.signal)
    const { call } = served(() => {
      controller.abort()
      return Readable.from([Buffer.from('late')])
    })
    await expect(call('fetch', GET, scope)).rejects.toThrow()
    expect(scope.resources.size).toBe(0)
  })
})
