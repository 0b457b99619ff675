// What a built-in API is, and who gets its scopes.
import { expect, it } from 'vitest'
import { grantableScopes, scopesWithoutPage } from '../oauth/scope'
import { sampleApi, sampleClient } from '../testing/samples'
import type { Api } from './api'
import { managementAudience, mfaAudience, withBuiltIn } from './built-in'

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
  expect(scopesWithoutPage(undefined, sampleClient(), await management())).toHaveLength(7)
  expect(scopesWithoutPage(undefined, third, await management())).toEqual([])
})
