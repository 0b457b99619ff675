import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/database'
import { openPool } from './pool'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  pool = openPool({ url: database.url, max: 2, pooled: false, onLostConnection: () => {} })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

it('outlives a connection that is lost between two statements of a transaction', async () => {
  const client = await pool.connect()
  await client.query('BEGIN')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const died: unknown[] = []
  const onDeath = (error: unknown): void => void died.push(error)
  process.on('uncaughtExceptionMonitor', onDeath)
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await sleep(100)
  process.off('uncaughtExceptionMonitor', onDeath)
  expect(died).toEqual([])

  await expect(client.query('SELECT 1')).rejects.toThrow()
  client.release(true)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})
