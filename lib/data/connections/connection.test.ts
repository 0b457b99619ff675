import { describe, expect, it } from 'vitest'
import { sampleClient, sampleConnection } from '../../testing/samples'
import { type Connection, chooseDatabase, chooseRealm, settingsOf, toConnection } from './connection'
import { DATABASE } from './database-options'
import { SAMLP } from './saml-options'
import { PROVIDERS, type ProviderStrategy } from './upstream/providers'
import { ADFS } from './wsfed-options'

const connection = (name: string, settings: Record<string, unknown> = {}) =>
  sampleConnection<Connection>(DATABASE, settings, name)
const own = sampleClient({}, 'own')
const stranger = sampleClient({ is_first_party: false }, 'stranger')
const nameFor = (client: typeof own, ...connections: ReturnType<typeof connection>[]) =>
  chooseDatabase(connections, client, undefined, undefined)?.name

describe('the clients that may use a connection', () => {
  it('all clients may use a connection that lists no client; otherwise only the listed clients may', () => {
    expect([nameFor(own, connection('A')), nameFor(stranger, connection('A'))]).toEqual(['A', 'A'])
    const listed = connection('A', { enabled_clients: ['own'] })
    expect([nameFor(own, listed), nameFor(stranger, listed)]).toEqual(['A', undefined])
  })

  it('exclude dynamically registered clients, unless listed or the connection is open to the whole domain', () => {
    const registered = { ...stranger, isRegistered: true }
    expect(nameFor(registered, connection('A'))).toBeUndefined()
    expect(chooseRealm([connection('A')], registered, 'A')).toBeNull()
    expect(nameFor(registered, connection('A', { enabled_clients: ['stranger'] }))).toBe('A')
    expect(nameFor(registered, connection('A', { is_domain_connection: true }))).toBe('A')
  })

  it('a domain connection admits every third party, and no first-party application that is not listed', () => {
    const domain = connection('A', { enabled_clients: ['other'], is_domain_connection: true })
    expect([nameFor(own, domain), nameFor(stranger, domain)]).toEqual([undefined, 'A'])
    expect(chooseRealm([domain], stranger, 'A')?.name).toBe('A')
    expect(chooseRealm([domain], own, 'A')).toBeNull()
  })
})

it('is the one that is named, or the default, or the first', () => {
  const all = [connection('A'), connection('B')]
  expect(chooseDatabase(all, own, 'B', 'A')?.name).toBe('B')
  expect(chooseDatabase(all, own, 'C', 'A')).toBeNull()
  expect(chooseDatabase(all, own, undefined, 'B')?.name).toBe('B')
  expect(chooseDatabase(all, own, undefined, 'C')?.name).toBe('A')
})

it('is a database, even if a connection of another strategy is named or comes first', () => {
  const all = [sampleConnection<Connection>('google-oauth2'), connection('A')]
  expect(chooseDatabase(all, own, 'google-oauth2', undefined)).toBeNull()
  expect(chooseDatabase(all, own, undefined, 'google-oauth2')?.name).toBe('A')
})

/** One option of each strategy that the strategies after it do not have. */
const OPTIONS = {
  [DATABASE]: { requires_username: true },
  email: { send: 'link' },
  sms: { countries: ['DE'] },
  [SAMLP]: { metadataUrl: 'https://idp.test/metadata' },
  [ADFS]: { adfs_server: 'adfs.test' },
  waad: { waad_protocol: 'ws-federation' },
  oidc: { issuer: 'https://idp.test' },
} as const

const strategies = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]
const optionsOf = (strategy: Connection['strategy'], options: object) =>
  sampleConnection<Connection>(strategy, { options }).settings.options

describe('the options of a connection', () => {
  const providers = Object.keys(PROVIDERS) as ProviderStrategy[]

  it('are defined for every provider', () => {
    expect(providers.length).toBeGreaterThan(20)
    for (const strategy of providers) {
      expect(Object.keys(settingsOf(strategy).shape.options.unwrap().shape)).toContain('client_id')
      expect(optionsOf(strategy, { client_id: 'us' })).toMatchObject({ client_id: 'us' })
    }
  })

  it.each(strategies)('are those of the strategy %s, with their defaults', (strategy) => {
    expect(optionsOf(strategy, OPTIONS[strategy])).toMatchObject(OPTIONS[strategy])
    expect(optionsOf(strategy, {})).toMatchObject({ disable_signup: false })
  })

  it.each(strategies)('of %s leave out what only another strategy has', (strategy) => {
    const known = Object.keys(settingsOf(strategy).shape.options.unwrap().shape)
    const foreign = Object.assign({}, ...Object.values(OPTIONS)) as Record<string, unknown>
    const names = Object.keys(foreign).filter((name) => !known.includes(name))
    expect(names.length).toBeGreaterThanOrEqual(strategies.length - 2)
    const options = optionsOf(strategy, foreign)
    for (const name of names) expect(options).not.toHaveProperty(name)
  })

  it('of another strategy are not validated either', () => {
    expect(optionsOf('email', { requires_username: 'no', countries: 7, metadataUrl: [] })).toMatchObject({
      send: 'code',
    })
  })

  it.each<[string, object]>([
    ['an algorithm without a signature', { id_token_signed_response_algs: ['none'] }],
    ['a symmetric algorithm', { id_token_signed_response_algs: ['HS256'] }],
    ['invalid metadata', { oidc_metadata: { jwks_uri: 'ftp://idp.test/keys' } }],
    ['metadata with an invalid list', { oidc_metadata: { id_token_signing_alg_values_supported: 'RS256' } }],
    ['a header with a line break', { customHeaders: { 'X-Key': 'a\r\nHost: evil.test' } }],
    ['a header with an invalid name', { customHeaders: { 'X Key': 'a' } }],
    ['a header that frames the message', { customHeaders: { 'Transfer-Encoding': 'chunked' } }],
    ['a header that names another host', { customHeaders: { host: 'evil.test' } }],
    ['a logout by script', { logoutUrl: 'javascript:alert(1)' }],
    ['an algorithm that signs nothing here', { token_endpoint_auth_signing_alg: 'RS512' }],
    ['an invalid way to authenticate', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['an invalid way to map', { attribute_map: { mapping_mode: 'some' } }],
  ])('are refused with %s', (_, options) => {
    const schema = settingsOf('oidc').shape.options
    expect(schema.safeParse({ client_id: 'us' }).success).toBe(true)
    expect(schema.safeParse({ client_id: 'us', ...options }).success).toBe(false)
  })

  it('hold no secret, which is sealed beside the settings', () => {
    const sealed = { client_secret: 'c2VhbGVk' }
    const made = sampleConnection<Connection>('google-oauth2', { options: { client_secret: 'clear' }, sealed })
    expect(made.sealed).toEqual(sealed)
    expect(made.settings).not.toHaveProperty('sealed')
    expect(made.settings.options).not.toHaveProperty('client_secret')
    expect(sampleConnection<Connection>('google-oauth2').sealed).toEqual({})
  })
})

it.each(['ldap', '', 'toString', '__proto__', 'AUTH0'])('is undefined if its strategy is %j', (strategy) => {
  expect(toConnection({ id: 'con', name: 'Other', strategy, settings: { options: { a: 1 } } })).toBeNull()
})
