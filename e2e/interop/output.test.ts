// After its start a server writes only its log: one JSON object per line.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServerProcess, startServer } from './support/server-process'
import { type SharedDatabase, shareServedDatabase } from './support/shared-database'

let database: SharedDatabase
let server: ServerProcess

beforeAll(async () => {
  database = await shareServedDatabase()
  server = await startServer({ ...database.settings, LATCHKEY_LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await database?.remove()
})

it('consists of log records only, also after Next has started', async () => {
  const startLines = server.output().length
  // A path of Next's, whose process starts with it.
  expect((await fetch(`${server.url}/dev/outbox`)).status).toBe(404)
  expect((await fetch(`${server.url}/userinfo`)).status).toBe(401)
  await expect.poll(server.output).toContain('"endpoint":"userinfo"')
  const lines = server.output().slice(startLines).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
})
