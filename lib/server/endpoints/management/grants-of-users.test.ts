// Client grants of `subject_type: user`: what an API that requires them gives an application for its users. Such a grant gives its
// client no token of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, refresh, SPA, signInForTokens } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://stock.test'
const PATH = `/resource-servers/${encodeURIComponent(API)}`
const SECRET = 'the secret of the machine'
const ALL = 'openid offline_access read write'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials', 'password'] }
  await server.addClient({ clientId: 'machine', secret: SECRET, settings })
  await server.addApi(API, { scopes: [{ value: 'read' }, { value: 'write' }], allow_offline_access: true })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

const listOf = (answer: TestResponse): Record<string, unknown>[] => JSON.parse(answer.text)
const asMachine = (form: Record<string, string>) =>
  server
    .browser()
    .post('/oauth/token', { form: { client_id: 'machine', client_secret: SECRET, audience: API, ...form } })
const itself = () => asMachine({ grant_type: 'client_credentials' })
const byPassword = () =>
  asMachine({ grant_type: 'password', username: 'kim@mail.test', password: PASSWORD, scope: 'openid read write' })

/** Sets the policy for users, as the other instances see it. */
async function setPolicy(policy: string): Promise<void> {
  const changed = await manager.patch(PATH, { subject_type_authorization: { user: { policy } } })
  expect([changed.status, changed.json().subject_type_authorization]).toEqual([200, { user: { policy } }])
  server.clock.advance(2)
}

const tokens = () => signInForTokens(server.browser(), 'kim@mail.test', { audience: API, scope: ALL })
const refusal = async (): Promise<string | null> => {
  const query = authorizeQuery({ audience: API, scope: ALL })
  const location = locationOf(await server.browser().get('/authorize', { query }))
  return location.searchParams.get('error')
}

async function grant(clientId: string, scope: string[]): Promise<string> {
  const made = await manager.post('/client-grants', {
    client_id: clientId,
    audience: API,
    scope,
    subject_type: 'user',
  })
  expect([made.status, made.json()]).toMatchObject([201, { subject_type: 'user', scope, organization_usage: 'deny' }])
  return String(made.json().id)
}

describe('an API', () => {
  it('is open to every application, unless it is closed to users', async () => {
    expect((await tokens()).scope).toBe(ALL)
    await setPolicy('deny_all')
    expect(await refusal()).toBe('access_denied')
    await setPolicy('allow_all')
    expect(await refusal()).toBeNull()
  })

  it('an API that requires a grant gives the scopes of that grant alone, and nothing without one', async () => {
    const before = await tokens()
    await setPolicy('require_client_grant')
    expect(await refusal()).toBe('access_denied')
    expect((await byPassword()).json().error).toBe('access_denied')
    expect((await refresh(server.browser(), before.refresh_token)).json().error).toBe('invalid_grant')
    const id = await grant('spa', ['read'])
    server.clock.advance(2)
    expect((await tokens()).scope).toBe('openid offline_access read')
    const narrowed = (await refresh(server.browser(), before.refresh_token)).json()
    expect(payloadOf(String(narrowed.access_token)).scope).toBe('openid offline_access read')
    expect((await byPassword()).json().error).toBe('access_denied')
    expect((await manager.patch(`/client-grants/${id}`, { scope: ['write'] })).json().scope).toEqual(['write'])
    server.clock.advance(2)
    expect((await tokens()).scope).toBe('openid offline_access write')
    expect((await manager.remove(`/client-grants/${id}`)).status).toBe(204)
    server.clock.advance(2)
    expect(await refusal()).toBe('access_denied')
  })

  it('an API that is closed to applications gives them no token, whatever their grants', async () => {
    const own = await manager.post('/client-grants', { client_id: 'machine', audience: API, scope: ['read'] })
    const setClients = async (policy: string) => {
      const changed = await manager.patch(PATH, { subject_type_authorization: { client: { policy } } })
      server.clock.advance(2)
      return changed.status
    }
    expect([await setClients('deny_all'), (await itself()).status, (await tokens()).scope]).toEqual([200, 403, ALL])
    expect([await setClients('require_client_grant'), (await itself()).status]).toEqual([200, 200])
    expect(await setClients('allow_all')).toBe(400)
    await manager.remove(`/client-grants/${own.json().id}`)
    await setPolicy('require_client_grant')
  })
})

describe('a grant for users', () => {
  it('gives the client no token of its own, and stands beside its own grant', async () => {
    const id = await grant('machine', ['read'])
    expect((await itself()).status).toBe(403)
    expect((await byPassword()).json().scope).toBe('openid read')
    const own = await manager.post('/client-grants', { client_id: 'machine', audience: API, scope: ['write'] })
    server.clock.advance(2)
    expect((await itself()).json().scope).toBe('write')
    const idsOf = async (query: Record<string, string>) =>
      listOf(await manager.get('/client-grants', { query: { audience: API, ...query } })).map(({ id }) => id)
    expect(await idsOf({})).toEqual([own.json().id, id])
    expect(await idsOf({ subject_type: 'user' })).toEqual([id])
    expect(await idsOf({ page: '1', per_page: '1' })).toEqual([id])
    const all = [own.json().id, id].sort()
    const piece = (await manager.get('/client-grants', { query: { audience: API, take: '1' } })).json()
    const more = { audience: API, take: '1', from: String(piece.next) }
    const rest = (await manager.get('/client-grants', { query: more })).json()
    const found = [piece, rest].flatMap(({ client_grants }) => client_grants as Record<string, unknown>[])
    expect(found.map((grant) => grant.id)).toEqual(all)
  })

  it.each([
    ['taken', 409, { scope: [] }],
    ['of no client', 404, { client_id: 'none' }],
    ['of an unknown scope', 400, { scope: ['none'] }],
    ['for organizations', 400, { organization_usage: 'allow' }],
    ['of a built-in API', 400, { audience: 'https://id.test/api/v2/', scope: [] }],
    ['of another subject', 400, { subject_type: 'group' }],
  ])('is refused where it is %s', async (_what, status, more) => {
    const body = { client_id: 'machine', audience: API, subject_type: 'user', ...more }
    expect((await manager.post('/client-grants', body)).status).toBe(status)
  })

  it('keeps its subject, and ends with its client', async () => {
    const [grant] = listOf(await manager.get('/client-grants', { query: { subject_type: 'user' } }))
    const id = String(grant?.id)
    expect((await manager.patch(`/client-grants/${id}`, { subject_type: 'client' })).status).toBe(400)
    expect((await manager.remove('/clients/machine')).status).toBe(204)
    expect((await manager.get(`/client-grants/${id}`)).status).toBe(404)
  })
})
