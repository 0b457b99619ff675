import { beforeAll, describe, expect, it } from 'vitest'
import { signJwt } from '../crypto/keys/jwt'
import type { Keyring } from '../crypto/keys/keyring'
import { addSeconds, epochSeconds } from '../kernel/clock'
import { systemRandom } from '../kernel/random'
import { createVault } from '../kernel/secret'
import { keyShelf } from '../testing/keys'
import { NOW, sampleApi } from '../testing/samples'
import { accessTokenClaims, issueAccessToken, readAccessToken, userinfoAudience } from './access-token'

const unbound = (token: string) => ({ token, jkt: undefined })

const baseUrl = 'https://id.test'
const USERINFO = userinfoAudience(baseUrl)
const vault = createVault('a secret of at least thirty-two characters')
const about = {
  familyId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  clientId: 'app',
  subject: 'auth0|kim',
  scopes: ['openid', 'read:things'],
}
const presented = { familyId: about.familyId, clientId: 'app', subject: 'auth0|kim', scopes: about.scopes }

let keyring: Keyring
beforeAll(async () => {
  keyring = await (await keyShelf()).keyring()
})
const deps = (now = NOW) => ({ issuer: `${baseUrl}/`, baseUrl, keyring, vault, random: systemRandom, now })
const refused = expect.objectContaining({ code: 'invalid_token' })
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('without an API', () => {
  it('is opaque, for user-info alone, for a day', async () => {
    const { token, expiresIn } = await issueAccessToken(about, null, deps())
    expect(expiresIn).toBe(86400)
    expect(token).not.toContain(Buffer.from('auth0|kim').toString('base64url').slice(0, 8))
    expect(await readAccessToken(unbound(token), { audience: USERINFO }, deps())).toEqual(presented)
    await expect(readAccessToken(unbound(token), { audience: 'https://api.test' }, deps())).rejects.toEqual(refused)
  })

  it('ends at its end', async () => {
    const { token } = await issueAccessToken(about, null, deps())
    await expect(
      readAccessToken(unbound(token), { audience: USERINFO }, deps(addSeconds(NOW, 86399))),
    ).resolves.toEqual(presented)
    await expect(
      readAccessToken(unbound(token), { audience: USERINFO }, deps(addSeconds(NOW, 86400))),
    ).rejects.toMatchObject({
      description: 'The token has expired',
    })
  })

  it.each(['at1.', 'at1.AAAA', 'at1.!!!', 'at1', '', `at1.${'A'.repeat(100_000)}`])('is not %.12j', async (token) => {
    await expect(readAccessToken(unbound(token), { audience: USERINFO }, deps())).rejects.toEqual(refused)
  })

  it('is not a value that was sealed for another purpose', async () => {
    const other = `at1.${vault.seal('unblock-ticket', JSON.stringify(['f', 'c', 's', 'openid', 9e9]), systemRandom).toString('base64url')}`
    await expect(readAccessToken(unbound(other), { audience: USERINFO }, deps())).rejects.toEqual(refused)
  })
})

describe('for an API', () => {
  const iat = epochSeconds(NOW)

  it('says what the vendor says', () => {
    expect(accessTokenClaims(about, sampleApi(), 3600, deps())).toEqual({
      iss: 'https://id.test/',
      sub: 'auth0|kim',
      aud: ['https://api.test', 'https://id.test/userinfo'],
      iat,
      exp: iat + 3600,
      azp: 'app',
      scope: 'openid read:things',
      jti: expect.stringContaining(about.familyId),
    })
  })

  it('says what RFC 9068 says, for an API of that dialect', async () => {
    const api = sampleApi({ token_dialect: 'rfc9068_profile' })
    const claims = accessTokenClaims({ ...about, gty: 'password' }, api, 60, deps())
    expect(claims).toMatchObject({ client_id: 'app', jti: expect.any(String) })
    expect(claims).not.toHaveProperty('azp')
    expect(claims).not.toHaveProperty('gty')
    const { token } = await issueAccessToken(about, api, deps())
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).typ).toBe('at+jwt')
  })

  it('has one audience, as text, and is worth nothing at user-info without openid', async () => {
    const { token } = await issueAccessToken({ ...about, scopes: ['read:things'] }, sampleApi(), deps())
    expect(payloadOf(token).aud).toBe('https://api.test')
    await expect(readAccessToken(unbound(token), { audience: USERINFO }, deps())).rejects.toEqual(refused)
  })

  it('has no scope rather than an empty one', () => {
    expect(accessTokenClaims({ ...about, scopes: [] }, sampleApi(), 60, deps())).not.toHaveProperty('scope')
  })

  it('lives as long as the API says, and never has the id of another', async () => {
    const api = sampleApi({ token_lifetime: 321 })
    const [one, two] = await Promise.all([issueAccessToken(about, api, deps()), issueAccessToken(about, api, deps())])
    expect(one.expiresIn).toBe(321)
    expect(payloadOf(one.token).jti).not.toBe(payloadOf(two.token).jti)
  })

  it.each(['access_token', 'rfc9068_profile'] as const)(
    'opens user-info with openid in the dialect %s',
    async (dialect) => {
      const { token } = await issueAccessToken(about, sampleApi({ token_dialect: dialect }), deps())
      expect(await readAccessToken(unbound(token), { audience: USERINFO }, deps())).toEqual(presented)
    },
  )
})

describe('another token that we signed (threat-model.md TK2)', () => {
  const iat = epochSeconds(NOW)
  const common = { iss: 'https://id.test/', sub: 'auth0|kim', iat, exp: iat + 60 }
  const jti = `${about.familyId}.x`

  it.each([
    ['an ID token', { ...common, aud: 'app', nonce: 'n' }, 'JWT' as const],
    ['an ID token of a client that is named like user-info', { ...common, aud: USERINFO }, 'JWT' as const],
    ['a logout token', { ...common, aud: USERINFO, jti, azp: 'app', scope: 'openid' }, 'logout+jwt' as const],
    ['a token without a family', { ...common, aud: USERINFO, jti: 'x.y', azp: 'app', scope: 'openid' }, 'JWT' as const],
    ['a token without a client', { ...common, aud: USERINFO, jti, scope: 'openid' }, 'JWT' as const],
  ])('another token is refused: %s', async (_name, claims, type) => {
    const token = await signJwt(claims, type, keyring)
    await expect(readAccessToken(unbound(token), { audience: USERINFO }, deps())).rejects.toEqual(refused)
  })
})
