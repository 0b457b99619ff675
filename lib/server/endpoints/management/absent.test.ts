// Features of the vendor's that do not exist here: the vendor's tools must be able to go on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { absent } from '../../../management/resources/absent'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const get = async (path: string, query: Record<string, string> = {}): Promise<unknown> => {
  const answer = await manager.get(path, { query })
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text)
}

describe('a list of what does not exist here', () => {
  it.each([
    ['/flows/vault/connections', 'connections'],
    ['/event-streams', 'eventStreams'],
    ['/prompts/rendering', 'configs'],
    ['/keys/encryption', 'keys'],
  ])('%s is empty in the shape that the query asks for', async (path, key) => {
    expect(await get(path)).toEqual([])
    expect(await get(path, { page: '0', per_page: '100', include_totals: 'true' })).toEqual({
      start: 0,
      limit: 100,
      length: 0,
      total: 0,
      [key]: [],
    })
    expect(await get(path, { take: '50' })).toEqual({ [key]: [] })
  })

  it('has no entry under any id', async () => {
    expect((await manager.get('/custom-domains/cd_1')).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_custom_domain',
    })
  })
})

it('refuses every change in the sentence after which the vendor’s tools go on', async () => {
  const changes = absent.filter(({ method, name }) => method !== 'GET' || !/\.(list|read)$/.test(name))
  expect(changes.length).toBeGreaterThan(30)
  for (const { method, path, scopes } of changes) {
    const answer = await manager.send(method, path.replace(':id', 'x'), method === 'GET' ? {} : { json: { any: 1 } })
    expect(answer.json(), `${method} ${path}`).toMatchObject({
      statusCode: 403,
      errorCode: 'insufficient_scope',
      message: `Insufficient scope, expected any of: ${scopes.join(',')}`,
    })
  }
})
