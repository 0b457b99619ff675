// One run of a script of a connection, within the limits of the sandbox (threat-model.md AC17).
import { afterAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../../kernel/clock'
import type { Json } from '../../../kernel/json'
import { seededRandom } from '../../../kernel/random'
import { sandboxFiles } from '../../../server/runtime/actions'
import { testServices, withoutTimeLimit } from '../../../testing/actions'
import type { RunRecord } from '../actions/runs'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { createScriptRunner, type ScriptCall } from './run-script'

const sandbox = createSandbox({
  ...sandboxFiles(process.cwd()),
  ...{ services: testServices(), threads: 2, queueLimit: 10 },
})
afterAll(() => sandbox.close())

const NO_BUNDLES = { bundle: async () => null, sourceMap: async () => null }

const clipped: Sandbox = {
  ...sandbox,
  run: (tenantId, job) => sandbox.run(tenantId, { ...job, milliseconds: 100, elapsed: 100 }),
}

async function run(script: string, more: Partial<ScriptCall> = {}, on: Sandbox = withoutTimeLimit(sandbox)) {
  const runs: RunRecord[] = []
  const deps = {
    tenantId: 'default',
    nested: false,
    sandbox: on,
    bundles: NO_BUNDLES,
    clock: fixedClock(),
    random: seededRandom('script'),
  }
  const runner = createScriptRunner({ ...deps, runs: { note: (record) => void runs.push(record) } })
  const call = { name: 'Legacy/login', script, args: ['kim', 'hush-password'], configuration: {}, secrets: [], ...more }
  return { answer: await runner.run(call), runs }
}

describe('an answer', () => {
  const answered = (value: Json) => ({ outcome: 'answered', value })

  it.each<[string, string, Json]>([
    ['of a callback', '(name, password, callback) => callback(null, { name })', { name: 'kim' }],
    ['of a callback, later', '(n, p, callback) => { setTimeout(() => callback(null, 1), 1) }', 1],
    ['of a callback, in a function that is async', 'async (n, p, callback) => { callback(null, 1) }', 1],
    ['of a promise', 'async (name) => ({ name })', { name: 'kim' }],
    ['of a promise, with a callback that is not used', 'async (name, p, callback) => ({ name })', { name: 'kim' }],
    [
      'of a function with a name and a comment at its end',
      'function login(name) { return Promise.resolve(name) } // end',
      'kim',
    ],
    ['without a value', '(n, p, callback) => callback()', null],
    ['of undefined', 'async () => {}', null],
    ['of the first call', '(n, p, callback) => { callback(null, 1); callback(null, 2); callback(new Error()) }', 1],
  ])('an answer is returned: %s', async (_what, script, value) => {
    expect((await run(script)).answer).toEqual(answered(value))
  })

  it('may use configuration, modules and the errors of the vendor', async () => {
    const script = `async () => {
      configuration.A = 'changed'
      return [configuration.A, require('crypto').createHash('sha256').update('a').digest('hex').length,
        new ValidationError('c', 'm') instanceof Error, typeof api, typeof event]
    }`
    expect((await run(script, { configuration: { A: 'value' } })).answer).toEqual(
      answered(['value', 64, true, 'undefined', 'undefined']),
    )
  })

  it('shares nothing with the next run', async () => {
    const script = 'async () => { globalThis.seen = (globalThis.seen ?? 0) + 1; return globalThis.seen }'
    expect((await run(script)).answer).toEqual(answered(1))
    expect((await run(script)).answer).toEqual(answered(1))
  })
})

describe('a refusal', () => {
  it.each([
    ['WrongUsernameOrPasswordError', `new WrongUsernameOrPasswordError('kim', 'no')`, 'invalid_user_password'],
    ['ValidationError', `new ValidationError('user_exists', 'no')`, 'user_exists'],
    ['UnauthorizedError', `new UnauthorizedError('no')`, 'unauthorized'],
  ])('a refusal by %s is returned, called back or thrown', async (error, made, code) => {
    const refused = { outcome: 'refused', error, code, message: 'no' }
    expect((await run(`(n, p, callback) => callback(${made})`)).answer).toEqual(refused)
    expect((await run(`() => { throw ${made} }`)).answer).toEqual(refused)
    expect((await run(`async () => { throw ${made} }`)).answer).toEqual(refused)
  })

  it('has a bounded message without secrets', async () => {
    const script = `async (name, password) => { throw new UnauthorizedError(password + 'x'.repeat(1000)) }`
    const { answer } = await run(script, { secrets: ['hush-password'] })
    expect(answer).toMatchObject({ message: expect.stringMatching(/^\*\*\*x{280,300}$/) })
  })
})

describe('a failure', () => {
  it.each([
    ['an error', '() => { throw new Error("down") }', 'threw'],
    ['a text', '() => { throw "down" }', 'threw'],
    ['no function', '42', 'threw'],
    ['a syntax error', '(', 'threw'],
    ['a callback that is never called', '(n, p, callback) => {}', 'unsettled'],
    ['a promise that is never settled', '() => new Promise(() => {})', 'unsettled'],
    ['a value that is no JSON', 'async () => 1n', 'threw'],
    ['memory', 'async () => { const a = []; for (;;) a.push("x".repeat(100000) + a.length) }', 'memory'],
  ])('a script fails: %s', async (_what, script, outcome) => {
    const { answer, runs } = await run(script)
    expect(answer).toEqual({ outcome: 'failed' })
    expect(runs).toMatchObject([{ trigger: 'connection-script', action: 'Legacy/login', outcome }])
  })

  it.each([
    ['an endless loop', '() => { for (;;); }', 'timeout'],
    ['an endless wait', '(n, p, callback) => { setTimeout(callback, 60000) }', 'late'],
  ])('a script is stopped: %s', async (_what, script, outcome) => {
    const { answer, runs } = await run(script, {}, clipped)
    expect(answer).toEqual({ outcome: 'failed' })
    expect(runs).toMatchObject([{ outcome }])
  })

  it('names the line of the script', async () => {
    const { runs } = await run('(name) => {\n  const a = 1\n  a.b.c()\n}')
    expect(runs[0]?.reason).toMatch(/^TypeError: .*\(Legacy-login\.js:3:\d+\)$/)
  })
})

it('removes secrets from output in their usual spellings', async () => {
  const secret = 'a "b" ü/c'
  const script = `async (name, secret) => {
    console.log(secret, JSON.stringify(secret), encodeURIComponent(secret))
    console.log(Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex'), configuration.KEY)
    return null
  }`
  const { runs } = await run(script, { args: ['kim', secret], secrets: [secret], configuration: { KEY: 'hush-key' } })
  expect(runs[0]?.lines.map(({ text }) => text)).toEqual(['*** "***" ***', '*** *** ***'])
})
