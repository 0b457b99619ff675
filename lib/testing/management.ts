// Calls of the Management API in endpoint tests: a client with a grant, its tokens, and requests with them.
import { managementAudience } from '../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../data/apis/management-scopes'
import type { TestRequest, TestResponse } from './browser'
import { BASE_URL } from './database'
import type { TestServer } from './server'

export const MANAGER = 'manager'

/** Those of the vendor: its tools cannot ask for ours. */
export const VENDOR_SCOPES: readonly string[] = [...MANAGEMENT_SCOPES.keys()].filter(
  (scope) =>
    !/:(administrators|login_shares|login_tests)$/.test(scope) &&
    !['read:password_hashes', 'read:logins'].includes(scope),
)
export const MANAGER_SECRET = 'the secret of the manager'

export type Manager = {
  /** A token with these scopes; all of them without an argument. */
  token(scopes?: readonly string[]): Promise<string>
  /** A request below /api/v2 with a token of all scopes, or with the given one. */
  send(method: string, path: string, ask?: TestRequest & { token?: string }): Promise<TestResponse>
  get(path: string, ask?: TestRequest & { token?: string }): Promise<TestResponse>
  post(path: string, json: unknown): Promise<TestResponse>
  patch(path: string, json: unknown, headers?: Record<string, string>): Promise<TestResponse>
  put(path: string, json: unknown): Promise<TestResponse>
  remove(path: string, json?: unknown): Promise<TestResponse>
}

/** Adds a client with a grant of these scopes: `manager`, which may do everything, unless others are named. */
export async function addManager(
  server: TestServer,
  {
    clientId = MANAGER,
    granted = [...MANAGEMENT_SCOPES.keys()],
  }: { clientId?: string; granted?: readonly string[] } = {},
): Promise<Manager> {
  const audience = managementAudience(BASE_URL)
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'] }
  await server.addClient({ clientId, secret: MANAGER_SECRET, settings })
  await server.addClientGrant(clientId, audience, [...granted])
  const token = async (scopes?: readonly string[]): Promise<string> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: MANAGER_SECRET, audience }
    const answer = await server.browser().post('/oauth/token', { form: { ...form, scope: scopes?.join(' ') } })
    return String(answer.json().access_token)
  }
  let whole: Promise<string> | undefined
  const send: Manager['send'] = async (method, path, { token: own, ...ask } = {}) => {
    whole ??= token()
    const authorization = `Bearer ${own ?? (await whole)}`
    return server.browser().send(method, `/api/v2${path}`, { ...ask, headers: { authorization, ...ask.headers } })
  }
  return {
    token,
    send,
    get: (path, ask) => send('GET', path, ask),
    post: (path, json) => send('POST', path, { json }),
    patch: (path, json, headers = {}) => send('PATCH', path, { json, headers }),
    put: (path, json) => send('PUT', path, { json }),
    remove: (path, json) => send('DELETE', path, json === undefined ? {} : { json }),
  }
}

/** The members that the last change reported as without effect. */
export async function lastReported(server: TestServer): Promise<string[]> {
  const changes = (await server.audited()).map(({ details }) => details as { change?: string; not_applied?: string[] })
  return changes.filter(({ change }) => change !== undefined).at(-1)?.not_applied ?? []
}
