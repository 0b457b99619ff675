// A real server in each of its three deployments (threat-model.md RE8).
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseRedisUrl } from '../../../settings/redis-address'
import { hasRedis, type TestRedis, testRedis } from '../../../testing/redis'
import { openRedis, type RedisClient, RedisDown } from './client'
import { redisScript } from './script'

const COUNT = redisScript(`return redis.call('INCRBY', KEYS[1], ARGV[1])`)

/** A long timeout unless the timeout is tested: a server that waits for a core must not count as unavailable. */
function open(url: string, commandMs: number | undefined = 20_000): { client: RedisClient; logged: string[] } {
  const logged: string[] = []
  const say = (level: string) => (_: unknown, sentence: string) => logged.push(`${level}: ${sentence}`)
  const address = parseRedisUrl(url)
  if (!address) throw new Error(`${url} is no address`)
  const client = openRedis(address, { log: { info: say('info'), warn: say('warn') }, commandMs })
  onTestFinished(() => client.close())
  return { client, logged }
}

/** A client in the state up. Log lines from a slow connection before that are discarded. */
async function opened(url: string, commandMs?: number): Promise<ReturnType<typeof open>> {
  const made = open(url, commandMs)
  expect(await made.client.settled(20_000)).toBe('up')
  made.logged.length = 0
  return made
}

const becomes = (client: RedisClient, state: 'up' | 'down') =>
  vi.waitFor(() => expect(client.state()).toBe(state), { timeout: 15_000, interval: 20 })

const WARNING = 'warn: Redis is unavailable; the server works without it until it returns.'

describe.skipIf(!hasRedis())('one server', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await testRedis()
  })
  afterAll(() => redis.close())

  it('runs a script, also after the server has forgotten it', async () => {
    const { client, logged } = await opened(redis.url)
    expect(await client.run(COUNT, 'a', [2])).toBe(2)
    await redis.tell('SCRIPT', 'FLUSH')
    expect(await client.run(COUNT, 'a', [3])).toBe(5)
    expect(logged).toEqual([])
  })

  it('fails at once while it is away, warns once, and comes back by itself', async () => {
    const { client, logged } = await opened(redis.url)
    await redis.stop()
    await becomes(client, 'down')
    const failed = client.run(COUNT, 'a', [1]).catch((error: unknown) => error)
    // Measured in turns of the event loop, not in time: no call is sent.
    const nextTurn = new Promise((resolve) => setImmediate(resolve, 'asked'))
    expect(await Promise.race([failed, nextTurn])).toBeInstanceOf(RedisDown)
    await redis.start()
    await becomes(client, 'up')
    expect(await client.run(COUNT, 'b', [1])).toBe(1)
    expect(logged).toEqual([WARNING, 'info: Redis is available again.'])
  })

  it('does not wait for a server that hangs', async () => {
    const { client, logged } = await opened(redis.url, 250)
    redis.freeze()
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => client.run(COUNT, 'c', [1])))
    expect(calls.every(({ status }) => status === 'rejected')).toBe(true)
    expect(client.state()).toBe('down')
    redis.thaw()
    await becomes(client, 'up')
    expect(logged).toEqual([WARNING, 'info: Redis is available again.'])
  })

  it('is down, and nothing worse, when there never was one', async () => {
    const { client, logged } = open('redis://127.0.0.1:1')
    expect(await client.settled(1500)).toBe('down')
    await expect(client.run(COUNT, 'a', [1])).rejects.toBeInstanceOf(RedisDown)
    expect(logged).toEqual([WARNING])
  })

  it('stays down where scripts are forbidden or nothing may be written', async () => {
    const { client } = open(redis.url)
    await client.settled(5000)
    await redis.tell('ACL', 'SETUSER', 'default', '-@scripting')
    await expect(client.run(COUNT, 'd', [1])).rejects.toBeInstanceOf(RedisDown)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(client.state()).toBe('down')
    await redis.tell('ACL', 'SETUSER', 'default', '+@scripting')
    await becomes(client, 'up')
  })
})

describe.skipIf(!hasRedis())('a cluster', () => {
  it('runs scripts where their keys are', async () => {
    const redis = await testRedis(['cluster-enabled yes', 'cluster-announce-ip 127.0.0.1'])
    onTestFinished(() => redis.close())
    await redis.tell('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await vi.waitFor(async () => expect(await redis.tell('CLUSTER', 'INFO')).toContain('cluster_state:ok'), 20_000)
    const { client, logged } = await opened(`redis+cluster://127.0.0.1:${redis.port}`)
    expect(await client.run(COUNT, 'one', [1])).toBe(1)
    expect(await client.run(COUNT, 'another', [4])).toBe(4)
    await redis.stop()
    await becomes(client, 'down')
    expect(logged).toEqual([WARNING])
  })
})

describe.skipIf(!hasRedis())('sentinels', () => {
  it('lead to the primary, and to the next one when it changes', async () => {
    const primary = await testRedis()
    onTestFinished(() => primary.close())
    const replica = await testRedis([`replicaof 127.0.0.1 ${primary.port}`])
    onTestFinished(() => replica.close())
    await vi.waitFor(async () => expect(await replica.tell('INFO', 'replication')).toContain('link_status:up'), 20_000)
    // A long limit: a busy machine must not make the sentinel mark a server as down.
    const watch = [`sentinel monitor main 127.0.0.1 ${primary.port} 1`, 'sentinel down-after-milliseconds main 60000']
    const sentinel = await testRedis(watch, 'sentinel')
    onTestFinished(() => sentinel.close())
    const { client, logged } = open(`redis+sentinel://127.0.0.1:${sentinel.port}/main`)
    expect(await client.settled(10_000)).toBe('up')
    expect(await client.run(COUNT, 'a', [1])).toBe(1)
    await vi.waitFor(async () => expect(await sentinel.tell('SENTINEL', 'replicas', 'main')).toContain('127.0.0.1'), {
      timeout: 20_000,
      interval: 200,
    })
    await vi.waitFor(async () => expect(await sentinel.tell('SENTINEL', 'failover', 'main')).toContain('OK'), 20_000)
    await vi.waitFor(async () => expect(await primary.tell('ROLE')).toContain('slave'), {
      timeout: 20_000,
      interval: 100,
    })
    await vi.waitFor(async () => expect(await client.run(COUNT, 'only-on-the-new-one', [1])).toBe(1), {
      timeout: 20_000,
      interval: 100,
    })
    expect(await replica.tell('EXISTS', 'only-on-the-new-one')).toContain(':1')
    expect(logged.length).toBeLessThan(8)
  })
})
