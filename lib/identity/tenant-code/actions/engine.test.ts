// The effects of actions, per trigger: the vendor's documented calls, their order, and the effect of a failure.
import { afterAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../../kernel/clock'
import { actionBench, loginEvent } from '../../../testing/actions'
import type { CredentialsExchangeEvent, PreUserRegistrationEvent } from '../event'
import type { Sandbox } from '../sandbox/sandbox'
import { noEffects } from '../trigger'

const bench = actionBench()
afterAll(() => bench.close())

const run = (body: string, event = loginEvent()) => bench.login(body).run('post-login', event)

describe('post-login', () => {
  it('sets claims, scopes and metadata', async () => {
    expect(
      await run(`
        api.idToken.setCustomClaim('https://x.example/roles', event.authorization.roles)
        api.idToken.setCustomClaim('https://x.example/none', undefined)
        api.accessToken.setCustomClaim('https://x.example/plan', event.user.app_metadata.plan)
          .accessToken.addScope('read:a').accessToken.removeScope('read:b')
        api.user.setUserMetadata('theme', { dark: true })
        api.user.setAppMetadata('plan', null)`),
    ).toEqual({
      ...noEffects(),
      idTokenClaims: { 'https://x.example/roles': ['Clerk'] },
      accessTokenClaims: { 'https://x.example/plan': 'gold' },
      addScopes: ['read:a'],
      removeScopes: ['read:b'],
      userMetadata: { theme: { dark: true } },
      appMetadata: { plan: null },
    })
  })

  it('records a method after the return of a redirect, which later actions see', async () => {
    const back = `
      exports.onExecutePostLogin = async (event, api) => api.redirect.sendUserTo('https://x.example/check')
      exports.onContinuePostLogin = async (event, api) => api.authentication.recordMethod('https://x.example/checked')`
    const sees = `exports.onExecutePostLogin = async (event, api) =>
      api.idToken.setCustomClaim('https://x.example/methods', event.authentication.methods.map(({ name }) => name))`
    const engine = bench.engine({ name: 'Back', code: back }, { name: 'Sees', code: sees })
    const left = await engine.run('post-login', loginEvent())
    expect(left.recorded).toBeUndefined()
    const effects = await engine.run('post-login', loginEvent(), left)
    expect(effects.recorded).toEqual([{ url: 'https://x.example/checked', at: fixedClock().now().toISOString() }])
    expect(effects.idTokenClaims).toEqual({ 'https://x.example/methods': ['pwd', 'https://x.example/checked'] })
  })

  it.each(["api.authentication.recordMethod('https://x.example/checked')"])(
    'refuses %s at the first run',
    async (call) => {
      const engine = bench.login(call)
      const effects = await engine.run('post-login', loginEvent())
      expect(effects).toEqual({ ...noEffects(), denied: expect.objectContaining({ failed: true }) })
      expect(engine.records[0]).toMatchObject({
        outcome: 'rubbish',
        reason: expect.stringContaining('onContinuePostLogin only'),
      })
    },
  )

  it('passes metadata of the transaction to later actions, over a redirect', async () => {
    const sets = `
      exports.onExecutePostLogin = async (event, api) => {
        api.transaction.setMetadata('risk', 3).transaction.setMetadata('gone', true)
        api.redirect.sendUserTo('https://x.example/check')
      }
      exports.onContinuePostLogin = async (event, api) => {
        api.transaction.setMetadata('gone', null); api.transaction.setMetadata('seen', event.transaction.metadata.risk === 3)
      }`
    const sees = `exports.onExecutePostLogin = async (event, api) =>
      api.idToken.setCustomClaim('https://x.example/metadata', event.transaction.metadata)`
    const transaction = { acr_values: [], locale: 'en', requested_scopes: [], ui_locales: [] }
    const engine = bench.engine(
      { name: 'Sees first', code: sees },
      { name: 'Sets', code: sets },
      { name: 'Sees', code: sees },
    )
    const left = await engine.run('post-login', loginEvent({ transaction }))
    expect(left.idTokenClaims).toEqual({ 'https://x.example/metadata': {} })
    const effects = await engine.run('post-login', loginEvent({ transaction }), left)
    expect(effects.idTokenClaims).toEqual({ 'https://x.example/metadata': { risk: 3, seen: true } })
  })

  it.each(["('risk', {})", "('__proto__', 1)", '()', "('risk', 'x'.repeat(8193))"])(
    'refuses metadata %s of the transaction',
    async (call) => {
      const engine = bench.login(`api.transaction.setMetadata${call}`)
      expect((await engine.run('post-login', loginEvent())).denied?.failed).toBe(true)
    },
  )

  it('denies, and what metadata it set stays', async () => {
    const engine = bench.engine(
      {
        name: 'A',
        code: 'exports.onExecutePostLogin = async (e, api) => { api.user.setAppMetadata("n", 1); api.access.deny("Not on Sundays") }',
      },
      { name: 'B', code: 'exports.onExecutePostLogin = async () => { throw new Error("must not run") }' },
    )
    const effects = await engine.run('post-login', loginEvent())
    expect(effects.denied).toEqual({
      code: 'access_denied',
      reason: 'Not on Sundays',
      userMessage: null,
      failed: false,
    })
    expect(effects.appMetadata).toEqual({ n: 1 })
    expect(engine.records.map(({ action, outcome }) => [action, outcome])).toEqual([['A', 'denied']])
  })

  it.each([
    ["api.multifactor.enable('any')", { kind: 'enable', factors: [], allowRememberBrowser: true }, null],
    [
      "api.multifactor.enable('any', { allowRememberBrowser: false })",
      { kind: 'enable', factors: [], allowRememberBrowser: false },
      null,
    ],
    [
      "api.multifactor.enable('google-authenticator')",
      { kind: 'enable', factors: [{ type: 'otp' }], allowRememberBrowser: true },
      null,
    ],
    ["api.multifactor.enable('none')", { kind: 'none' }, null],
    [
      "api.authentication.challengeWith({ type: 'otp' }, { additionalFactors: [{ type: 'duo' }, { type: 'phone', options: { preferredMethod: 'sms' } }] })",
      {
        kind: 'challenge',
        factors: [{ type: 'otp' }, { type: 'phone', preferredMethod: 'sms' }],
        allowRememberBrowser: false,
      },
      'factor',
    ],
    [
      "api.authentication.enrollWithAny([{ type: 'otp' }])",
      { kind: 'enroll', factors: [{ type: 'otp' }], allowRememberBrowser: false },
      'factor',
    ],
  ])('api.multifactor has its effect: %s', async (body, multifactor, awaits) => {
    const effects = await run(body)
    expect(effects.multifactor).toEqual(multifactor)
    expect(effects.suspended?.awaits ?? null).toBe(awaits)
  })

  it('waits for a factor, and continues with the next action', async () => {
    const engine = bench.engine(
      {
        name: 'A',
        code: "exports.onExecutePostLogin = async (e, api) => { api.idToken.setCustomClaim('a', 1); api.authentication.challengeWithAny([{ type: 'otp' }]) }",
      },
      { name: 'B', code: "exports.onExecutePostLogin = async (e, api) => { api.idToken.setCustomClaim('b', 2) }" },
    )
    const past = await engine.run('post-login', loginEvent())
    expect(past).toMatchObject({ suspended: { action: 'A', awaits: 'factor' }, idTokenClaims: { a: 1 } })
    const effects = await engine.run('post-login', loginEvent(), JSON.parse(JSON.stringify(past)))
    expect(effects).toEqual({ ...noEffects(), idTokenClaims: { a: 1, b: 2 } })
  })

  const REDIRECT = `
    exports.onExecutePostLogin = async (event, api) => {
      const token = api.redirect.encodeToken({ secret: event.secrets.SHARED, expiresInSeconds: 60, payload: { ask: 'terms' } })
      api.redirect.sendUserTo('https://terms.example/accept?x=1', { query: { session_token: token } })
    }
    exports.onContinuePostLogin = async (event, api) => {
      const { accepted } = api.redirect.validateToken({ secret: event.secrets.SHARED, tokenParameterName: 'answer' })
      if (accepted) api.idToken.setCustomClaim('https://x.example/accepted', true)
      else api.access.deny('Terms were not accepted')
    }`

  async function comeBack(
    tamper: (claims: Record<string, unknown>) => Record<string, unknown>,
    secret = 'shared secret',
  ) {
    const engine = bench.engine({ code: REDIRECT, secrets: { SHARED: 'shared secret' } })
    const past = await engine.run('post-login', loginEvent())
    const sent = new URL(past.redirect?.url ?? '')
    const [, body = ''] = sent.searchParams.get('session_token')?.split('.') ?? []
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const { createHmac } = await import('node:crypto')
    const signed = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(tamper({ ...claims, state: 's' }))).toString('base64url')}`
    const answer = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    const event = loginEvent()
    event.request.query = { answer, state: 's' }
    return { sent, claims, engine, effects: await engine.run('post-login', event, past) }
  }

  it('leaves for another site and comes back to the same action', async () => {
    const { sent, claims, effects } = await comeBack((given) => ({ ...given, accepted: true }))
    expect(`${sent.origin}${sent.pathname}`).toBe('https://terms.example/accept')
    expect(claims).toMatchObject({ sub: 'auth0|1', iss: 'id.test', ip: '192.0.2.1', ask: 'terms' })
    expect(claims.exp - claims.iat).toBe(60)
    expect(effects).toEqual({ ...noEffects(), idTokenClaims: { 'https://x.example/accepted': true } })
  })

  it.each([
    ['another secret', (given: Record<string, unknown>) => ({ ...given, accepted: true }), 'guessed'],
    ['another user', (given: Record<string, unknown>) => ({ ...given, accepted: true, sub: 'auth0|2' }), undefined],
    ['another login', (given: Record<string, unknown>) => ({ ...given, accepted: true, state: 'other' }), undefined],
    ['an old one', (given: Record<string, unknown>) => ({ ...given, accepted: true, exp: 1 }), undefined],
  ])('takes no answer of %s', async (_, tamper, secret) => {
    const { effects, engine } = await comeBack(tamper, secret)
    expect(effects.denied).toMatchObject({ failed: true })
    expect(engine.records.at(-1)?.reason).toContain('The session token is invalid')
  })

  it('is denied when the awaited action is no longer bound', async () => {
    const past = { ...noEffects(), suspended: { action: 'Gone', awaits: 'redirect' as const } }
    expect((await bench.login('').run('post-login', loginEvent(), past)).denied?.failed).toBe(true)
  })

  it('says that no rule was executed', async () => {
    const engine = bench.login("api.idToken.setCustomClaim('was', api.rules.wasExecuted('rul_1'))")
    expect((await engine.run('post-login', loginEvent())).idTokenClaims).toEqual({ was: false })
  })

  it('bounds api.cache as the vendor does: 64 bytes a key, 8 kB in all, 24 hours', async () => {
    const effects = await run(`
      const answers = [
        api.cache.set('é'.repeat(32), 'x'), api.cache.set('é'.repeat(33), 'x'), api.cache.set('wide', '€'.repeat(3000)),
        api.cache.set('a', 'x'.repeat(4000)), api.cache.set('b', 'x'.repeat(4000)), api.cache.set('c', 'x'.repeat(4000), { ttl: 1e12 }),
      ].map(({ type }) => type)
      api.idToken.setCustomClaim('answers', answers)
      api.idToken.setCustomClaim('kept', ['a', 'b', 'c'].filter((key) => api.cache.get(key)))
      api.idToken.setCustomClaim('ends', api.cache.get('c').expires_at)`)
    expect(effects.idTokenClaims).toEqual({
      answers: ['success', 'error', 'error', 'success', 'success', 'success'],
      kept: ['b', 'c'],
      ends: fixedClock().now().getTime() + 24 * 3_600_000,
    })
  })

  it('remembers in api.cache, per trigger', async () => {
    const body = `
      const known = api.cache.get('n')
      api.cache.set('n', String(Number(known?.value ?? 0) + 1), { ttl: 60000 })
      api.idToken.setCustomClaim('n', known?.value ?? 'none')
      api.idToken.setCustomClaim('gone', api.cache.delete('nothing').code)`
    const engine = bench.login(body)
    const seen = []
    for (let i = 0; i < 3; i += 1) seen.push((await engine.run('post-login', loginEvent())).idTokenClaims)
    expect(seen[0]).toEqual({ n: 'none', gone: 'CacheKeyDoesNotExist' })
    expect(seen.at(-1)?.n).not.toBe('none')
  })

  it('keeps what was printed', async () => {
    const engine = bench.login("console.log('seen', { a: [1] }, null); console.warn(new TypeError('odd'))")
    await engine.run('post-login', loginEvent())
    expect(engine.records).toMatchObject([
      {
        outcome: 'ok',
        trigger: 'post-login',
        action: 'Tested',
        userId: 'auth0|1',
        clientId: 'web',
        lines: [
          { level: 'log', text: 'seen {"a":[1]} null' },
          { level: 'warn', text: 'TypeError: odd' },
        ],
      },
    ])
  })
})

describe('redirect.canRedirect', () => {
  it.each([
    [{ protocol: 'oidc-basic-profile', prompt: ['login'] }, true],
    [{ protocol: 'samlp' }, true],
    [{ protocol: 'oauth2-device-code' }, true],
    [{ protocol: 'oidc-basic-profile', prompt: ['none'] }, false],
    [{ protocol: 'oauth2-password' }, false],
    [{ protocol: 'oauth2-resource-owner' }, false],
    [{ protocol: 'oauth2-refresh-token' }, false],
  ])('redirect.canRedirect for %j is %s', async (transaction, can) => {
    const event = loginEvent({
      transaction: { acr_values: [], locale: 'en', requested_scopes: [], ui_locales: [], ...transaction },
    })
    const engine = bench.login("api.idToken.setCustomClaim('https://a.test/can', api.redirect.canRedirect())")
    expect((await engine.run('post-login', event)).idTokenClaims).toEqual({ 'https://a.test/can': can })
  })
})

describe('the other triggers', () => {
  it('the trigger credentials-exchange can set claims of the access token and refuse it', async () => {
    const { user: _, connection: _c, stats: _s, ...rest } = loginEvent()
    const event: CredentialsExchangeEvent = {
      ...rest,
      accessToken: { customClaims: {}, scope: ['read:a'] },
      resource_server: { identifier: 'https://api.example' },
      transaction: { requested_scopes: ['read:a'], target_scopes: ['read:a'] },
    }
    const of = (body: string) =>
      bench
        .engine({
          trigger: 'credentials-exchange',
          code: `exports.onExecuteCredentialsExchange = async (event, api) => {${body}}`,
        })
        .run('credentials-exchange', event)
    expect(
      (await of("api.accessToken.setCustomClaim('https://x.example/s', event.accessToken.scope)")).accessTokenClaims,
    ).toEqual({ 'https://x.example/s': ['read:a'] })
    expect((await of("api.access.deny('invalid_scope', 'No')")).denied).toMatchObject({
      code: 'invalid_scope',
      reason: 'No',
    })
    expect((await of("api.access.deny('server_error', 'No')")).denied).toMatchObject({
      code: 'access_denied',
      failed: false,
    })
    expect((await of("api.idToken.setCustomClaim('a', 1)")).denied).toMatchObject({ failed: true })
  })

  it('the trigger pre-user-registration can refuse the new user and set metadata', async () => {
    const event: PreUserRegistrationEvent = {
      ...loginEvent(),
      user: { email: 'a@b.example', user_metadata: {}, app_metadata: {} },
    }
    const of = (body: string) =>
      bench
        .engine({
          trigger: 'pre-user-registration',
          code: `exports.onExecutePreUserRegistration = async (event, api) => {${body}}`,
        })
        .run('pre-user-registration', event)
    expect((await of("api.access.deny('blocked domain', 'Please use your work address')")).denied).toEqual({
      code: 'access_denied',
      reason: 'blocked domain',
      userMessage: 'Please use your work address',
      failed: false,
    })
    expect((await of("api.validation.error('invalid_payload', 'Too short')")).denied).toMatchObject({
      code: 'invalid_payload',
      userMessage: 'Too short',
    })
    expect((await of("api.user.setUserMetadata('a', 1)")).userMetadata).toEqual({ a: 1 })
  })

  it.each([
    ['post-user-registration', 'onExecutePostUserRegistration', false],
    ['post-change-password', 'onExecutePostChangePassword', false],
    ['post-login', 'onExecutePostLogin', true],
  ] as const)('%s: what fails denies or passes by itself', async (trigger, handler, denied) => {
    const engine = bench.engine({ trigger, code: `exports.${handler} = () => { throw new Error('broken') }` })
    const effects = await engine.run(trigger, loginEvent())
    expect(effects.denied !== null).toBe(denied)
    expect(engine.records).toMatchObject([
      { outcome: 'threw', reason: expect.stringMatching(/^Error: broken \(Tested\.js:1:\d+\)$/) },
    ])
  })
})

describe('the time of a trigger', () => {
  it('is shared by its actions, and the reason names what the actions before took', async () => {
    const clock = fixedClock()
    const limits: [number, number][] = []
    const slow: Sandbox = {
      run: async (_tenant, { milliseconds, elapsed }) => {
        limits.push([milliseconds, elapsed])
        clock.advance(19)
        return { outcome: 'late', error: null, calls: [], lines: [], droppedLines: 0, milliseconds, requests: [] }
      },
      settled: async () => {},
      close() {},
    }
    const passing = bench.engineOn(
      { sandbox: slow, clock },
      ...['A', 'B', 'C'].map((name) => ({
        name,
        on_failure: 'pass' as const,
        code: 'exports.onExecutePostLogin = () => {}',
      })),
    )
    expect((await passing.run('post-login', loginEvent())).denied).toBeNull()
    expect(limits).toEqual([
      [500, 20_000],
      [500, 1_000],
    ])
    expect(passing.records.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['late', 'it waited longer than the 20000 ms that the actions of its trigger had left'],
      ['late', 'it waited longer than the 1000 ms that the actions of its trigger had left'],
      ['late', 'the actions before it took more than 20000 ms'],
    ])
  })
})

describe('what is bound', () => {
  it('says so for nothing', () => {
    const engine = bench.login('')
    expect([engine.isBound('post-login'), engine.isBound('credentials-exchange')]).toEqual([true, false])
  })

  it('passes if its setting says so, and the others continue', async () => {
    const engine = bench.engine(
      { name: 'A', on_failure: 'pass', code: 'exports.onExecutePostLogin = () => new ArrayBuffer(1e9)' },
      { name: 'B', code: "exports.onExecutePostLogin = async (e, api) => { api.idToken.setCustomClaim('b', 1) }" },
    )
    expect(await engine.run('post-login', loginEvent())).toEqual({ ...noEffects(), idTokenClaims: { b: 1 } })
    expect(engine.records.map(({ outcome }) => outcome)).toEqual(['memory', 'ok'])
  })

  it('does not run what is not deployed', async () => {
    const idle = bench.login("api.access.deny('no')", { deployed: false })
    expect(await idle.run('post-login', loginEvent())).toEqual(noEffects())
    expect(idle.records).toEqual([])
  })

  it.each([
    ['missing', null, true],
    ['made for another trigger', { trigger: 'post-user-registration' }, true],
    ['made for another trigger that it may fail at', { trigger: 'post-login', on_failure: 'pass' }, false],
  ] as const)('is %s, and fails as the trigger that it is bound at has it', async (_case, made, denied) => {
    const bound = made?.trigger === 'post-login' ? 'pre-user-registration' : 'post-login'
    const code = 'exports.onExecuteNothing = () => {}'
    const engine = bench.engine(...(made ? [{ name: 'Moved', code, ...made }] : []))
    engine.triggers[bound] = [{ action_name: 'Moved' }]
    const effects = await engine.run(bound, loginEvent() as never)
    expect(effects.denied?.failed ?? false).toBe(denied)
    expect(engine.records).toHaveLength(1)
  })

  it('answers 503 when too many decisions wait, and drops notifications', async () => {
    const engine = bench.login('for (let i = 0; i < 3e5; i++) ;')
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => engine.run('post-login', loginEvent())))
    const refused = all.filter((each) => each.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'temporarily_unavailable' })
  })
})

describe('the reason of an action that threw', () => {
  it.each([
    ['its line and column', 'exports.onExecutePostLogin = () => {\n  null.x\n}', /^TypeError: .* \(Tested\.js:2:3\)$/],
    [
      'the line of what cannot be read',
      'exports.onExecutePostLogin = () => {\n  return )\n}',
      /^SyntaxError: .* \(Tested\.js:2\)$/,
    ],
    [
      'the place of the action, where the platform threw',
      "exports.onExecutePostLogin = () => {\n  new URL('none')\n}",
      /^TypeError: .* \(Tested\.js:2:\d+\)$/,
    ],
    ['no place where none is known', "exports.onExecutePostLogin = () => { throw 'a text' }", /^Thrown: a text$/],
  ])('the reason of a failed action contains %s', async (_, code, reason) => {
    const engine = bench.engine({ code })
    await engine.run('post-login', loginEvent())
    expect(engine.records).toMatchObject([{ outcome: 'threw', reason: expect.stringMatching(reason) }])
  })
})
