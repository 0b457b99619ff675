// Complete domain values for pure tests; a test overrides the members that matter to it.
import { type Api, type apiSettings, toApi } from '../data/apis/api'
import { type Client, type clientSettings, toClient } from '../data/clients/client'
import { type Connection, toConnection } from '../data/connections/connection'
import type { User } from '../data/users/user'
import type { HttpRequest } from '../http/message'
import type { LoginState } from '../login/login-state'
import type { Wants } from '../login/transaction'
import type { TokenFamily } from '../tokens/family'

type Input<Schema extends { _zod: { input: unknown } }> = Schema['_zod']['input']

export const NOW = new Date('2027-01-15T08:00:00.000Z')

export const sampleClient = (settings: Input<typeof clientSettings> = {}, clientId = 'app'): Client =>
  toClient({ clientId, name: 'App', secretDigest: null, settings })

export const sampleApi = (settings: Input<typeof apiSettings> = {}, identifier = 'https://api.test'): Api =>
  toApi({ identifier, name: 'API', settings })

/** As it is read from the store; named after its strategy. */
export function sampleConnection<C extends Connection>(
  strategy: C['strategy'],
  settings: Record<string, unknown> = {},
  name: string = strategy,
): C {
  const connection = toConnection({ id: `con_${name}`, name, strategy, settings })
  if (connection === null) throw new Error(`there is no strategy ${strategy}`)
  return connection as C
}

export const sampleUser = (over: Partial<User> = {}): User => ({
  id: 'auth0|kim',
  email: 'kim@mail.test',
  emailVerified: true,
  recoveryEpoch: '0',
  factorWantedAt: null,
  username: null,
  phoneNumber: null,
  phoneVerified: false,
  name: 'Kim',
  givenName: null,
  familyName: null,
  nickname: null,
  picture: null,
  profile: {},
  userMetadata: {},
  appMetadata: {},
  blocked: false,
  updatedAt: NOW,
  ...over,
})

export const sampleWants = (over: Partial<Wants> = {}): Wants => ({
  clientId: 'app',
  redirectUri: 'https://app.test/cb',
  scopes: ['openid'],
  audience: null,
  prompt: [],
  maxAge: null,
  acrValues: [],
  connection: null,
  loginHint: null,
  subject: null,
  screenHint: null,
  uiLocales: null,
  organization: null,
  ...over,
})

/** No user is signed in and no decision was made. */
export const sampleState = ({ wants, ...over }: Partial<Omit<LoginState, 'wants'>> & { wants?: Partial<Wants> } = {}) =>
  ({
    wants: sampleWants(wants),
    client: sampleClient(),
    api: null,
    organization: null,
    organizationProblem: null,
    acrUnattainable: false,
    membership: null,
    choices: null,
    invitation: null,
    connections: [],
    databases: [],
    passwordless: [],
    link: null,
    federated: [],
    identifierFirst: false,
    otherWays: [],
    user: null,
    evidence: [],
    decisions: {},
    remembered: [],
    agreed: null,
    mfa: null,
    now: NOW,
    ...over,
  }) satisfies LoginState

export const sampleFamily = (over: Partial<TokenFamily> = {}): TokenFamily => ({
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  clientId: 'app',
  userId: 'auth0|kim',
  scopes: ['openid', 'offline_access'],
  audience: null,
  sid: 'the-sid',
  authentication: null,
  gty: null,
  generation: 0,
  rotatedAt: null,
  earlierRotations: [],
  idleExpiresAt: new Date('2027-02-01T00:00:00.000Z'),
  expiresAt: new Date('2027-03-01T00:00:00.000Z'),
  revokedAt: null,
  createdAt: new Date('2026-10-02T12:00:00Z'),
  metadata: null,
  ...over,
})

export const sampleRequest = (
  over: Partial<Omit<HttpRequest, 'query' | 'search'>> & { query?: string } = {},
): HttpRequest => ({
  id: 'r1',
  method: 'GET',
  path: '/',
  params: {},
  headers: {},
  body: new Uint8Array(),
  ip: '198.51.100.7',
  ...over,
  query: new URLSearchParams(over.query),
  search: over.query ?? '',
})
