// The checks of /readyz: each dependency without which no login works is checked separately. Redis is reported, but does not
// affect readiness. The cause of a failed check is logged, once a minute for each cause.
import type { Pool } from 'pg'
import { IN_TIME } from '../../adapters/store/database'
import { isServable, readMigrations } from '../../adapters/store/migrate'
import type { RedisClient } from '../../adapters/store/redis/client'
import { probeWrite } from '../../adapters/store/write-probe'
import { ageHere, type Clock } from '../../kernel/clock'
import { once } from '../../kernel/lazy'
import type { Outages } from '../maintenance/outages'
import type { Shared } from './shared'
import type { TenantRegistry } from './tenant-registry'

type Deps = {
  pool: Pool
  migrations: string
  registry: TenantRegistry
  redis: RedisClient | undefined
  clock: Clock
  outages: Outages
}

type Outcome = [check: string, outcome: 'ok' | 'failed']

export function createReadiness(deps: Deps): Shared['readiness'] {
  const { pool, migrations, registry, redis, clock, outages } = deps
  const own = once(() => readMigrations(migrations))
  const checks = {
    database: () => pool.query({ text: 'SELECT 1', ...IN_TIME }),
    writes: oncePerSecond(clock, () => probeWrite(pool)),
    migrations: async () => {
      if (!(await isServable(pool, own()))) throw new Error('migrations are missing')
    },
    keys: () => registry.runtimeFor(undefined),
  }
  const outcomeOf = async ([name, check]: [string, () => Promise<unknown>]): Promise<Outcome> => {
    try {
      await check()
      return [name, 'ok']
    } catch (error) {
      outages.report(error, { endpoint: 'readyz', check: name })
      return [name, 'failed']
    }
  }
  return async () => {
    const outcomes = await Promise.all(Object.entries(checks).map(outcomeOf))
    const ready = outcomes.every(([, outcome]) => outcome === 'ok')
    if (redis) outcomes.push(['redis', redis.state() === 'up' ? 'ok' : 'failed'])
    return { ready, checks: Object.fromEntries(outcomes) }
  }
}

/** Keeps a success for a second. A failure is shared by concurrent callers and not kept, so recovery is seen at once. */
function oncePerSecond(clock: Clock, ask: () => Promise<void>): () => Promise<void> {
  let last: { at: Date; answer: Promise<void> } | undefined
  const start = (at: Date): Promise<void> => {
    const probe = { at, answer: ask() }
    last = probe
    probe.answer.catch(() => {
      if (last === probe) last = undefined
    })
    return probe.answer
  }
  return () => {
    const now = clock.now()
    return last === undefined || ageHere(last.at, now) >= 1 ? start(now) : last.answer
  }
}
