// The paths that people and managers share: whose token it is decides which of the two a request is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { type HttpMethod, METHODS } from '../../../http/endpoint'
import { OPERATIONS } from '../../../management'
import { BASE_URL } from '../../../testing/database'
import { SPA, signInForTokens } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { ENDPOINTS } from '..'

const AUDIENCE = managementAudience(BASE_URL)
const ID = encodeURIComponent('auth0|kim')

const shapeOf = (path: string): string => path.replace(/:\w+/g, ':')
const operationOf = (path: string, method: string) =>
  OPERATIONS.find((each) => each.method === method && shapeOf(`/api/v2${each.path}`) === shapeOf(path))

/** Each operation at a path that has an endpoint of its own. */
const SHARED = Object.keys(ENDPOINTS)
  .filter((path) => path.startsWith('/api/v2/') && !path.endsWith('*'))
  .flatMap((path) => METHODS.flatMap((method) => (operationOf(path, method) ? [[method, path] as const] : [])))

let server: TestServer
let manager: Manager
let none: string

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addRole('Statisticians', { [AUDIENCE]: ['read:stats'] })
  await server.giveRole('auth0|kim', 'Statisticians')
  none = await (await addManager(server, { clientId: 'without', granted: [] })).token()
})
afterAll(() => server.close())

const ask = (method: HttpMethod, path: string, token: string) =>
  manager.send(method, path.slice('/api/v2'.length).replace(/:\w+/g, ID), { token })

const person = async (scope: string): Promise<string> => {
  const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { audience: AUDIENCE, scope })
  return String(tokens.access_token)
}

describe('a path that people and managers share', () => {
  it('is one of those of users and of device credentials', () => {
    expect(SHARED.map(([method, path]) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['GET /api/v2/users/:id', 'GET /api/v2/device-credentials', 'DELETE /api/v2/users/:id']),
    )
  })

  it.each(SHARED)('at %s %s refuses a client’s token without a fitting scope as a manager’s', async (method, path) => {
    const tokens = { none, 'read:stats': await manager.token(['read:stats']) }
    for (const [scopes, token] of Object.entries(tokens)) {
      const answer = await ask(method, path, token)
      expect([scopes, answer.status, answer.json().errorCode]).toEqual([scopes, 403, 'insufficient_scope'])
      expect(answer.json().message).toContain('Insufficient scope, expected any of: ')
    }
  })

  it.each(SHARED)('at %s %s refuses a person’s token with a manager’s scope as a manager’s', async (method, path) => {
    const answer = await ask(method, path, await person('openid read:current_user read:stats'))
    expect([answer.status, answer.json().errorCode]).toEqual([403, 'insufficient_scope'])
  })

  it.each(SHARED)('at %s %s refuses a personal token without a fitting scope with 403', async (method, path) => {
    const answer = await ask(method, path, await person('openid update:current_user_metadata'))
    const isOwn = method === 'PATCH' && path === '/api/v2/users/:id'
    expect(answer.status).toBe(isOwn ? 400 : 403)
  })
})

it('a personal token still reads its person’s own record', async () => {
  const answer = await ask('GET', '/api/v2/users/:id', await person('openid read:current_user'))
  expect([answer.status, answer.json().user_id]).toEqual([200, 'auth0|kim'])
})
