import { describe, expect, it } from 'vitest'
import { sampleApi, sampleClient } from '../../testing/samples'
import { parseRequest } from './request'
import { parseAuthorizationTarget, type ReturnTo } from './target'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const client = sampleClient({
  app_type: 'spa',
  callbacks: ['https://app.test/cb', 'https://*.preview.test/cb', 'myapp://cb'],
  web_origins: ['https://app.test/', 'https://a.preview.test'],
})
const target = (parameters: Record<string, string>) =>
  parseAuthorizationTarget({ client_id: 'app', ...parameters }, client, null).returnTo
const returnTo: ReturnTo = { clientId: 'app', redirectUri: 'https://app.test/cb', responseMode: 'query', state: 's' }
const parse = (parameters: Record<string, string>, over: Partial<typeof client> = {}) =>
  parseRequest(
    { response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256', ...parameters },
    { client: { ...client, ...over }, returnTo },
    null,
    null,
  )

describe('the target', () => {
  it('answers in the query unless another mode is requested', () => {
    expect(target({ redirect_uri: 'https://app.test/cb' })).toEqual({
      clientId: 'app',
      redirectUri: 'https://app.test/cb',
      responseMode: 'query',
      state: null,
    })
  })

  it.each([
    ['web_message to a registered origin', { redirect_uri: 'https://app.test/cb', response_mode: 'web_message' }],
    [
      'web_message to a registered sub-domain',
      { redirect_uri: 'https://a.preview.test/cb', response_mode: 'web_message' },
    ],
    ['form_post', { redirect_uri: 'https://app.test/cb', response_mode: 'form_post' }],
  ])('may be %s', (_name, parameters) => {
    expect(target(parameters).responseMode).toBe(parameters.response_mode)
  })

  it.each<[string, Record<string, string>]>([
    [
      'web_message to a callback whose origin is not registered',
      { redirect_uri: 'https://b.preview.test/cb', response_mode: 'web_message' },
    ],
    ['web_message to a scheme of its own', { redirect_uri: 'myapp://cb', response_mode: 'web_message' }],
    ['a mode in another case', { redirect_uri: 'https://app.test/cb', response_mode: 'QUERY' }],
    ['no redirect URI where several are registered', {}],
  ])('is never %s', (_name, parameters) => {
    expect(() => target(parameters)).toThrow(expect.objectContaining({ redirectable: false }))
  })

  it('is not a pattern, though that is the only thing registered', () => {
    const only = sampleClient({ callbacks: ['https://*.preview.test/cb'] })
    expect(() => parseAuthorizationTarget({ client_id: 'app' }, only, null)).toThrow(
      expect.objectContaining({ redirectable: false }),
    )
  })
})

describe('the request', () => {
  it('keeps what begins it anew, and no token', () => {
    const { request, wants } = parse({ scope: 'openid', id_token_hint: 'a.b.c', client_secret: 'x', unknown: 'y' })
    expect(wants.extra).toEqual({ unknown: 'y' })
    expect(request.parameters).toEqual({
      unknown: 'y',
      response_type: 'code',
      scope: 'openid',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    })
  })

  it('cuts a hint where a character ends', () => {
    const { wants } = parse({ login_hint: `${'k'.repeat(319)}\u{1f600}`, ui_locales: `${'d'.repeat(199)}\u{1f600}` })
    expect(wants.loginHint?.isWellFormed()).toBe(true)
    expect(wants.uiLocales?.isWellFormed()).toBe(true)
  })

  it.each([
    ['login consent', ['login', 'consent']],
    ['consent  consent', ['consent']],
    ['none', ['none']],
    ['create login', ['login']],
  ])('reads prompt=%j', (prompt, expected) => {
    expect(parse({ prompt }).wants.prompt.sort()).toEqual([...expected].sort())
  })

  it.each(['Login', 'none consent', 'none create', 'login,consent', 'toString'])('refuses prompt=%j', (prompt) => {
    expect(() => parse({ prompt })).toThrow(expect.objectContaining({ code: 'invalid_request', redirectable: true }))
  })

  it.each([
    ['0', 0],
    ['3600', 3600],
    ['999999999', 999_999_999],
  ])('reads max_age=%s', (max_age, expected) => {
    expect(parse({ max_age }).wants.maxAge).toBe(expected)
  })

  it.each(['-1', '1.5', '1e3', ' 1', 'NaN', '9999999999', '٣'])('refuses max_age=%j', (max_age) => {
    expect(() => parse({ max_age })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('refuses both kinds of access at once, in the vendor’s words', () => {
    expect(() => parse({ scope: 'openid offline_access online_access' })).toThrow(
      'Cannot request both online_access and offline_access scopes',
    )
    expect(parse({ scope: 'openid online_access' }).wants.scopes).toEqual(['openid'])
  })

  it.each([
    [{}, false],
    [{ prompt: 'login' }, true],
    [{ max_age: '60' }, true],
    [{ prompt: 'consent' }, false],
  ])('includes the authentication time for %o: %s', (parameters, given) => {
    expect(parse(parameters as Record<string, string>).request.tellAuthTime).toBe(given)
  })

  it('the client’s default_max_age applies where the request has no max_age', () => {
    const over = sampleClient({ app_type: 'spa', default_max_age: 60 })
    expect(parse({}, over)).toMatchObject({ wants: { maxAge: 60 }, request: { tellAuthTime: true } })
    expect(parse({ max_age: '5' }, over).wants.maxAge).toBe(5)
    expect(parse({}, sampleClient({ app_type: 'spa', require_auth_time: true })).request.tellAuthTime).toBe(true)
  })

  it('grants no scope that is not defined, and names the API', () => {
    const { wants } = parseRequest(
      { response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256', scope: 'openid a b' },
      { client, returnTo },
      sampleApi({ scopes: [{ value: 'a' }] }),
      'auth0|kim',
    )
    expect(wants).toMatchObject({ scopes: ['openid', 'a'], audience: 'https://api.test', subject: 'auth0|kim' })
  })
})
