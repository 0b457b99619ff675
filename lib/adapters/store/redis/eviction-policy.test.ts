import { expect, it, onTestFinished } from 'vitest'
import { parseRedisUrl } from '../../../settings/redis-address'
import { hasRedis, testRedis } from '../../../testing/redis'
import { openRedis } from './client'
import { evictionPolicyOf } from './eviction-policy'

async function requestedBy(user: string, ...rights: string[]) {
  const redis = await testRedis(['maxmemory-policy volatile-ttl'])
  onTestFinished(() => redis.close())
  await redis.tell('ACL', 'SETUSER', user, 'on', '>pass', '~*', '&*', '+@all', ...rights)
  const address = parseRedisUrl(redis.url.replace('//', `//${user}:pass@`))
  if (!address) throw new Error('no address')
  const logged: string[] = []
  const say = (_: unknown, sentence: string) => logged.push(sentence)
  const client = openRedis(address, { log: { info: say, warn: say }, commandMs: 20_000 })
  onTestFinished(() => client.close())
  await client.settled(20_000)
  return { policy: await evictionPolicyOf(client), state: client.state(), logged }
}

it.skipIf(!hasRedis())('reports the server’s eviction policy', async () => {
  expect(await requestedBy('all')).toEqual({ policy: 'volatile-ttl', state: 'up', logged: [] })
})

it.skipIf(!hasRedis())('does not take a server for away that refuses to say', async () => {
  expect(await requestedBy('few', '-info')).toEqual({ policy: null, state: 'up', logged: [] })
})
