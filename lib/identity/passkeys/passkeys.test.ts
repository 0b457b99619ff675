// Adding, naming and removing passkeys, with an authenticator in software (threat-model.md PK1 to PK5).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_PASSKEYS } from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import { ICLOUD, softCredential } from '../../testing/authenticator'
import { offerPasskeys } from '../../testing/passkeys'
import { type TestServer, testServer } from '../../testing/server'
import {
  accountForPasskey,
  beginPasskey,
  finishPasskey,
  listPasskeys,
  NAME_LENGTH,
  type PasskeyDeps,
  removePasskey,
  renamePasskey,
} from './passkeys'

const HOST = { rpId: 'id.test', origin: 'https://id.test' }

let server: TestServer
let deps: PasskeyDeps
let user: User

beforeAll(async () => {
  server = await testServer()
  await offerPasskeys(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await newUser()
  deps = await server.runtime()
})

async function newUser(emailVerified = true): Promise<User> {
  const id = server.random.hex(24)
  const userId = await server.addUser({ id, email: `${id}@mail.test`, data: { emailVerified } })
  const found = await (await server.runtime()).users.find(userId)
  if (!found) throw new Error('the user is missing')
  return found
}

async function begin(of = user) {
  const account = await accountForPasskey(of, deps)
  if (!account) throw new Error('no account')
  return beginPasskey(of, account, deps)
}

type Change = Partial<Parameters<ReturnType<typeof softCredential>['create']>[0]>

async function add(change: Change = {}, of = user, credential = softCredential()) {
  const { session, options } = await begin(of)
  const response = credential.create({ ...HOST, challenge: options.challenge, handle: options.user.id, ...change })
  return finishPasskey(of, { session, response, userAgent: 'Firefox' }, deps)
}

const refusal = (reason: string) => ({ outcome: 'refused', reason })

describe('adding a passkey', () => {
  it('stores what the browser created, named after its model', async () => {
    const credential = softCredential()
    const added = await add({ counter: 7 }, user, credential)
    const [stored] = await listPasskeys(user, deps)
    expect(added).toEqual({ outcome: 'added', passkey: { ...stored, publicKey: expect.anything() } })
    expect(stored).toMatchObject({
      credentialId: credential.id,
      counter: 7,
      transports: ['internal', 'hybrid'],
      aaguid: ICLOUD,
      multiDevice: true,
      backedUp: true,
      rpId: 'id.test',
      name: 'Apple Passwords',
      userAgent: 'Firefox',
      lastUsedAt: null,
    })
    expect(stored?.id).toMatch(/^passkey\|dev_[A-Za-z0-9]{16}$/)
    expect(await server.audited()).toContainEqual(expect.objectContaining({ type: 'gd_enrollment_complete' }))
  })

  it('asks for a discoverable credential under a random handle, which the account keeps', async () => {
    const { options } = await begin()
    expect(options).toMatchObject({
      rp: { id: 'id.test', name: 'id.test' },
      user: { name: user.email, displayName: user.email },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      excludeCredentials: [],
    })
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    const credential = softCredential()
    await add({}, user, credential)
    const [stored] = await listPasskeys(user, deps)
    const next = await begin()
    expect(next.options.user.id).toBe(Buffer.from(stored?.userHandle ?? []).toString('base64url'))
    expect(next.options.excludeCredentials).toMatchObject([{ id: credential.id, type: 'public-key' }])
  })

  it.each<[string, Change]>([
    ['for another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['on a page of another origin', { origin: 'https://id.test.evil.test' }],
    ['on another port', { origin: 'https://id.test:8443' }],
    ['in a frame of another origin', { crossOrigin: true }],
    ['for another host', { rpId: 'evil.test' }],
    ['without the user present', { up: false }],
    ['as an assertion', { type: 'webauthn.get' }],
  ])('refuses a credential made %s', async (_how, change) => {
    expect(await add(change)).toEqual(refusal('invalid'))
    expect(await listPasskeys(user, deps)).toEqual([])
  })

  it.each([undefined, null, 'x', {}, { id: 'x' }, { id: 'é', rawId: 'é', type: 'public-key', response: {} }])(
    'refuses %j as a response',
    async (response) => {
      const { session } = await begin()
      expect(await finishPasskey(user, { session, response, userAgent: undefined }, deps)).toEqual(refusal('invalid'))
    },
  )

  it('refuses a malformed attestation object', async () => {
    const { session, options } = await begin()
    const made = softCredential().create({ ...HOST, challenge: options.challenge })
    const response = { ...made, response: { ...made.response, attestationObject: 'AAAA' } }
    expect(await finishPasskey(user, { session, response, userAgent: undefined }, deps)).toEqual(refusal('invalid'))
  })

  it('does not read an attestation statement', async () => {
    const { session, options } = await begin()
    const made = softCredential().create({ ...HOST, challenge: options.challenge })
    const object = Buffer.from(made.response.attestationObject, 'base64url').toString('hex')
    // The format "tpmm", which no library knows.
    const strange = object.replace('646e6f6e65', '6474706d6d')
    expect(strange).not.toBe(object)
    const attestationObject = Buffer.from(strange, 'hex').toString('base64url')
    const response = { ...made, response: { ...made.response, attestationObject } }
    expect(await finishPasskey(user, { session, response, userAgent: undefined }, deps)).toMatchObject({
      outcome: 'added',
    })
  })

  it('uses a session once, for its own user and tenant, within an hour', async () => {
    const { session, options } = await begin()
    const response = softCredential().create({ ...HOST, challenge: options.challenge })
    const given = { session, response, userAgent: undefined }
    expect(await finishPasskey(user, { ...given, session: `${session.slice(0, -4)}AAAA` }, deps)).toEqual(
      refusal('expired'),
    )
    expect(await finishPasskey(user, { ...given, session: '' }, deps)).toEqual(refusal('expired'))
    const elsewhere = { ...deps, tenantId: 'another' }
    expect(await finishPasskey(user, given, elsewhere)).toEqual(refusal('expired'))
    expect(await finishPasskey(user, given, deps)).toMatchObject({ outcome: 'added' })
    expect(await finishPasskey(user, given, deps)).toEqual(refusal('expired'))
    const late = await begin()
    server.clock.advance(3601)
    const answer = softCredential().create({ ...HOST, challenge: late.options.challenge })
    expect(await finishPasskey(user, { session: late.session, response: answer, userAgent: undefined }, deps)).toEqual(
      refusal('expired'),
    )
  })

  it('gives no user a passkey that another one started', async () => {
    const { session, options } = await begin()
    const response = softCredential().create({ ...HOST, challenge: options.challenge })
    const given = { session, response, userAgent: undefined }
    expect(await finishPasskey(await newUser(), given, deps)).toEqual(refusal('expired'))
  })

  it('refuses a credential that anyone has', async () => {
    const credential = softCredential()
    expect(await add({}, user, credential)).toMatchObject({ outcome: 'added' })
    expect(await add({}, await newUser(), credential)).toEqual(refusal('conflict'))
  })

  it('refuses one while the address is unverified, and one that was started before it was verified', async () => {
    await expect(begin(await newUser(false))).rejects.toMatchObject({ code: 'access_denied' })
    const { session, options } = await begin()
    const response = softCredential().create({ ...HOST, challenge: options.challenge })
    const before = { ...user, emailVerified: false }
    expect(await finishPasskey(before, { session, response, userAgent: undefined }, deps)).toEqual(refusal('conflict'))
  })

  it('refuses a model that the tenant does not allow', async () => {
    const tenant = await server.addTenant('strict', 'https://strict.test')
    await offerPasskeys(server, { allowed_aaguids: [ICLOUD.toUpperCase()] }, { tenantId: 'strict' })
    const userId = await tenant.addUser({ email: 'kim@mail.test', data: { emailVerified: true } })
    const strict = await server.runtime('strict.test')
    const kim = await strict.users.find(userId)
    const account = kim && (await accountForPasskey(kim, strict))
    if (!kim || !account) throw new Error('no account')
    const made = async (aaguid: string) => {
      const started = await beginPasskey(kim, account, strict)
      const where = { origin: 'https://strict.test', rpId: 'strict.test', challenge: started.options.challenge }
      const response = softCredential({ aaguid }).create(where)
      return finishPasskey(kim, { session: started.session, response, userAgent: undefined }, strict)
    }
    expect(await made('00000000-0000-0000-0000-000000000000')).toEqual(refusal('model'))
    expect(await made(ICLOUD)).toMatchObject({ outcome: 'added' })
  })
})

describe('the number of passkeys', () => {
  it(`is ${MAX_PASSKEYS} at most, also when added at once`, async () => {
    for (let i = 0; i < MAX_PASSKEYS - 1; i++) expect(await add()).toMatchObject({ outcome: 'added' })
    const started = await Promise.all(Array.from({ length: 4 }, () => begin()))
    const last = await Promise.all(
      started.map(({ session, options: { challenge } }) => {
        const response = softCredential().create({ ...HOST, challenge })
        return finishPasskey(user, { session, response, userAgent: undefined }, deps)
      }),
    )
    expect(last.filter(({ outcome }) => outcome === 'added')).toHaveLength(1)
    expect(await listPasskeys(user, deps)).toHaveLength(MAX_PASSKEYS)
    await expect(begin()).rejects.toMatchObject({ code: 'access_denied' })
  })
})

describe('twenty callers with one session', () => {
  it('add one passkey', async () => {
    const { session, options } = await begin()
    const responses = Array.from({ length: 20 }, () =>
      softCredential().create({ ...HOST, challenge: options.challenge }),
    )
    const results = await Promise.all(
      responses.map((response) => finishPasskey(user, { session, response, userAgent: undefined }, deps)),
    )
    expect(results.filter(({ outcome }) => outcome === 'added')).toHaveLength(1)
    expect(await listPasskeys(user, deps)).toHaveLength(1)
  })
})

describe('a passkey', () => {
  it('is renamed and removed by its owner alone', async () => {
    const added = await add()
    if (added.outcome !== 'added') throw new Error('not added')
    const { id } = added.passkey
    const stranger = await newUser()
    expect(await renamePasskey(stranger, id, 'Mine', deps)).toBe(false)
    expect(await removePasskey(stranger, id, deps)).toBe(null)
    expect(await renamePasskey(user, id, '  Kitchen tablet ', deps)).toBe(true)
    expect(await listPasskeys(user, deps)).toMatchObject([{ id, name: 'Kitchen tablet' }])
    expect(await removePasskey(user, id, deps)).toMatchObject({ id })
    expect(await removePasskey(user, id, deps)).toBe(null)
    expect(await listPasskeys(user, deps)).toEqual([])
  })

  it.each(['', '   ', 'x'.repeat(NAME_LENGTH + 1)])('is not named %j', async (name) => {
    await expect(renamePasskey(user, 'passkey|dev_x', name, deps)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('an account for a passkey', () => {
  it('is missing where no connection offers them, and on a host that browsers refuse', async () => {
    expect(await accountForPasskey(user, { ...deps, baseUrl: 'https://192.0.2.7' })).toBe(null)
    expect(await accountForPasskey(user, { ...deps, baseUrl: 'https://[2001:db8::1]' })).toBe(null)
    expect(await accountForPasskey(user, { ...deps, baseUrl: 'http://id.test' })).toBe(null)
    expect(await accountForPasskey(user, { ...deps, baseUrl: 'http://localhost:3000' })).not.toBe(null)
    const off = { ...deps, connections: { all: async () => [] } }
    expect(await accountForPasskey(user, off)).toBe(null)
  })
})
