// Actions that try to escape, to persist, or to crash the process (threat-model.md AC1 to AC5). Each is contained and logged, and
// the same process runs the next action normally.
import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'
import { countTurns } from '../../../testing/turns'

const bench = actionBench()
afterAll(() => bench.close())

/** The process is alive, and a valid action still works. */
afterEach(async () => {
  expect(await runGood()).toEqual({
    records: [['ok', null]],
    idTokenClaims: {
      'https://x.example/alive': 'undefined',
    },
  })
})

async function runGood(): Promise<object> {
  const engine = bench.login("api.idToken.setCustomClaim('https://x.example/alive', typeof globalThis.left)")
  const { idTokenClaims } = await engine.run('post-login', loginEvent())
  return { idTokenClaims, records: engine.records.map(({ outcome, reason }) => [outcome, reason]) }
}

async function trying(body: string, { login }: Pick<typeof bench, 'login'> = bench) {
  const engine = login(body)
  const effects = await engine.run('post-login', loginEvent())
  expect(engine.records).toHaveLength(1)
  return { effects, record: engine.records[0] }
}

/** The value of an expression inside the sandbox. */
async function found(expression: string): Promise<unknown> {
  const { effects } = await trying(`api.idToken.setCustomClaim('https://x.example/found', ${expression})`)
  return effects.idTokenClaims['https://x.example/found']
}

describe('nothing of the host is inside', () => {
  it.each([
    'process.reallyExit',
    'process.nextTick.constructor.constructor("return this")().process.reallyExit',
    'require.cache',
    'require.main',
    'module.parent',
    'module.constructor._load',
    'XMLHttpRequest',
    'WebSocket',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'Worker',
    'postMessage',
    'parentPort',
    'std',
    'os',
    'scriptArgs',
    'Deno',
    'WeakRef',
    'FinalizationRegistry',
    'globalThis.host',
  ])('the name %s is undefined inside the sandbox', async (name) => {
    expect(await found(`typeof ${name}`)).toBe('undefined')
  })

  it.each([
    [
      'the constructor of a constructor',
      'typeof api.access.deny.constructor.constructor("return this.process.reallyExit")()',
    ],
    ['through the event', 'typeof event.constructor.constructor("return this.process.reallyExit")()'],
    ['through console', 'typeof console.log.constructor("return process")'],
    [
      'through a thrown error',
      '(() => { try { require("fs") } catch (e) { return typeof e.constructor.constructor("return this.process.reallyExit")() } })()',
    ],
    ['Function', 'typeof Function("return this.require")()'],
    ['eval', 'typeof (0, eval)("this.process.reallyExit")'],
    [
      'a walk over prototypes',
      '(() => { let o = api; while (Object.getPrototypeOf(o)) o = Object.getPrototypeOf(o); return typeof o.constructor.constructor("return this.process.reallyExit")() })()',
    ],
    ['a generator', 'typeof (function* () {}).constructor("return this.process.reallyExit")().next().value'],
    ['an async function', 'typeof (await (async () => {}).constructor("return this.process.reallyExit")())'],
    [
      'arguments.callee.caller',
      '(() => { try { return typeof (function () { return arguments.callee.caller })() } catch { return "undefined" } })()',
    ],
    [
      'stack frames',
      '(() => { Error.prepareStackTrace = (_, frames) => frames; const s = new Error().stack; return typeof (s?.[0]?.getThis?.()) })()',
    ],
  ])('the host cannot be reached: %s', async (_, expression) => {
    expect(await found(expression)).toBe(_ === 'through console' ? 'function' : 'undefined')
  })

  const NO_DEPENDENCY = 'it is no module of Node.js that actions have, and no dependency of this action'
  it.each([
    ['fs', 'actions have no file system'],
    ['node:child_process', 'actions start no processes and no threads'],
    ['dgram', 'actions send no datagrams'],
    ['../../../../package.json', NO_DEPENDENCY],
    ['auth0', NO_DEPENDENCY],
  ])('require(%j) is refused, and says so', async (name, why) => {
    const { effects, record } = await trying(`require(${JSON.stringify(name)})`)
    expect(effects.denied).toMatchObject({ code: 'access_denied', failed: true })
    expect(record).toMatchObject({
      outcome: 'threw',
      reason: expect.stringContaining(`Cannot find module '${name}'`),
    })
    expect(record?.lines).toEqual([{ level: 'error', text: `require(${name}) was refused: ${why}` }])
  })

  it.each(["import('fs')", "import('node:fs')", "import('/etc/passwd')", "import('data:text/javascript,1')"])(
    'the import %s fails',
    async (code) => {
      const { record } = await trying(`await ${code}`)
      expect(record).toMatchObject({ outcome: 'threw' })
    },
  )

  it('reaches no socket by any name', async () => {
    const server = createServer(() => {
      throw new Error('reached')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { record } = await trying("await fetch('http://127.0.0.1:1')")
    expect(record?.outcome).toBe('threw')
    server.close()
  })

  it('is not left by closing the wrapper around the code', async () => {
    const engine = bench.engine({ code: '}); globalThis.left = typeof process; (function (exports) {' })
    expect((await engine.run('post-login', loginEvent())).denied?.failed).toBe(true)
    expect(engine.records[0]?.outcome).toBe('threw')
  })
})

// Each of these uses a constant amount of memory, so that time is the limit on any machine.
describe('time', () => {
  it.each([
    ['a loop', 'for (;;) {}'],
    ['a loop in a finally', 'try { throw 1 } finally { for (;;) {} }'],
    ['a loop that catches', 'for (;;) { try { for (;;) {} } catch {} }'],
    ['a loop at the top', null],
    ['awaiting without end', 'for (;;) await 0'],
    [
      'a chain that nothing awaits',
      'const again = () => void Promise.resolve().then(again); again(); await new Promise(() => {})',
    ],
    [
      'a loop in a promise that nothing awaits',
      'Promise.resolve().then(() => { for (;;) {} }); await new Promise(() => {})',
    ],
    ['a regular expression', "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
    ['a regular expression that backtracks', "/(x+x+)+y/.test('x'.repeat(100000))"],
    [
      'sorting, which looks at no clock',
      'const a = Array.from({ length: 1e5 }, () => Math.random()); for (;;) a.sort()',
    ],
    [
      'searching, which looks at no clock',
      "const s = 'a'.repeat(2e6), t = 'a'.repeat(1e6) + 'b'; for (;;) s.indexOf(t)",
    ],
    ['an endless length', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['joining', "Array(2 ** 32 - 1).join('')"],
    ['large numbers', 'let b = 3n ** 200000n; for (;;) b.toString()'],
    ['a getter of the result', "api.idToken.setCustomClaim('https://x.example/a', { get a() { for (;;) {} } })"],
    [
      'a proxy as the result',
      "api.idToken.setCustomClaim('https://x.example/a', new Proxy({}, { ownKeys() { for (;;) {} } }))",
    ],
    ['toJSON of the result', "api.idToken.setCustomClaim('https://x.example/a', { toJSON() { for (;;) {} } })"],
    ['a thenable', 'return { then() { for (;;) {} } }'],
    [
      'a thenable that is never met',
      'return { then() { const again = () => void Promise.resolve().then(again); again() } }',
    ],
    [
      'a thrown thing that hangs',
      'throw { toString() { for (;;) {} }, get name() { for (;;) {} }, toJSON() { for (;;) {} } }',
    ],
    ['an error that hangs', "throw Object.defineProperty(new Error(''), 'message', { get() { for (;;) {} } })"],
    ['a generator', 'function* g() { for (;;) yield 1 } for (const _ of g()) ;'],
    ['an async generator', 'async function* g() { for (;;) yield 1 } for await (const _ of g()) ;'],
    ['printing', "for (;;) console.log('x')"],
  ])('%s is over in time', async (_, body) => {
    const engine = body === null ? bench.timeLimited.engine({ code: 'for (;;) {}' }) : bench.timeLimited.login(body)
    const effects = await engine.run('post-login', loginEvent())
    expect(effects.denied).toMatchObject({ failed: true })
    expect(engine.records).toMatchObject([{ outcome: 'timeout', userId: 'auth0|1', clientId: 'web', action: 'Tested' }])
    expect(engine.records[0]?.lines.length).toBeLessThanOrEqual(101)
  })

  it.each([
    'await new Promise(() => {})',
    'return { then() {} }',
    'Promise.reject(new Error("lost")); await new Promise(() => {})',
  ])('ends without waiting for the limit where nothing will ever settle: %s', async (body) => {
    expect((await trying(body)).record).toMatchObject({
      outcome: 'unsettled',
      reason: expect.stringContaining('a promise that nothing will settle'),
    })
  })

  it('ends with the handler, not with what the handler left behind', async () => {
    const { record } = await trying(
      'const loop = async () => { for (let i = 0; i < 9; i++) await 0; for (;;) {} }; loop()',
    )
    expect(record).toMatchObject({ outcome: 'ok', reason: null })
  })

  it('does not hold up the process', async () => {
    // A thread is ready, so only the loop takes time.
    await runGood()
    const turns = countTurns()
    await bench.timeLimited.login('for (;;) {}').run('post-login', loginEvent())
    // If the run blocked the event loop, it would turn once or twice.
    expect(turns.end()).toBeGreaterThan(10)
  })
})

// Only the limits of memory and of the stack apply to these.
describe('memory and size', () => {
  it.each([
    ['arrays', 'const all = []; for (;;) all.push(new Uint8Array(1e6))'],
    ['small objects', 'const all = []; for (;;) all.push({})'],
    ['one buffer', 'new ArrayBuffer(2 ** 25)'],
    ['the largest buffer', 'new ArrayBuffer(2 ** 31 - 1)'],
    ['padding', "''.padEnd(2 ** 29, 'ab')"],
    ['a filled array', 'new Array(2 ** 32 - 1).fill(0)'],
    ['spreading', 'Math.max(...new Array(1e7))'],
    ['maps', "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x'.repeat(1000) + i)"],
    ['closures', 'let f = () => 0; for (;;) { const g = f; f = () => g() }'],
    ['garbage that the action still holds', 'globalThis.all = []; for (;;) all.push([all])'],
    ['what the action catches', 'const all = []; for (;;) { try { for (;;) all.push(new Uint8Array(1e5)) } catch {} }'],
    ['what the action catches and survives', 'try { new ArrayBuffer(1e9) } catch {}'],
    ['what the action throws as something else', 'try { new ArrayBuffer(1e9) } catch { throw new Error("mine") }'],
    ['promises without end', 'const again = () => Promise.resolve().then(again); await again()'],
    [
      'a chain that nothing awaits',
      'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})',
    ],
    ['two chains', 'const again = () => Promise.resolve().then(again); again(); for (;;) await 0'],
    [
      'a thenable that is never met',
      'return { then(resolve) { const again = () => Promise.resolve().then(again); again() } }',
    ],
    [
      'a promise that nothing awaits',
      'Promise.resolve().then(() => { const all = []; for (;;) all.push({}) }); await new Promise(() => {})',
    ],
    [
      'an async function that nothing awaits',
      'const fill = async () => { await 0; new ArrayBuffer(1e9) }; fill(); await new Promise(() => {})',
    ],
    ['the constructor of a promise', 'await new Promise(() => { new ArrayBuffer(1e9) })'],
    [
      'an async generator',
      'async function* g() { const all = []; for (;;) { all.push(new Uint8Array(1e5)); yield 1 } } for await (const _ of g()) ;',
    ],
  ])('%s: the memory is used up, and the reason says so', async (_, body) => {
    const { effects, record } = await trying(body)
    expect(effects.denied?.failed).toBe(true)
    expect(record).toMatchObject({ outcome: 'memory', reason: 'it used more memory than it may use' })
  })

  it.each([
    ['a string that doubles', "let s = 'x'; for (;;) s += s"],
    ['repeat', "'x'.repeat(2 ** 30)"],
    ['a large BigInt', 'let b = 2n; for (;;) b *= b'],
    ['a regular expression', "new RegExp('('.repeat(1e6))"],
    ['nested calls', 'const f = () => f(); f()'],
    ['nested values', 'let a = []; for (let i = 0; i < 3e4; i++) a = [a]; String(a)'],
    ['nested text', "JSON.parse('['.repeat(1e6))"],
    ['nested code', "eval('('.repeat(1e6))"],
    ['nested proxies', 'let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); p.x; throw 1'],
    ['toString of itself', "const o = { toString() { return '' + o } }; '' + o"],
    ['a getter of itself', 'const o = { get x() { return this.x } }; o.x'],
    ['generators of themselves', 'function* g() { yield* g() } [...g()]'],
    ['flattening itself', 'const a = []; a.push(a); a.flat(Infinity)'],
    ['an error of the name of a limit', "throw new Error('out of memory')"],
    ['an error with a long name', "throw Object.assign(new Error('x'), { name: 'n'.repeat(1e5) })"],
  ])('%s: the interpreter throws, and the reason is the error', async (_, body) => {
    const { effects, record } = await trying(body)
    expect(effects.denied?.failed).toBe(true)
    expect(record?.outcome).toBe('threw')
    expect(record?.reason).toMatch(/^\w+: .+/)
  })

  it('what a promise of the action throws at the interpreter ends the run, and the reason is the error', async () => {
    const { record } = await trying(`
      class Odd extends Promise {
        constructor(executor) {
          super(() => {})
          executor(() => { throw new TypeError('odd') }, () => {})
        }
      }
      Promise.prototype.then.call(Object.setPrototypeOf(Promise.resolve(), Odd.prototype), () => 1)
      await new Promise(() => {})`)
    expect(record).toMatchObject({ outcome: 'threw', reason: expect.stringContaining('TypeError: odd') })
  })

  it.each([
    'Array.from({ length: 14 }, () => new Uint8Array(2 ** 20))',
    'Array.from({ length: 1e5 }, (_, i) => ({ i }))',
    'for (let i = 0; i < 1e4; i++) await new Promise((resolve) => resolve(new Uint8Array(1e5)))',
  ])('a run may use sixteen MiB, again and again: %s', async (body) => {
    for (let round = 0; round < 3; round++) expect((await trying(body)).record).toMatchObject({ outcome: 'ok' })
  })

  it.each([
    ['one large claim', "api.idToken.setCustomClaim('https://x.example/a', 'x'.repeat(1e6))"],
    ['one that is caught', "try { api.idToken.setCustomClaim('https://x.example/a', 'x'.repeat(1e6)) } catch {}"],
    ['many calls', "for (let i = 0; i < 1e4; i++) api.accessToken.addScope('s' + i)"],
    [
      'much in all',
      "for (let i = 0; i < 100; i++) api.idToken.setCustomClaim('https://x.example/' + i, 'x'.repeat(2000))",
    ],
    [
      'one in a promise that nothing awaits',
      "const add = async () => { await 0; api.accessToken.addScope('x'.repeat(1e6)) }; add(); await new Promise(() => {})",
    ],
  ])('%s is too much', async (_, body) => {
    const { effects, record } = await trying(body)
    expect(effects).toMatchObject({ denied: { failed: true }, idTokenClaims: {}, addScopes: [] })
    expect(record?.outcome).toBe('output')
  })

  it('keeps a hundred lines of what is printed, each short', async () => {
    const { record } = await trying("for (let i = 0; i < 500; i++) console.log('x'.repeat(i === 0 ? 1e5 : 10))")
    expect(record?.outcome).toBe('ok')
    expect(record?.lines).toHaveLength(101)
    expect(record?.lines[0]?.text).toHaveLength(1000)
    expect(record?.lines.at(-1)).toEqual({ level: 'warn', text: '400 further lines were dropped' })
  })
})

describe('what comes out is data', () => {
  it('takes no prototype from a claim or from metadata', async () => {
    const { effects, record } = await trying(`
      api.idToken.setCustomClaim('https://x.example/a', JSON.parse('{"__proto__":{"polluted":1},"b":{"constructor":2,"c":3}}'))`)
    expect(record?.outcome).toBe('ok')
    expect(effects.idTokenClaims).toEqual({ 'https://x.example/a': { b: { c: 3 } } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'prototype', ''])('refuses metadata of the name %j', async (name) => {
    const { record } = await trying(`api.user.setAppMetadata(${JSON.stringify(name)}, { polluted: 1 })`)
    expect(record?.outcome).toBe('rubbish')
  })

  it.each([
    ['a BigInt', "api.idToken.setCustomClaim('https://x.example/a', 1n)", 'threw'],
    ['a circle', "const a = {}; a.a = a; api.idToken.setCustomClaim('https://x.example/a', a)", 'threw'],
    ['a name that is no text', "api.idToken.setCustomClaim({ toString: () => 'x' }, 1)", 'rubbish'],
    ['a reason that is no text', 'api.access.deny({ a: 1 })', 'rubbish'],
    [
      'a deep value',
      "let a = 1; for (let i = 0; i < 500; i++) a = [a]; api.idToken.setCustomClaim('https://x.example/a', a)",
      'rubbish',
    ],
    ['a scope with a space', "api.accessToken.addScope('a b')", 'rubbish'],
    ['a script as redirect', "api.redirect.sendUserTo('javascript:alert(1)')", 'rubbish'],
    ['a redirect with user info', "api.redirect.sendUserTo('https://a@b.example/')", 'rubbish'],
    ['a factor that is nowhere', "api.authentication.challengeWith({ type: 'palm' })", 'rubbish'],
    ['a call that is not there', "api.samlResponse.setRelayState('a')", 'threw'],
  ])('an output with %s fails the run', async (_, body, outcome) => {
    const { effects, record } = await trying(body)
    expect(record?.outcome).toBe(outcome)
    expect(effects).toMatchObject({ denied: { failed: true }, redirect: null, idTokenClaims: {} })
  })

  it.each(['sub', 'iss', 'aud', 'exp', 'permissions', 'email', 'https://auth0.com/x'])(
    'leaves the claim %s alone',
    async (claim) => {
      const { effects, record } = await trying(`api.accessToken.setCustomClaim(${JSON.stringify(claim)}, 'root')`)
      expect(effects.accessTokenClaims).toEqual({})
      expect(record?.lines[0]?.text).toContain(`the claim ${claim} was ignored`)
    },
  )

  it('believes nothing that forged globals say', async () => {
    const { effects } = await trying(`
      JSON.stringify = () => '["access.deny"]'; JSON.parse = () => null; Array.prototype.push = () => 0
      Object.prototype.deny = 1; Promise.prototype.then = () => { throw 1 }; globalThis.Error = null; String = null
      api.idToken.setCustomClaim('https://x.example/a', 1)`)
    expect(effects).toMatchObject({ denied: null, idTokenClaims: { 'https://x.example/a': 1 } })
  })
})

describe('one run knows nothing of another', () => {
  it('loses globals, changed built-ins and module state', async () => {
    const engine = bench.engine({
      code: `let count = 0
        exports.onExecutePostLogin = async (event, api) => {
          count += 1
          const seen = [count, typeof globalThis.left, [].taken, event.user.user_id]
          globalThis.left = event.user; Array.prototype.taken = event.user.user_id; Object.prototype.taken = 1
          api.idToken.setCustomClaim('https://x.example/seen', seen.map(String))
        }`,
    })
    for (const id of ['auth0|1', 'auth0|2', 'auth0|3', 'auth0|4']) {
      const event = loginEvent({ user: { user_id: id, user_metadata: {}, app_metadata: {} } })
      const { idTokenClaims } = await engine.run('post-login', event)
      expect(idTokenClaims['https://x.example/seen']).toEqual(['1', 'undefined', 'undefined', id])
    }
  })

  it('changes nothing of the event that the server holds', async () => {
    const event = loginEvent()
    await bench
      .login('event.user.user_id = "auth0|9"; event.authorization.roles.push("Admin")')
      .run('post-login', event)
    expect(event).toEqual(loginEvent())
  })

  it('prints none of its secrets', async () => {
    const engine = bench.login('console.log(event.secrets); throw new Error(event.secrets.KEY)', {
      secrets: { KEY: 'a very secret value' },
    })
    await engine.run('post-login', loginEvent())
    expect(JSON.stringify(engine.records)).not.toContain('a very secret value')
    expect(engine.records[0]).toMatchObject({ reason: expect.stringContaining('***') })
  })
})
