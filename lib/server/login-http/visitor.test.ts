import { describe, expect, it, vi } from 'vitest'
import { findSession } from '../../login/begin/signed-in'
import type { LoginDeps } from '../../login/deps'
import { NOW, sampleRequest, sampleUser } from '../../testing/samples'
import { readVisitor } from './visitor'

const https = { secure: true, baseUrl: 'https://id.example.com' }
const signedIn = { session: { sid: 'the-sid' }, user: sampleUser() }

const depsWith = (find: (digest: Uint8Array, now: Date) => Promise<unknown>) =>
  ({ sessions: { find }, clock: { now: () => NOW } }) as unknown as LoginDeps

describe('a visitor', () => {
  it('is what the pipeline may know of a request', () => {
    const headers = {
      'user-agent': 'Firefox',
      'accept-language': 'de',
      authorization: 'Bearer secret',
      cookie: '__Host-latchkey_session=s; __Host-latchkey_browser=b; theme=dark',
    }
    expect(readVisitor(sampleRequest({ headers, query: 'ui_locales=fr&state=x' }), https)).toEqual({
      ip: '198.51.100.7',
      method: 'GET',
      userAgent: 'Firefox',
      acceptLanguage: 'de',
      uiLocales: 'fr',
      cookies: { session: 's', browser: 'b' },
      address: null,
      signedIn: null,
    })
  })

  it('a visitor has undefined values where the request has none', () => {
    expect(readVisitor(sampleRequest(), https)).toEqual({
      ip: '198.51.100.7',
      method: 'GET',
      userAgent: undefined,
      acceptLanguage: undefined,
      uiLocales: undefined,
      cookies: {},
      address: null,
      signedIn: null,
    })
  })
})

describe('the session of a visitor', () => {
  const withCookie = sampleRequest({ headers: { cookie: '__Host-latchkey_session=s' } })

  it('is looked up once per request, also by parallel callers', async () => {
    const find = vi.fn(async () => signedIn)
    const visitor = readVisitor(withCookie, https)
    const found = await Promise.all([findSession(visitor, depsWith(find)), findSession(visitor, depsWith(find))])
    expect(found).toEqual([signedIn, signedIn])
    expect(await findSession(visitor, depsWith(find))).toBe(signedIn)
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('is looked up again for the next request', async () => {
    const find = vi.fn(async () => null)
    await findSession(readVisitor(withCookie, https), depsWith(find))
    await findSession(readVisitor(withCookie, https), depsWith(find))
    expect(find).toHaveBeenCalledTimes(2)
  })

  it('costs no look-up without a cookie', async () => {
    const find = vi.fn(async () => signedIn)
    expect(await findSession(readVisitor(sampleRequest(), https), depsWith(find))).toBeNull()
    expect(find).not.toHaveBeenCalled()
  })
})
