import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { temporarilyUnavailable } from '../../kernel/errors'
import { cutOff } from '../../testing/database'
import { type LogLine, recordingLog, type TestServer, testServer } from '../../testing/server'
import { createOutages } from './outages'

const away = (code: string, message: string) =>
  temporarilyUnavailable('The service is temporarily unavailable', {
    cause: Object.assign(new Error(message), { code }),
  })

function watching() {
  const lines: LogLine[] = []
  const clock = fixedClock()
  return { lines, clock, outages: createOutages({ clock, log: recordingLog(lines) }) }
}

it('names each cause once a minute, at warn', () => {
  const { lines, clock, outages } = watching()
  for (let request = 0; request < 100; request++) outages.report(away('53100', 'no space'), { endpoint: 'oauth.token' })
  outages.report(away('25006', 'read-only'), {})
  expect(lines.map(({ level, fields }) => [level, (fields.err as Error).message])).toEqual([
    ['warn', 'no space'],
    ['warn', 'read-only'],
  ])
  expect(lines[0]?.fields).toMatchObject({ endpoint: 'oauth.token' })
  clock.advance(60)
  outages.report(away('53100', 'no space'), {})
  expect(lines).toHaveLength(3)
})

it('looks behind several addresses that were tried, and says what has no cause', () => {
  const { lines, outages } = watching()
  const tried = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED')])
  outages.report(temporarilyUnavailable('away', { cause: tried }), {})
  outages.report(temporarilyUnavailable('busy', { detail: 'the queue is full' }), {})
  expect(lines.map(({ fields }) => (fields.err as Error).message)).toEqual([
    'connect ECONNREFUSED ::1:5432',
    'the queue is full',
  ])
})

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.lines.length = 0
})

it('is logged of requests that met it', async () => {
  await server.runtime()
  const gone = cutOff(server.database.pool, Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  const refusals = [1, 2, 3].map(() => server.browser().get('/authorize', { query: { client_id: 'nobody' } }))
  expect((await Promise.all(refusals)).map(({ status }) => status)).toEqual([503, 503, 503])
  gone.mockRestore()
  const warnings = server.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.fields).toMatchObject({ endpoint: 'authorize', err: { code: 'ECONNREFUSED' } })
})
