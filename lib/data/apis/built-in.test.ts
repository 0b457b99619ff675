// What a built-in API is, and who gets its scopes.

import { describe, expect, it } from 'vitest'
import { grantableScopes, scopesWithoutPage } from '../../protocols/oauth/scope'
import { sampleApi, sampleClient } from '../../testing/samples'
import { silentTrail } from '../../testing/trail'
import type { Api } from './api'
import { recencyOf } from './api'
import { managementAudience, mfaAudience, myAccountAudience, withBuiltIn } from './built-in'

const BASE = 'https://id.test'
const registered = sampleApi()
const apis = withBuiltIn(
  {
    find: async (identifier) =>
      identifier === registered.identifier || identifier === managementAudience(BASE)
        ? { ...registered, identifier }
        : null,
  },
  BASE,
)
const management = async (): Promise<Api> => (await apis.find(managementAudience(BASE))) as Api

it('is found beside the registered ones, and before one that was registered under its identifier', async () => {
  expect(await apis.find('https://api.test')).toEqual(registered)
  expect(await apis.find('https://unknown.test')).toBeNull()
  expect([...(await management()).scopes.keys()]).toContain('read:current_user')
})

it('is about a user, and its tokens live as long as the contract says', async () => {
  expect((await management()).settings).toMatchObject({ token_lifetime: 86_400, token_lifetime_for_web: 7200 })
  expect((await management()).personal?.tokenSeconds).toBe(7200)
  expect((await apis.find(mfaAudience(BASE)))?.settings.token_lifetime).toBe(600)
})

it('gives its scopes to first-party clients alone (threat-model.md TK6)', async () => {
  const requested = ['openid', 'read:current_user', 'read:users']
  const third = sampleClient({ is_first_party: false })
  expect(grantableScopes(requested, sampleClient(), await management())).toEqual(requested)
  expect(grantableScopes(requested, third, await management())).toEqual(['openid'])
  expect(scopesWithoutPage(undefined, sampleClient(), await management(), silentTrail)).toHaveLength(7)
  expect(scopesWithoutPage(undefined, third, await management(), silentTrail)).toEqual([])
})

describe('whether a scope may change how users sign in (threat-model.md BF22)', () => {
  /** `user_metadata` is no way to sign in. */
  const HARMLESS = ['create:current_user_metadata', 'update:current_user_metadata']
  /** They read secrets. */
  const SECRET = ['client_keys', 'connections_options', 'encryption_keys', 'password_hashes', 'user_idp_tokens']

  it.each([
    ['the Management API', managementAudience(BASE), 3600],
    ['the MFA API', mfaAudience(BASE), 3600],
    ['the My Account API', myAccountAudience(BASE), 900],
  ])('at %s, every scope may but those that read, and preferences', async (_name, audience, seconds) => {
    const api = (await apis.find(audience)) as Api
    for (const scope of api.scopes.keys()) {
      const reads = scope.startsWith('read:') && !SECRET.some((noun) => scope === `read:${noun}`)
      expect([scope, recencyOf(api, [scope])]).toEqual([scope, reads || HARMLESS.includes(scope) ? null : seconds])
    }
  })

  it('a scope of the same name of a registered API may not', () => {
    const own = sampleApi({ scopes: [{ value: 'enroll' }, { value: 'update:users' }] })
    expect(recencyOf(own, ['enroll', 'update:users'])).toBeNull()
    expect(recencyOf(null, ['enroll'])).toBeNull()
  })
})
