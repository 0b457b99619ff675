// The My Account API with the unmodified npm package `@auth0/auth0-spa-js`, whose client of this API runs without a browser. The token
// comes from a password and a mailed code; the authenticator app is `otpauth`, and the passkeys are made in software.
import { type AuthenticationMethod, MyAccountApiClient, MyAccountApiError } from '@auth0/auth0-spa-js'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softCredential } from '../../lib/testing/authenticator'
import { PASSWORD, PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { type ServerProcess, startServer } from './support/server-process'
import { TENANT } from './support/tenant'

const { mia } = PEOPLE
const CLIENT = { client_id: 'e2e-kite-tower' }
const GRANTS = 'http://auth0.com/oauth/grant-type'
const METHODS = ['create', 'read', 'update', 'delete'].map((verb) => `${verb}:me:authentication_methods`)

let data: DataDir
let server: ServerProcess
let sdk: MyAccountApiClient
const requested = new Set<string>()

beforeAll(async () => {
  data = await makeServedDataDir()
  server = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path })
  sdk = await clientWith([...METHODS, 'read:me:factors'])
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...CLIENT, ...body }),
  })
  return (await answer.json()) as Record<string, unknown>
}

/** The code of the newest message to an address, which is written before the request that sends it is answered. */
async function codeTo(to: string): Promise<string> {
  const answer = await fetch(`${server.url}/dev/outbox.json?${new URLSearchParams({ to })}`)
  const [newest] = (await answer.json()) as { code: string }[]
  return newest?.code ?? ''
}

/** The package's client, with a token as its Auth0Client would give it one. */
async function clientWith(scopes: readonly string[]): Promise<MyAccountApiClient> {
  const audience = `${server.url}/me/`
  const login = { grant_type: `${GRANTS}/password-realm`, realm: 'Keyholders', username: mia.email, password: PASSWORD }
  const { mfa_token } = await post('/oauth/token', { ...login, audience, scope: scopes.join(' ') })
  const { oob_code } = await post('/mfa/challenge', { mfa_token, challenge_type: 'oob' })
  const proof = { mfa_token, oob_code, binding_code: await codeTo(mia.email) }
  const { access_token } = await post('/oauth/token', { grant_type: `${GRANTS}/mfa-oob`, ...proof })
  const fetcher = {
    fetchWithAuth: (url: string, init: RequestInit, { scope = [] }: { scope?: string[] }) => {
      for (const each of scope) requested.add(each)
      return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${access_token}` } })
    },
  }
  return new MyAccountApiClient(fetcher as never, audience)
}

type Of<Type> = Extract<AuthenticationMethod, { type: Type }>
const typesOf = async () => (await sdk.getAuthenticationMethods()).map(({ type }) => type).toSorted()

describe('MyAccountApiClient', () => {
  it('reads what can be added', async () => {
    expect((await sdk.getFactors()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['password', 'passkey', 'totp', 'phone', 'email', 'push-notification', 'recovery-code']),
    )
    expect(await typesOf()).toEqual(['password'])
  })

  it('adds an authenticator app, renames it and removes it', async () => {
    const started = await sdk.enrollmentChallenge({ type: 'totp' })
    if (!('manual_input_code' in started)) throw new Error('there is no key to type')
    const { location, auth_session, manual_input_code = '' } = started
    const otp_code = new TOTP({ secret: Secret.fromBase32(manual_input_code) }).generate()
    const added = await sdk.enrollmentVerify({ type: 'totp', location, auth_session, otp_code })
    expect(added).toMatchObject({ id: started.id, type: 'totp', confirmed: true, usage: ['secondary'] })
    expect(await sdk.updateAuthenticationMethod(added.id, { name: 'Tablet' })).toMatchObject({ name: 'Tablet' })
    expect(await sdk.getAuthenticationMethod(added.id)).toMatchObject({ id: added.id, name: 'Tablet' })
    await sdk.deleteAuthenticationMethod(added.id)
    expect(await typesOf()).toEqual(['password'])
  })

  it('adds a phone and an address by the codes that they receive, and a recovery code', async () => {
    const phone_number = '+4915112349188'
    const email = 'mia.second@e2e.test'
    for (const [options, to] of [
      [{ type: 'phone', phone_number } as const, phone_number],
      [{ type: 'email', email } as const, email],
    ] as const) {
      const { location, auth_session } = await sdk.enrollmentChallenge(options)
      const otp_code = await codeTo(to)
      await sdk.enrollmentVerify({ type: options.type, location, auth_session, otp_code })
    }
    const started = await sdk.enrollmentChallenge({ type: 'recovery-code' })
    expect('recovery_code' in started && started.recovery_code).toMatch(/^[A-Z0-9]{24}$/)
    const { location, auth_session } = started
    await sdk.enrollmentVerify({ type: 'recovery-code', location, auth_session })
    expect(await typesOf()).toEqual(['email', 'password', 'phone', 'recovery-code'])
    const [phone] = (await sdk.getAuthenticationMethods('phone')) as Of<'phone'>[]
    expect(phone).toMatchObject({ phone_number, preferred_authentication_method: 'sms', confirmed: true })
    for (const type of ['phone', 'email'] as const)
      for (const { id } of await sdk.getAuthenticationMethods(type)) await sdk.deleteAuthenticationMethod(id)
    expect(await typesOf()).toEqual(['password'])
  })

  it('adds a passkey and removes it', async () => {
    const started = await sdk.enrollmentChallenge({ type: 'passkey' })
    if (!('authn_params_public_key' in started)) throw new Error('there is nothing to create')
    const { location, auth_session, authn_params_public_key: options } = started
    const { challenge, user } = options as unknown as { challenge: string; user: { id: string } }
    const credential = softCredential()
    const page = { origin: server.url, rpId: 'localhost' }
    const authn_response = credential.create({ ...page, challenge, handle: user.id })
    const verify = () =>
      sdk.enrollmentVerify({ type: 'passkey', location, auth_session, authn_response: authn_response as never })
    const added = (await verify()) as Of<'passkey'>
    expect(added).toMatchObject({ type: 'passkey', key_id: credential.id, credential_device_type: 'multi_device' })
    await expect(verify()).rejects.toMatchObject({ name: 'MyAccountApiError', status: 400 })
    await sdk.deleteAuthenticationMethod(added.id)
    expect(await typesOf()).toEqual(['password'])
  })

  it('throws its own error for a refusal', async () => {
    const unknown = sdk.getAuthenticationMethod('totp|dev_unknown')
    await expect(unknown).rejects.toBeInstanceOf(MyAccountApiError)
    await expect(unknown).rejects.toMatchObject({ status: 404, title: 'Not Found' })
    const invalid = sdk.enrollmentChallenge({ type: 'phone', phone_number: '' })
    await expect(invalid).rejects.toMatchObject({ status: 400, validation_errors: [{ field: 'phone_number' }] })
    const reader = await clientWith(['read:me:authentication_methods'])
    await expect(reader.enrollmentChallenge({ type: 'totp' })).rejects.toMatchObject({
      status: 403,
      type: expect.stringContaining('A0E-403-0002'),
    })
  })

  it('replaces the password, which ends the login', async () => {
    const started = await sdk.enrollmentChallenge({ type: 'password' })
    expect('policy' in started && started.policy.complexity.min_length).toBe(8)
    const { location, auth_session } = started
    const body = { type: 'password', location, auth_session, new_password: 'a lantern over the harbour wall' } as const
    expect(await sdk.enrollmentVerify(body)).toMatchObject({ type: 'password', usage: ['primary'] })
    await expect(sdk.getAuthenticationMethods()).rejects.toMatchObject({ status: 401 })
  })

  it('requests no scope that the API lacks', () => {
    expect([...requested].toSorted()).toEqual([...METHODS, 'read:me:factors'].toSorted())
  })
})
