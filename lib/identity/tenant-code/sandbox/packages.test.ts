// Packages of an action: loaded once into an image, except what must differ from run to run; bounded, and of one tenant alone
// (threat-model.md AC2, AC5, AC7, BF14).
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxFiles } from '../../../server/runtime/actions'
import { testServices } from '../../../testing/actions'
import type { SandboxJob } from './job'
import { createSandbox } from './sandbox'

const LONG_MS = 60_000
const MIB = 1024 * 1024

/** The body of each package; its value is what `require` returns. */
const bundled = (packages: Record<string, string>) => {
  const code = `(require) => ({ ${Object.entries(packages)
    .map(([name, body]) => `get ${JSON.stringify(name)}() { ${body} }`)
    .join(', ')} })`
  const bundle = { digest: `digest of ${code}`, made: 0, code: () => Promise.resolve(code) }
  return {
    ...bundle,
    code: () => {
      bundle.made += 1
      return bundle.code()
    },
    get made() {
      return bundle.made
    },
  }
}

const job = (body: string, bundle: SandboxJob['bundle'] = null, more: Partial<SandboxJob> = {}): SandboxJob => ({
  code: `exports.run = async (event, api) => { ${body} }`,
  bundle,
  file: 'tested.js',
  handler: 'run',
  optional: false,
  methods: [],
  event: '{}',
  cache: 'none',
  now: 0,
  seed: [1, 2, 3, 4],
  elapsed: LONG_MS,
  milliseconds: LONG_MS,
  ...more,
})

type Options = Partial<Parameters<typeof createSandbox>[0]>
const opened: { close(): void }[] = []
function threads(more: Options = {}) {
  const sandbox = createSandbox({
    ...sandboxFiles(process.cwd()),
    ...{ services: testServices(), threads: 2, queueLimit: 100, preparing: LONG_MS },
    ...more,
  })
  opened.push(sandbox)
  return sandbox
}
afterAll(() => {
  for (const each of opened) each.close()
})

const printed = async (sandbox: ReturnType<typeof threads>, tenant: string, given: SandboxJob) => {
  const { outcome, error, lines } = await sandbox.run(tenant, given)
  return outcome === 'ok' ? lines.map(([, text]) => text) : [outcome, error?.message]
}

describe('the packages of an action', () => {
  const sandbox = threads()

  it('are loaded once for all runs, also if many begin at the same time', async () => {
    const bundle = bundled({ 'a-package': 'globalThis.ready = true; return { twice: (n) => n * 2 }' })
    const given = job("console.log(globalThis.ready, require('a-package').twice(21))", bundle)
    const cold = await Promise.all(Array.from({ length: 10 }, () => printed(sandbox, 'many', given)))
    expect(cold).toEqual(cold.map(() => ['true 42']))
    expect(await printed(sandbox, 'many', given)).toEqual(['true 42'])
    expect(bundle.made).toBe(1)
  })

  it('are evaluated by themselves: one requires what another one is, and modules of Node.js', async () => {
    const bundle = bundled({
      first: "return { second: require('second') }",
      second: "return { digest: require('node:crypto').createHash('sha256').update('a').digest('hex').slice(0, 8) }",
      'second/part': 'return 7',
    })
    const body = "console.log(require('first').second.digest, require('second/part'))"
    expect(await printed(sandbox, 'parts', job(body, bundle))).toEqual(['ca978112 7'])
    expect(await printed(sandbox, 'parts', job("require('third')", bundle))).toEqual([
      'threw',
      expect.stringContaining("Cannot find module 'third'"),
    ])
  })

  it('share nothing that a run can change, with other runs or with other tenants', async () => {
    const bundle = bundled({ shared: 'return { list: [] }' })
    const given = (name: string) =>
      job(
        `const { list } = require('shared'); console.log(list.length, typeof globalThis.left, typeof Array.prototype.left)
         list.push('${name}'); globalThis.left = 1; Array.prototype.left = 1`,
        bundle,
      )
    for (const tenant of ['one', 'two', 'one', 'two'])
      expect(await printed(sandbox, tenant, given(tenant))).toEqual(['0 undefined undefined'])
    expect(bundle.made).toBe(2)
  })

  it('of one action are not those of another one', async () => {
    const [one, two] = [bundled({ it: 'return 1' }), bundled({ it: 'return 2' })]
    const body = "console.log(require('it'))"
    for (const [bundle, line] of [
      [one, '1'],
      [two, '2'],
      [one, '1'],
    ] as const)
      expect(await printed(sandbox, 'both', job(body, bundle))).toEqual([line])
    expect(await printed(sandbox, 'both', job(body))).toEqual([
      'threw',
      expect.stringContaining("Cannot find module 'it'"),
    ])
  })

  it('throw their own error where they are required, and leave the others alone', async () => {
    const bundle = bundled({
      good: 'return 1',
      bad: "globalThis.half = true; throw Object.assign(new TypeError('not today'), { code: 'ETODAY' })",
    })
    const body = `console.log(require('good'), typeof globalThis.half)
      for (let i = 0; i < 2; i += 1) try { require('bad') } catch (error) { console.log(error instanceof TypeError, error.message, error.code) }`
    expect(await printed(sandbox, 'bad', job(body, bundle))).toEqual([
      '1 undefined',
      'true not today ETODAY',
      'true not today ETODAY',
    ])
    expect(await printed(sandbox, 'bad', job("require('bad')", bundle))).toEqual(['threw', 'not today'])
  })

  it('that no interpreter can read fail their action with the reason', async () => {
    const bundle = { digest: 'unread', code: async () => '(require) => ({ get it() {' }
    expect(await printed(sandbox, 'unread', job("require('it')", bundle))).toEqual([
      'threw',
      expect.stringMatching(/^the packages of this action cannot be read: /),
    ])
    expect(await printed(sandbox, 'unread', job("console.log(require('node:path').basename('/a/b'))", bundle))).toEqual(
      ['b'],
    )
  })

  it('begin and print in each run what they begin and print while they load', async () => {
    const bundle = bundled({
      timed: `console.log('loading'); const one = { fired: false }
        setTimeout(() => { one.fired = true }); clearTimeout(setTimeout(() => { one.wrong = true })); return one`,
    })
    const body =
      "const one = require('timed'); console.log(one.fired); await new Promise((r) => setTimeout(r, 20)); console.log(JSON.stringify(one))"
    for (const _ of [1, 2])
      expect(await printed(sandbox, 'timed', job(body, bundle))).toEqual(['loading', 'false', '{"fired":true}'])
  })

  it.each([
    ['begin much', 'for (let i = 0; i < 21; i += 1) setTimeout(() => {}, 1e6)', 'ok'],
    ['begin more than a run may', 'try { for (;;) setTimeout(() => {}, 1e6) } catch {}', 'output'],
    ['send much', "fetch('http://10.0.0.1/', { method: 'POST', body: 'x'.repeat(99) }).catch(() => {})", 'ok'],
    [
      'send much as text',
      "for (let i = 0; i < 9; i += 1) fetch('http://10.0.0.1/' + 'x'.repeat(1e4)).catch(() => {})",
      'ok',
    ],
    ['print much', 'for (let i = 0; i < 21; i += 1) console.log(i)', 'ok'],
  ])('are evaluated by each run where they %s while they load', async (_, body, outcome) => {
    const bundle = bundled({ it: `globalThis.loaded = true; ${body}; return 1` })
    const ran = await sandbox.run('much', job("console.log(typeof globalThis.loaded); require('it')", bundle))
    expect([ran.outcome, ran.lines[0]?.[1]]).toEqual([outcome, 'undefined'])
  })

  it('are waited for no longer than the actions of the trigger may wait', async () => {
    const never = { digest: 'never', code: () => new Promise<string>(() => {}) }
    expect((await sandbox.run('never', job('', never, { elapsed: 1 }))).outcome).toBe('late')
  })

  it.each([
    ['another text', 'Array.prototype.toJSON = () => 5; return { get it() {} }'],
    ['nothing', 'Array.prototype.toJSON = () => undefined; return { get it() {} }'],
    ['no text', 'Array.prototype.toJSON = () => { null.x }; return { get it() {} }'],
    ['many names', "return Object.fromEntries(Array.from({ length: 1001 }, (_, i) => ['p' + i, 1]))"],
    ['long names', "return { ['p'.repeat(70000)]: 1 }"],
    ['none', 'return undefined'],
  ])('are no danger to the thread where the bundle has %s for its names', async (name, body) => {
    const bundle = { digest: name, code: async () => `(require) => { ${body} }` }
    expect((await sandbox.run('names', job("require('other')", bundle))).outcome).toBe('threw')
  })

  it.each(['Date.now() && ((require) => ({}))', 'null.x', '(() => { for (const all = []; ; ) all.push({}) })()'])(
    'are refused where the bundle is no function: %s',
    async (code) => {
      const bundle = { digest: code, code: async () => code }
      expect(await printed(sandbox, 'odd', job("require('it')", bundle))).toEqual([
        'threw',
        expect.stringMatching(/^the packages of this action (cannot be read: |took more than 64 MiB)/),
      ])
    },
  )

  it('settle what they wait for while they load', async () => {
    const bundle = bundled({
      later: 'const one = { n: 0 }; Promise.resolve().then(() => { one.n = 1 }).then(() => { one.n += 1 }); return one',
    })
    expect(await printed(sandbox, 'later', job("console.log(require('later').n)", bundle))).toEqual(['2'])
  })

  it('are asked for again after their code could not be had', async () => {
    let fails = true
    const code = async () => {
      if (fails) throw new Error('no database')
      return "(require) => ({ get it() { return 'here' } })"
    }
    const given = job("console.log(require('it'))", { digest: 'sometimes', code })
    await expect(sandbox.run('away', given)).rejects.toThrow('no database')
    fails = false
    expect(await printed(sandbox, 'away', given)).toEqual(['here'])
  })
})

describe('an error', () => {
  const sandbox = threads()
  const thrown = async (given: SandboxJob) => (await sandbox.run('errors', given)).error?.stack.split('\n').slice(0, 2)

  it('in the code of an action names its line and column', async () => {
    const code = "exports.run = async () => { throw new Error('first line') }"
    expect(await thrown({ ...job(''), code })).toEqual(['    at <anonymous> (tested.js:1:39)', expect.any(String)])
    expect(await thrown({ ...job(''), code: `\n${code}` })).toEqual([
      '    at <anonymous> (tested.js:2:39)',
      expect.any(String),
    ])
  })

  it('in a package names its source, if its map can be had', async () => {
    const code = '(require) => ({ get it() { return { f() { null.x } } } })'
    let read = 0
    // Everything is on line 8 of the source.
    const map = async () => {
      read += 1
      return JSON.stringify({ sources: ['../node_modules/it/lib/f.js'], mappings: 'AAOA' })
    }
    const given = (digest: string, map?: () => Promise<string | null>) =>
      job("require('it').f()", { digest, code: async () => code, ...(map && { map }) })
    const places = ['    at f (it/lib/f.js:8:1)', '    at <anonymous> (tested.js:1:53)']
    for (const _ of [1, 2]) expect(await thrown(given('mapped', map))).toEqual(places)
    expect(read).toBe(1)
    const named = { ...given('mapped', map), file: 'packages.js' }
    expect(await thrown(named)).toEqual([places[0], '    at <anonymous> (packages.js:1:53)'])
    const unmapped = [expect.stringMatching(/^ {4}at f \(latchkey\/packages\.js:1:\d+\)$/), places[1]]
    expect(await thrown(given('unmapped'))).toEqual(unmapped)
    for (const bad of [async () => null, async () => 'no map', () => Promise.reject(new Error('no database'))])
      expect(await thrown(given(String(bad), bad))).toEqual(unmapped)
  })
})

describe('a package that must differ from run to run', () => {
  const sandbox = threads()

  it.each([
    ['crypto.randomUUID', 'return crypto.randomUUID()'],
    ['crypto.getRandomValues', 'return crypto.getRandomValues(new Uint32Array(4)).join()'],
    ['randomBytes', "return require('crypto').randomBytes(16).toString('hex')"],
    [
      'a key',
      "return require('crypto').generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })",
    ],
    ['a salt', "return require('bcryptjs').genSaltSync(4)"],
    ['Math.random', 'return String(Math.random())'],
    ['Math.random by another name', 'const { random } = Math; return String(random())'],
    ['a promise', 'const one = {}; Promise.resolve().then(() => { one.key = crypto.randomUUID() }); return one'],
  ])('is evaluated by each run: %s', async (name, body) => {
    const bundle = bundled({ it: `globalThis.loaded = true; ${body}`, other: 'globalThis.other = true' })
    const code = `console.log(typeof globalThis.loaded, typeof globalThis.other)
      const it = require('it'); await 0; await 0; console.log(JSON.stringify(it), require('it') === it)`
    const [one, two] = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ].map((seed) => printed(sandbox, name, job(code, bundle, { seed })))
    const lines = [await one, await two]
    expect(lines.map((each) => each?.[0])).toEqual(['undefined boolean', 'undefined boolean'])
    expect(lines[0]?.[1]).toMatch(/true$/)
    expect(lines[0]?.[1]).not.toBe(lines[1]?.[1])
  })

  it.each(['Date.now()', 'new Date()', 'Date()', 'performance.now()', 'process.hrtime()'])(
    'is evaluated by each run: %s',
    async (expression) => {
      const bundle = bundled({ it: `globalThis.loaded = true; return ${expression}` })
      const body = "console.log(typeof globalThis.loaded); require('it'); console.log(typeof globalThis.loaded)"
      expect(await printed(sandbox, 'clock', job(body, bundle))).toEqual(['undefined', 'boolean'])
    },
  )

  it('takes what it shares with others back with it', async () => {
    const bundle = bundled({
      first: "return require('inner').id",
      inner: 'return globalThis.inner ??= { id: crypto.randomUUID() }',
      last: "return require('inner').id",
    })
    const body = "console.log(typeof globalThis.inner, require('first') === require('last'), require('first'))"
    const [one, two] = [
      await printed(sandbox, 'inner', job(body, bundle)),
      await printed(sandbox, 'inner', job(body, bundle)),
    ]
    expect(one[0]).toMatch(/^undefined true /)
    expect(one).not.toEqual(two)
  })

  it('is not one that keeps Math.random for later: its numbers are those of the run', async () => {
    const bundle = bundled({ it: 'globalThis.loaded = true; const { random } = Math; return () => random()' })
    const given = (seed: number[]) => job("console.log(globalThis.loaded, require('it')())", bundle, { seed })
    const [one, two, same] = [
      await printed(sandbox, 'kept', given([1, 2, 3, 4])),
      await printed(sandbox, 'kept', given([5, 6, 7, 8])),
      await printed(sandbox, 'kept', given([1, 2, 3, 4])),
    ]
    expect(one[0]).toMatch(/^true 0\.\d+/)
    expect(one).not.toEqual(two)
    expect(one).toEqual(same)
  })

  it('is not one that hashes, encodes and formats', async () => {
    const bundle = bundled({
      it: `globalThis.loaded = true; return [require('crypto').createHash('md5').update('a').digest('hex'),
        Buffer.from('a'.repeat(5000)).toString('base64').length, new Intl.NumberFormat('de').format(1234.5), new URL('https://a.test/b').pathname]`,
    })
    expect(await printed(sandbox, 'same', job("console.log(globalThis.loaded, require('it').length)", bundle))).toEqual(
      ['true 4'],
    )
  })
})

describe('a package that exceeds its limits while it loads', () => {
  const alive = async (sandbox: ReturnType<typeof threads>) =>
    expect(await printed(sandbox, 'other', job("console.log(require('it'))", bundled({ it: 'return 1' })))).toEqual([
      '1',
    ])

  it('of memory throws with the reason, and leaves the others alone', async () => {
    const sandbox = threads()
    const bundle = bundled({
      before: 'return 1',
      huge: 'const all = []; for (;;) all.push(new Array(1000).fill({}))',
      caught: 'const all = []; try { for (;;) all.push(new Array(1000).fill({})) } catch {} return 1',
      after: 'return 3',
    })
    const body = `console.log(require('before'), require('after'))
      for (const name of ['huge', 'caught']) try { require(name) } catch (error) { console.log(error.message) }`
    expect(await printed(sandbox, 'huge', job(body, bundle))).toEqual([
      '1 3',
      'the package huge took more than 64 MiB to load',
      'the package caught took more than 64 MiB to load',
    ])
    await alive(sandbox)
  })

  it('of time throws with the reason, and is tried again later', async () => {
    const sandbox = threads({ preparing: 1000, retryAfter: 0 })
    const bundle = bundled({ before: 'return 1', endless: 'for (;;);' })
    const given = job("console.log(require('before')); require('endless')", bundle)
    expect(await printed(sandbox, 'endless', given)).toEqual(['threw', 'the package endless took too long to load'])
    await printed(sandbox, 'endless', given)
    expect(bundle.made).toBe(2)
    await alive(sandbox)
  })

  it('a package that cannot be interrupted costs one thread once, and its action reports it', async () => {
    const sandbox = threads({ preparing: 1000 })
    const bundle = bundled({ deaf: "const s = 'a'.repeat(2e6), t = 'a'.repeat(1e6) + 'b'; for (;;) s.indexOf(t)" })
    const given = job("require('deaf')", bundle)
    const failed = ['broken', 'the packages of this action could not be loaded']
    expect(await printed(sandbox, 'deaf', given)).toEqual(failed)
    expect(await printed(sandbox, 'deaf', given)).toEqual(failed)
    expect(bundle.made).toBe(1)
    await alive(sandbox)
  })

  it('leaves runs the memory of a plain action, also if each run evaluates it', async () => {
    const sandbox = threads()
    const bundle = bundled({ large: `Math.random(); return new Uint8Array(${20 * MIB}).fill(7)` })
    const body = `const { length } = require('large'); console.log(length + new Uint8Array(${8 * MIB}).fill(1).length)`
    for (const _ of [1, 2]) expect(await printed(sandbox, 'large', job(body, bundle))).toEqual([String(28 * MIB)])
    const more = `require('large'); new Uint8Array(${20 * MIB})`
    expect((await sandbox.run('large', job(more, bundle))).outcome).toBe('memory')
    await alive(sandbox)
  })

  it('leaves runs the memory of a plain action', async () => {
    const sandbox = threads()
    const bundle = bundled({ large: `return Array.from({ length: ${4 * MIB} / 16 }, (_, i) => i + 0.5)` })
    const fits = `require('large'); const mine = new Uint8Array(${8 * MIB}); console.log(mine.length)`
    expect(await printed(sandbox, 'large', job(fits, bundle))).toEqual([String(8 * MIB)])
    const { outcome } = await sandbox.run(
      'large',
      job("require('large'); for (const all = []; ; ) all.push({})", bundle),
    )
    expect(outcome).toBe('memory')
    await alive(sandbox)
  })
})
