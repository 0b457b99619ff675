// /metrics exports everything that docs/metrics.md and the dashboard name.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createMetrics } from './metrics'

/** The number of outbox queries. */
let collected = 0
const metrics = createMetrics('the-token-of-the-scraper', {
  pool: () => ({ total: 0, idle: 0, waiting: 0 }),
  hashing: () => ({ running: 0, waiting: 0 }),
  caches: () => ({ lookups: 0, read: 0 }),
  async outbox() {
    collected += 1
    return { waiting: 0, oldestSeconds: 0 }
  },
  redis: () => 'up',
  grants: [],
})

const expected = async (): Promise<string[]> =>
  Array.from((await metrics.page()).matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => name)

it('is documented, and nothing else is', async () => {
  const documented = Array.from(
    readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(latchkey_\w+)` \|/gm),
    ([, name = '']) => name,
  )
  const own = (await expected()).filter((name) => !/^latchkey_(process|nodejs)_/.test(name))
  expect(documented.sort()).toEqual(own.sort())
})

it('is all that the dashboard draws', async () => {
  const names = new Set(await expected())
  const drawn = readFileSync('docs/grafana-dashboard.json', 'utf8').match(/latchkey_\w+(?=[{,)[])/g) ?? []
  expect(drawn.length).toBeGreaterThan(15)
  expect(drawn.filter((name) => !names.has(name.replace(/_bucket$/, '')))).toEqual([])
})

it('adds up the processes of one server, and counts once what all of them see', async () => {
  const readings = {
    pool: () => ({ total: 3, idle: 1, waiting: 0 }),
    hashing: () => ({ running: 1, waiting: 0 }),
    caches: () => ({ lookups: 0, read: 0 }),
    outbox: async () => ({ waiting: 5, oldestSeconds: 60 }),
    redis: () => 'up' as const,
    grants: [],
  }
  const server = createMetrics('the-token-of-the-scraper', {
    ...readings,
    others: (own) => async () => [await own()],
  })
  server.refused('oauth.token', 'invalid_grant')
  const page = await server.page()
  expect(page).toContain('latchkey_processes 2\n')
  expect(page).toContain('latchkey_refusals_total{endpoint="oauth.token",code="invalid_grant"} 2\n')
  expect(page).toContain('latchkey_database_connections{state="busy"} 4\n')
  expect(page).toContain('latchkey_outbox_messages{state="waiting"} 5\n')
  expect(page).toContain('latchkey_outbox_oldest_seconds 60\n')
  expect(page).toContain('latchkey_redis_up 1\n')
})

it('asks the database once for each page', async () => {
  collected = 0
  await metrics.page()
  expect(collected).toBe(1)
  await metrics.page()
  expect(collected).toBe(2)
})
