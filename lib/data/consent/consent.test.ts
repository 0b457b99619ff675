import { describe, expect, it } from 'vitest'
import { sampleApi, sampleClient } from '../../testing/samples'
import { asksConsent, type ConsentQuestion, consentAudience, covers } from './consent'

const question = (over: Partial<ConsentQuestion> = {}): ConsentQuestion => ({
  client: sampleClient(),
  api: null,
  redirectUri: 'https://app.test/cb',
  scopes: ['openid'],
  forced: false,
  ...over,
})
const asking = sampleApi({ skip_consent_for_verifiable_first_party_clients: false })
const skipping = sampleApi({ skip_consent_for_verifiable_first_party_clients: true })
const thirdParty = sampleClient({ is_first_party: false })

describe('whether consent is required (threat-model.md AZ10)', () => {
  it.each<[string, Partial<ConsentQuestion>, boolean]>([
    ['first-party, OpenID scopes', {}, false],
    ['first-party, OpenID scopes, calling back to localhost', { redirectUri: 'http://localhost:3000/cb' }, false],
    ['first-party, an API that skips', { api: skipping }, false],
    ['first-party, an API that does not', { api: asking }, true],
    ['third-party, OpenID scopes', { client: thirdParty }, true],
    ['third-party, no scope at all', { client: thirdParty, scopes: [] }, true],
    ['third-party, an API that skips', { client: thirdParty, api: skipping }, true],
    ['prompt=consent', { forced: true }, true],
  ])('consent is required for %s: %s', (_name, over, requested) => {
    expect(asksConsent(question(over))).toBe(requested)
  })
})

describe('an app that calls back to this machine cannot be verified', () => {
  it.each([
    'http://localhost/cb',
    'http://LOCALHOST:3000/cb',
    'http://app.localhost/cb',
    'http://127.0.0.1:3000/cb',
    'http://127.8.8.8/cb',
    'http://0x7f000001/cb',
    'http://127.1/cb',
    'http://[::1]:3000/cb',
  ])('an app that calls back to %s requires consent', (redirectUri) => {
    expect(asksConsent(question({ api: skipping, redirectUri }))).toBe(true)
  })

  it.each([
    'https://localhost.test/cb',
    'https://notlocalhost/cb',
    'https://127.0.0.1.test/cb',
    'https://128.0.0.1/cb',
    'myapp://cb',
  ])('an app that calls back to %s needs no consent', (redirectUri) => {
    expect(asksConsent(question({ api: skipping, redirectUri }))).toBe(false)
  })
})

describe('an agreement', () => {
  it.each([
    ['covers the same scopes in another order', ['email', 'openid'], ['openid', 'email'], true],
    ['covers fewer', ['email', 'openid'], ['openid'], true],
    ['does not cover one more', ['openid'], ['openid', 'email'], false],
    ['covers nothing when there is none', null, [], false],
    ['to nothing covers nothing asked', [], [], true],
  ])('an earlier agreement %s', (_name, agreed, scopes, covered) => {
    expect(covers(agreed, scopes)).toBe(covered)
  })

  it('is kept by audience, this server being the empty one', () => {
    expect([consentAudience(null), consentAudience(skipping)]).toEqual(['', 'https://api.test'])
  })
})
