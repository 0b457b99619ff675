// Every operation of the Management API gets random paths, queries and bodies: no answer is a server error, and no secret is logged.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPERATIONS } from '../../../management'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const RUNS = 1500

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 1_000_000, per_minute: 1_000_000 } } } })
})
afterAll(() => server.close())

/** Values that a handler may meet in place of any other. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    true,
    -1,
    1e21,
    [],
    {},
    '\0',
    '%00',
    '__proto__',
    "'; DROP TABLE client; --",
    '🐘'.repeat(50),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

const NAMES = [
  ...'name description id client_id client_secret identifier audience scope scopes strategy options settings'.split(
    ' ',
  ),
  ...'permissions users enabled_clients callbacks grant_types jwt_configuration refresh_token fields page take'.split(
    ' ',
  ),
  ...'constructor __proto__ toString hasOwnProperty'.split(' '),
]

const members = fc.dictionary(fc.constantFrom(...NAMES), odd, { maxKeys: 8 })
/** Without dot segments, which every client resolves before it sends a URL. */
const segment = fc.oneof(
  fc.constantFrom('none', '%2F', '%252F', '%00', '%E0%A4', 'a|b'),
  fc.string({ maxLength: 30 }).filter((text) => !/^\.{1,2}$|^$/.test(text)),
)

const request = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
  query: fc.dictionary(
    fc.constantFrom('page', 'per_page', 'take', 'from', 'fields', 'q', 'sort', 'strategy[0]', 'email'),
    fc.string(),
  ),
  body: fc.oneof(members, members, odd),
})

it('survives whatever is sent', async () => {
  const property = fc.asyncProperty(request, async ({ operation, segments, query, body }) => {
    let index = 0
    const path = operation.path.replace(
      /:\w+/g,
      () => encodeURIComponent((segments[index++] ?? 'x').toWellFormed()) || 'x',
    )
    const json = operation.method === 'GET' ? {} : { json: JSON.stringify(body) ?? 'null' }
    const answer = await manager.send(operation.method, path, { query, ...json })
    expect(answer.status, `${operation.method} ${path} ${answer.text}`).toBeLessThan(500)
    expect(answer.text).not.toMatch(/node_modules|PrismaClient|syntax error at/)
  })
  await fc.assert(property, { numRuns: RUNS, seed: 20261122, interruptAfterTimeLimit: 40_000 })
}, 60_000)

it('the run logged no unexpected condition', () => {
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
})
