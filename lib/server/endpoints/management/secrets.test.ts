// Secrets in the Management API: who sees them, when they work, and that they are nowhere in the clear.
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openValues } from '../../../data/connections/upstream/secrets'
import { makeClientKey } from '../../../testing/client-key'
import { addManager, type Manager } from '../../../testing/management'
import { makePartner } from '../../../testing/saml'
import { statementsOf } from '../../../testing/sent-statements'
import { type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const tokenAnswer = (client_id: string, client_secret: string) =>
  server
    .browser()
    .post('/oauth/token', { form: { grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE } })

describe('the secret of a client', () => {
  it('is shown when it is made, and later to readers of client keys alone', async () => {
    const made = await manager.post('/clients', { name: 'Machine', app_type: 'non_interactive' })
    const { client_id, client_secret } = made.json() as { client_id: string; client_secret: string }
    expect(client_secret).toMatch(/^[\w-]{64}$/)
    expect((await manager.get(`/clients/${client_id}`)).json().client_secret).toBe(client_secret)
    const token = await manager.token(['read:clients'])
    expect((await manager.get(`/clients/${client_id}`, { token })).json()).not.toHaveProperty('client_secret')
  })

  it('is looked up once for a whole list, and reads without a secret look up no rank', async () => {
    await server.addClient({ clientId: 'secretless', settings: { app_type: 'spa' } })
    const user = await server.addUser({ email: 'read@example.com' })
    for (const name of ['One', 'Two']) await manager.post('/clients', { name, app_type: 'non_interactive' })
    const token = await manager.token(['read:clients', 'read:client_keys', 'read:users', 'read:user_idp_tokens'])
    const looked = async (path: string) => {
      const names = await statementsOf(server.database.pool, () => manager.get(path, { token }))
      return names.filter((name) => name === 'rank-holdings').length
    }
    const paths = ['/clients', '/clients/secretless', `/users/${encodeURIComponent(user)}`, '/users']
    const counts: number[] = []
    for (const path of paths) counts.push(await looked(path))
    expect(counts).toEqual([1, 0, 0, 0])
  })

  it('works at the token endpoint until it is rotated', async () => {
    const made = (await manager.post('/clients', { name: 'Rotated', app_type: 'non_interactive' })).json()
    const [id, before] = [String(made.client_id), String(made.client_secret)]
    await manager.post('/client-grants', { client_id: id, audience: AUDIENCE, scope: ['read:roles'] })
    expect((await tokenAnswer(id, before)).status).toBe(200)
    const rotated = await manager.send('POST', `/clients/${id}/rotate-secret`)
    expect(rotated.status).toBe(200)
    const after = String(rotated.json().client_secret)
    expect(after).not.toBe(before)
    expect([(await tokenAnswer(id, before)).status, (await tokenAnswer(id, after)).status]).toEqual([401, 200])
  })

  it('is not rotated by a token that may only change settings', async () => {
    const token = await manager.token(['update:clients'])
    expect((await manager.send('POST', '/clients/none/rotate-secret', { token })).status).toBe(403)
  })

  it('is refused when it is short', async () => {
    const answer = await manager.post('/clients', { name: 'Short', client_secret: 'too short' })
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('cannot be deleted by itself: a client keeps its own way in', async () => {
    expect((await manager.remove('/clients/manager')).status).toBe(400)
  })
})

describe('a public key of a client', () => {
  const { pem, privatePem } = makeClientKey()

  it('of a certificate expires with it, where the credential says so', async () => {
    const { certificatePem } = await makePartner()
    const { client_id } = (await manager.post('/clients', { name: 'Certified' })).json()
    const add = async (more: object) => {
      const body = { credential_type: 'public_key', pem: certificatePem, ...more }
      return (await manager.post(`/clients/${client_id}/credentials`, body)).json()
    }
    const end = new Date(new X509Certificate(certificatePem).validTo).toISOString()
    expect(await add({ parse_expiry_from_cert: true })).toMatchObject({ expires_at: end })
    expect(await add({ parse_expiry_from_cert: false })).not.toHaveProperty('expires_at')
  })

  it('becomes a credential, which the method names by its id', async () => {
    const made = (
      await manager.post('/clients', {
        name: 'Keyed',
        client_authentication_methods: {
          private_key_jwt: { credentials: [{ credential_type: 'public_key', pem }] },
        },
      })
    ).json() as Record<string, never>
    const id = String(made.client_id)
    const [named] = (
      made.client_authentication_methods as unknown as { private_key_jwt: { credentials: [{ id: string }] } }
    ).private_key_jwt.credentials
    expect(named.id).toMatch(/^cred_/)
    const listed = (await manager.get(`/clients/${id}/credentials`)).json() as unknown as Record<string, unknown>[]
    expect(listed).toMatchObject([{ id: named.id, credential_type: 'public_key', alg: 'RS256' }])
    const client = await (await server.runtime()).clients.find(id)
    expect(client?.authMethod).toBe('private_key_jwt')
    expect((await manager.remove(`/clients/${id}/credentials/${named.id}`)).status).toBe(204)
    expect((await manager.get(`/clients/${id}/credentials`)).json()).toEqual([])
  })

  it('is registered first and named later, and expires when it says', async () => {
    const id = String((await manager.post('/clients', { name: 'Later' })).json().client_id)
    const credential = (await manager.post(`/clients/${id}/credentials`, { credential_type: 'public_key', pem })).json()
    expect(credential).not.toHaveProperty('pem')
    const method = { client_authentication_methods: { private_key_jwt: { credentials: [{ id: credential.id }] } } }
    expect((await manager.patch(`/clients/${id}`, { token_endpoint_auth_method: null, ...method })).status).toBe(200)
    const changed = await manager.patch(`/clients/${id}/credentials/${credential.id}`, {
      expires_at: '2030-01-01T00:00:00Z',
    })
    expect(changed.json()).toMatchObject({ id: credential.id, expires_at: '2030-01-01T00:00:00Z' })
    const unknown = { client_authentication_methods: { private_key_jwt: { credentials: [{ id: 'cred_other' }] } } }
    expect((await manager.patch(`/clients/${id}`, unknown)).status).toBe(400)
  })

  it.each([
    ['a private key', privatePem],
    ['no key', 'pem'],
  ])('is refused when it is %s', async (_what, refused) => {
    const id = String((await manager.post('/clients', { name: 'Refused' })).json().client_id)
    const answer = await manager.post(`/clients/${id}/credentials`, { credential_type: 'public_key', pem: refused })
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })
})

describe('the secret of a connection', () => {
  const GOOGLE = {
    name: 'Google',
    strategy: 'google-oauth2',
    options: { client_id: 'ours', client_secret: 'of the provider' },
  }

  it('is masked, and the mask keeps it', async () => {
    const made = (await manager.post('/connections', GOOGLE)).json()
    expect(made.options).toMatchObject({ client_id: 'ours', client_secret: '********' })
    const read = (await manager.get(`/connections/${made.id}`)).json()
    await manager.patch(`/connections/${made.id}`, { options: read.options })
    const before = await sealedOf(String(made.id))
    expect(before).toBeDefined()
    await manager.patch(`/connections/${made.id}`, { options: { client_id: 'ours', client_secret: 'another one' } })
    expect(await sealedOf(String(made.id))).not.toEqual(before)
  })

  it('may be in the headers of a token request, which are masked one by one', async () => {
    const headers = async (id: unknown, customHeaders?: object) => {
      const options = { client_id: 'ours', ...(customHeaders && { customHeaders }) }
      const answer = await manager.patch(`/connections/${id}`, { options })
      return answer.status === 200 ? (answer.json().options as Record<string, unknown>).customHeaders : answer.json()
    }
    const options = { client_id: 'ours', customHeaders: { 'X-Key': 'of the provider', Authorization: 'Basic eA==' } }
    const made = (await manager.post('/connections', { name: 'Own', strategy: 'oauth2', options })).json()
    expect(made.options).toMatchObject({ customHeaders: { 'X-Key': '********', Authorization: '********' } })
    const before = (await sealedOf(String(made.id))) as Record<string, string>
    expect(openValues('customHeaders', before, server.vault)).toEqual(options.customHeaders)
    expect(await headers(made.id, { 'X-Key': '********', 'X-New': 'y' })).toEqual({
      'X-Key': '********',
      'X-New': '********',
    })
    const after = (await sealedOf(String(made.id))) as Record<string, string>
    expect(openValues('customHeaders', after, server.vault)).toEqual({ 'X-Key': 'of the provider', 'X-New': 'y' })
    for (const value of ['a\r\nHost: evil.test', 7])
      expect(await headers(made.id, { 'X-Key': value })).toMatchObject({
        statusCode: 400,
        message: expect.stringContaining('customHeaders'),
      })
    expect(
      openValues('customHeaders', (await sealedOf(String(made.id))) as Record<string, string>, server.vault),
    ).toEqual({
      'X-Key': 'of the provider',
      'X-New': 'y',
    })
    expect(await headers(made.id)).toBeUndefined()
    expect(await sealedOf(String(made.id))).toBeUndefined()
  })

  const sealedOf = async (id: string): Promise<unknown> => {
    const prisma = await server.db.prisma()
    const row = await prisma.connection.findFirst({ where: { id } })
    return (row?.settings as { sealed?: unknown } | undefined)?.sealed
  }
})

it('no secret is in the database or in the log in the clear', async () => {
  const secret = 'a secret that must not appear'
  const addons = { samlp: { signingKey: secret, signing: { decryptionKey: secret } } }
  await manager.post('/clients', { name: 'Hidden', app_type: 'regular_web', client_secret: secret, addons })
  await manager.post('/connections', {
    name: 'Hidden',
    strategy: 'google-oauth2',
    options: { client_id: 'ours', client_secret: secret, twilio_token: secret },
  })
  const tables = ['client', 'connection', 'document', 'audit_record']
  await server.audited()
  for (const table of tables) {
    const { rows } = await server.database.pool.query(`SELECT t::text AS row FROM "${table}" t`)
    expect(
      rows.filter(({ row }) => String(row).includes(secret)),
      table,
    ).toEqual([])
  }
  expect(JSON.stringify(server.lines)).not.toContain(secret)
})
