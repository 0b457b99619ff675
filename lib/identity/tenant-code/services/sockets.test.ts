// What the services of `net`, `tls` and `dns` make of values that no interface of the platform sends.
import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../kernel/json'
import { openRequests } from '../sandbox/requests'
import type { RunContext } from '../sandbox/services'
import { createBreaker } from './breaker'
import { nameServices } from './names'
import type { Network } from './network'
import { socketServices } from './sockets'

const scopeOf = (signal = new AbortController().signal): RunContext => ({
  ...{ tenantId: 'default', action: 'a.js', nested: false, signal, resources: new Map(), requests: openRequests() },
})

function served(more: Partial<Network> = {}) {
  const reached: string[] = []
  const streams: Duplex[] = []
  const network: Network = {
    async connect({ host, port }) {
      reached.push(`${host}:${port}`)
      const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
      streams.push(stream)
      return stream
    },
    isOwn: async ({ host, port }) => host === 'id.test' && port === 443,
    lookUp: async (name) => {
      reached.push(name)
      return []
    },
    services: async () => [],
    texts: async () => [],
    ...more,
  }
  const services = {
    ...socketServices(
      network,
      createBreaker(() => 0),
    ),
    ...nameServices(network),
  }
  const call = async (name: string, args: object, scope: RunContext, bytes: Uint8Array | null = null) =>
    services[name]?.(args as JsonObject, bytes, scope)
  const open = async (scope: RunContext, port = 443): Promise<number> => {
    const answered = await call('socket.connect', { host: 'a.test', port }, scope)
    return (answered as { value: { resource: number } }).value.resource
  }
  return { reached, streams, call, open }
}

describe('sockets', () => {
  it.each([
    {},
    { host: 5, port: 1 },
    { host: '', port: 1 },
    { host: 'a'.repeat(256), port: 1 },
    { host: 'a.test', port: 0 },
    { host: 'a.test', port: 65_536 },
    { host: 'a.test', port: 1.5 },
    { host: 'a.test', port: '443' },
    { path: '/var/run/socket' },
  ])('are not opened for %j', async (args) => {
    const { call, reached } = served()
    await expect(call('socket.connect', args, scopeOf())).rejects.toThrow()
    expect(reached).toEqual([])
  })

  it.each(['socket.read', 'socket.write', 'socket.end', 'socket.secure'])(
    '%s is for the sockets of the run alone',
    async (name) => {
      const { call, open } = served()
      const [scope, other] = [scopeOf(), scopeOf()]
      const resource = await open(scope)
      const body = 2
      scope.resources.set(body, { close() {} })
      const more = { name: 'a.test', rejectUnauthorized: true, checkName: true }
      for (const [of, number] of [
        [other, resource],
        [scope, body],
        [scope, 9],
      ] as const)
        await expect(call(name, { resource: number, ...more }, of)).rejects.toThrow('it closed the connection')
    },
  )

  it('are closed, and nothing else that the run has open', async () => {
    const { call, open, streams } = served()
    const scope = scopeOf()
    const closed: string[] = []
    const resource = await open(scope)
    scope.resources.set(5, { close: () => void closed.push('a body') })
    for (const number of [5, resource, resource]) await call('socket.close', { resource: number }, scope)
    expect([closed, streams[0]?.destroyed, [...scope.resources.keys()]]).toEqual([[], true, [5]])
  })

  it('are closed that open after their run', async () => {
    const controller = new AbortController()
    const stream = new Duplex({ read() {}, write() {} })
    const { call } = served({
      async connect() {
        controller.abort()
        return stream
      },
    })
    const scope = scopeOf(controller.signal)
    await expect(call('socket.connect', { host: 'a.test', port: 443 }, scope)).rejects.toThrow()
    expect([scope.resources.size, stream.destroyed]).toEqual([0, true])
  })

  it('name the own address of the tenant in no TLS', async () => {
    const { call, open } = served()
    const scope = scopeOf()
    const args = { resource: await open(scope), name: 'id.test', rejectUnauthorized: true, checkName: true }
    await expect(call('socket.secure', args, scope)).rejects.toThrow('EOWNADDRESS')
  })

  it.each([
    { ca: ['x'.repeat(300_000)] },
    { ca: Array(1001).fill('x') },
    { cert: 'x'.repeat(70_000) },
    { minVersion: 'SSLv3' },
    { protocols: Array(11).fill('a') },
    { name: 'a'.repeat(256) },
    { key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' },
    { key: 'x'.repeat(20_000) },
  ])('have no TLS with too much or too old', async (more) => {
    const { call, open } = served()
    const scope = scopeOf()
    const args = { resource: await open(scope), name: 'a.test', rejectUnauthorized: true, checkName: true, ...more }
    await expect(call('socket.secure', args, scope)).rejects.toThrow()
  })

  it('begin TLS once', async () => {
    const { call, open } = served()
    const scope = scopeOf()
    const args = {
      resource: await open(scope),
      name: 'a.test',
      rejectUnauthorized: true,
      checkName: true,
      ca: ['none'],
    }
    const first = call('socket.secure', args, scope)
    await expect(call('socket.secure', args, scope)).rejects.toThrow('EALREADY')
    await expect(first).rejects.toThrow()
  })
})

describe('look-ups', () => {
  it.each([{}, { name: '' }, { name: 5 }, { name: 'a'.repeat(254), family: 0 }, { name: 'a.test', family: 5 }])(
    'are none of %j',
    async (args) => {
      const { call, reached } = served()
      await expect(call('dns.lookup', args, scopeOf())).rejects.toThrow()
      expect(reached).toEqual([])
    },
  )

  it('are fifty in a run, with its requests', async () => {
    const { call, reached } = served()
    const scope = scopeOf()
    for (let n = 0; n < 50; n += 1) await call('dns.lookup', { name: 'a.test', family: 0 }, scope)
    await expect(call('dns.texts', { name: 'a.test' }, scope)).rejects.toThrow('ETOOMANYREQUESTS')
    expect(reached).toHaveLength(50)
  })
})
