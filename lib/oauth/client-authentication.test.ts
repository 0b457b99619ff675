import { describe, expect, it } from 'vitest'
import { type Client, type ClientAuthMethod, toClient } from '../clients/client'
import { createVault } from '../kernel/secret'
import { sampleRequest } from '../testing/samples'
import { silentTrail } from '../testing/trail'
import { authenticateClient, SECRET_PURPOSE } from './client-authentication'

const vault = createVault('a secret of at least thirty-two characters')
const SECRET = 's+e c/r%e:t&ü'

const registered = (clientId: string, method: ClientAuthMethod, secret: string | null = SECRET): Client =>
  toClient({
    clientId,
    name: clientId,
    secretDigest: secret === null ? null : vault.mac(SECRET_PURPOSE, secret),
    settings: { token_endpoint_auth_method: method },
  })

const clients = new Map(
  [
    registered('post', 'client_secret_post'),
    registered('basic', 'client_secret_basic'),
    registered('a:b c', 'client_secret_basic'),
    registered('public', 'none', null),
    registered('secretless', 'client_secret_post', null),
    toClient({ clientId: 'either', name: 'either', secretDigest: vault.mac(SECRET_PURPOSE, SECRET), settings: {} }),
    toClient({ clientId: 'open', name: 'open', secretDigest: vault.mac(SECRET_PURPOSE, SECRET), settings: {} }),
  ].map((client) => [client.clientId, client]),
)
const deps = { vault, clients: { find: async (id: string) => clients.get(id) ?? null }, trail: silentTrail }

type Sent = { body?: Record<string, string>; authorization?: string; query?: string }
const authenticate = async ({ body = {}, authorization, query }: Sent) =>
  (
    await authenticateClient(
      sampleRequest({ method: 'POST', headers: { authorization }, ...(query === undefined ? {} : { query }) }),
      body,
      deps,
    )
  ).clientId

const form = (value: string) => encodeURIComponent(value).replaceAll('%20', '+')
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${form(id)}:${form(secret)}`).toString('base64')}`

describe('each registered method', () => {
  it.each<[string, Sent, string]>([
    ['post', { body: { client_id: 'post', client_secret: SECRET } }, 'post'],
    ['basic', { authorization: basic('basic', SECRET) }, 'basic'],
    [
      'basic beside the same client_id',
      { authorization: basic('basic', SECRET), body: { client_id: 'basic' } },
      'basic',
    ],
    ['basic, both halves form-encoded', { authorization: basic('a:b c', SECRET) }, 'a:b c'],
    ['basic in another case', { authorization: basic('basic', SECRET).replace('Basic', 'bAsIc') }, 'basic'],
    ['post where nothing is registered', { body: { client_id: 'either', client_secret: SECRET } }, 'either'],
    ['basic where nothing is registered', { authorization: basic('either', SECRET) }, 'either'],
    ['none', { body: { client_id: 'public' } }, 'public'],
    ['none by a header without a password', { authorization: basic('public', '') }, 'public'],
  ])('%s', async (_name, sent, clientId) => {
    expect(await authenticate(sent)).toBe(clientId)
  })
})

describe('one answer for whatever is wrong (threat-model.md CO4)', () => {
  it.each<[string, Sent]>([
    ['an unknown client', { body: { client_id: 'nobody', client_secret: SECRET } }],
    ['an unknown public client', { body: { client_id: 'nobody' } }],
    ['an unknown client by header', { authorization: basic('nobody', SECRET) }],
    ['a wrong secret', { body: { client_id: 'post', client_secret: 'wrong' } }],
    ['a wrong secret by header', { authorization: basic('basic', 'wrong') }],
    ['a prefix of the secret', { body: { client_id: 'post', client_secret: SECRET.slice(0, -1) } }],
    ['an empty secret', { body: { client_id: 'post', client_secret: '' } }],
    ['no secret', { body: { client_id: 'post' } }],
    ['no secret where nothing is registered', { body: { client_id: 'either' } }],
    ['no client', {}],
    ['post where basic is registered', { body: { client_id: 'basic', client_secret: SECRET } }],
    ['basic where post is registered', { authorization: basic('post', SECRET) }],
    ['none where basic is registered', { body: { client_id: 'basic' } }],
    ['a secret of a client that has none', { body: { client_id: 'public', client_secret: 'x' } }],
    ['a client whose secret was never set', { body: { client_id: 'secretless', client_secret: '' } }],
    ['a client whose secret was never set, with one', { body: { client_id: 'secretless', client_secret: 'x' } }],
    ['a header that is not form-encoded', { authorization: `Basic ${Buffer.from('basic:%').toString('base64')}` }],
    ['a NUL in the header', { authorization: `Basic ${Buffer.from('%00:x').toString('base64')}` }],
    ['a header without a colon', { authorization: `Basic ${Buffer.from('basic').toString('base64')}` }],
    ['a header that is no base64', { authorization: 'Basic !!!' }],
    ['another scheme', { authorization: 'Bearer abc' }],
  ])('%s', async (_name, sent) => {
    await expect(authenticate(sent)).rejects.toMatchObject({ code: 'invalid_client', description: 'Unauthorized' })
  })
})

describe('one method per request', () => {
  it.each<[string, Sent]>([
    ['header and body', { authorization: basic('basic', SECRET), body: { client_secret: SECRET } }],
    [
      'header and body of one client',
      { authorization: basic('basic', SECRET), body: { client_id: 'basic', client_secret: SECRET } },
    ],
    ['two clients', { authorization: basic('basic', SECRET), body: { client_id: 'post' } }],
    ['a secret in the URL', { query: 'client_secret=x', body: { client_id: 'post', client_secret: SECRET } }],
    ['a right secret in the URL', { query: `client_secret=${form(SECRET)}`, body: { client_id: 'post' } }],
  ])('refuses %s', async (_name, sent) => {
    await expect(authenticate(sent)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a confidential client whose record names no method', () => {
  it.each<[string, Sent]>([
    ['post', { body: { client_id: 'open', client_secret: SECRET } }],
    ['basic', { authorization: basic('open', SECRET) }],
  ])('may use %s', async (_name, sent) => {
    expect(await authenticate(sent)).toBe('open')
  })

  it('may not come without its secret', async () => {
    await expect(authenticate({ body: { client_id: 'open' } })).rejects.toMatchObject({ code: 'invalid_client' })
  })
})
