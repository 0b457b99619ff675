// PgBouncer in transaction mode: complete logins, refreshes, their races, migrations and the clean-up, where every statement may
// run on another connection.

import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener } from '../../adapters/store/announcements'
import { run } from '../../adapters/store/database'
import { migrate } from '../../adapters/store/migrate'
import { createDatabase } from '../../adapters/store/prisma/client'
import { systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import {
  beginLogin,
  locationOf,
  outcomeOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../testing/journey'
import { hasPgBouncer, type TestBouncer, testBouncer } from '../../testing/pgbouncer'
import { type TestResponse, type TestServer, testServer } from '../../testing/server'
import { cleanUp } from '../maintenance/clean-up'
import { explainFailure } from '../node/failure'
import { openPool } from './pool'

/** A refusal with its reason. */
const textOf = ({ status, text }: TestResponse): number | string =>
  status === 200 ? 200 : `${status} ${text.slice(0, 300)}`

/** The test causes bursts itself, so a request that waits for one of the few connections must not be refused. */
function open(url: string, pooled = true): Pool {
  const pool = openPool({ url, max: 20, pooled, random: systemRandom, onLostConnection: () => {} })
  pool.options.connectionTimeoutMillis = 30_000
  return pool
}

describe.skipIf(!hasPgBouncer())('behind PgBouncer in transaction mode (needs Debian’s pgbouncer)', () => {
  let plain: TestDatabase
  let bouncer: TestBouncer
  let pool: Pool
  let server: TestServer

  beforeAll(async () => {
    plain = await testDatabase({ bootstrapped: true })
    bouncer = await testBouncer(plain.url)
    pool = open(bouncer.url)
    server = await testServer({ db: createDatabase(pool) })
    await server.addClient(SPA)
    for (const name of ['kim', 'lee', 'dan']) await server.addUser({ email: `${name}@mail.test` })
  })
  afterAll(async () => {
    await server?.close()
    await pool?.end()
    await bouncer?.close()
    await plain?.drop()
  })

  it('signs users in, concurrently, and refreshes their tokens', async () => {
    const people = Array.from({ length: 30 }, (_, index) => ['kim', 'lee', 'dan'][index % 3])
    const answers = await Promise.all(
      people.map(async (name) => {
        const browser = server.browser()
        const state = await beginLogin(browser)
        const login = await submitPassword(browser, state, `${name}@mail.test`)
        const redeemed = await redeem(browser, locationOf(login).searchParams.get('code') ?? '')
        const refreshed = await refresh(browser, redeemed.json().refresh_token)
        const known = await userinfo(browser, refreshed.json().access_token)
        return [outcomeOf(login), textOf(redeemed), textOf(refreshed), textOf(known)]
      }),
    )
    expect(answers).toEqual(answers.map(() => ['code', 200, 200, 200]))
  })

  it('lets one of twenty finish a login, and redeem its code', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const answers = await Promise.all(Array.from({ length: 20 }, () => submitPassword(browser, state, 'kim@mail.test')))
    const codes = answers.flatMap((answer) => locationOf(answer).searchParams.get('code') ?? [])
    expect(codes).toHaveLength(1)
    const redeemed = await Promise.all(Array.from({ length: 20 }, () => redeem(browser, codes[0] ?? '')))
    expect(redeemed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(redeemed.every(({ status }) => status < 500)).toBe(true)
  })

  it('gives twenty refreshes at once the same successor', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'lee@mail.test')
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(browser, tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.json().refresh_token)).size).toBe(1)
  })

  it('counts ten wrong passwords of many at once', async () => {
    const browser = server.browser({ ip: '192.0.2.80' })
    const state = await beginLogin(browser)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => submitPassword(browser, state, 'dan@mail.test', 'wrong')),
    )
    const expected = answers.filter((answer) => locationOf(answer).searchParams.get('notice') === 'wrong_credentials')
    expect(expected).toHaveLength(10)
    expect((await signIn(server.browser(), 'dan@mail.test')).has('code')).toBe(true)
  })

  it('is migrated by several at once', async () => {
    const empty = await testDatabase({ empty: true })
    const other = await testBouncer(empty.url)
    const pools = [open(other.url), open(other.url), open(other.url)]
    const folder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))
    const applied = (await Promise.all(pools.map((each) => migrate(each, folder, { random: systemRandom })))).flat()
    // Each migration ran once, in one of the instances.
    const all = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(applied.sort()).toEqual(all.map(({ name }) => name).sort())
    await Promise.all(pools.map((each) => each.end()))
    await other.close()
    await empty.drop()
  })

  it('is cleaned up by one at a time', async () => {
    const rounds = [1, 2, 3].map(() =>
      cleanUp({ pool, clock: systemClock, keepDays: 30, dropOldDays: async () => [], deleteAccounts: async () => 0 }),
    )
    await expect(Promise.all(rounds)).resolves.toHaveLength(3)
    const { rows } = await plain.pool.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`)
    expect(rows).toEqual([])
  })

  it('is never taken for announcing changes', async () => {
    const quiet = { info: () => {}, warn: () => {} }
    const listener = createListener(pool, { clock: systemClock, random: systemRandom, log: quiet })
    listener.start()
    const traffic = Array.from({ length: 20 }, async () => {
      for (let turn = 0; turn < 20; turn++) {
        await run(pool, { name: 'one', text: 'SELECT 1' }, [])
        await sleep(20)
      }
    })
    await Promise.all(traffic)
    expect(listener.of('client').live(systemClock.now())).toBe(false)
    await listener.close()
  })

  it('is reported if the setting for it is missing', async () => {
    const forgetful = open(bouncer.url, false)
    const error = await forgetful.query('SELECT 1').catch((reason: unknown) => reason)
    expect(explainFailure(error)).toContain('LATCHKEY_DATABASE_POOLED=1')
    await forgetful.end()
  })
})
