import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TRIGGERS } from '../../../data/tenants/triggers'
import { HANDLERS } from '../../../identity/tenant-code/actions/methods'
import { actions } from './actions'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-actions-'))
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => {
  process.exitCode = undefined
})

/** No setting names a database. */
async function saying(...args: string[]): Promise<{ lines: string[]; exit: unknown }> {
  const lines: string[] = []
  await actions(['test', ...args], { root: process.cwd(), source: {}, say: (line) => lines.push(line) })
  return { lines, exit: process.exitCode }
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const login = (body: string) => `exports.onExecutePostLogin = async (event, api) => {\n${body}\n}`

describe('actions test', () => {
  it('shows calls, output and effects, with the secrets that it was given redacted', async () => {
    const path = await file(
      'my-action.js',
      login(`console.log('for', event.user.email, event.secrets.KEY)
        api.idToken.setCustomClaim('https://a.test/plan', { [event.secrets.KEY]: event.secrets.KEY })`),
    )
    const { lines, exit } = await saying(path, '--secret', 'KEY=se=same')
    expect(exit).toBe(0)
    expect(lines[0]).toMatch(/^ok {2}post-login {2}[\d.]+ ms$/)
    expect(lines.slice(1)).toEqual([
      '    api.idToken.setCustomClaim("https://a.test/plan", {"***":"***"})',
      '    log: for ada@example.com ***',
      '    => idTokenClaims: {"https://a.test/plan":{"***":"***"}}',
    ])
  })

  it('gives it the modules that it requires, with the secrets, redacted', async () => {
    const shared = await file('shared.js', 'exports.sign = (text) => `${text} ${actions.secrets.KEY}`')
    const path = await file(
      'signing.js',
      `const { sign } = require('actions:signs')\n${login("console.log(sign('by'))")}`,
    )
    const { lines } = await saying(path, '--module', `signs=${shared}`, '--secret', 'KEY=the-secret')
    expect(lines.slice(1)).toEqual(['    log: by ***'])
    await expect(saying(path)).rejects.toThrow('requires actions:signs (it is no module of this action)')
    await expect(saying(path, '--module', shared)).rejects.toThrow('--module NAME=FILE')
    const broken = await file('broken.js', 'exports.sign = (')
    await expect(saying(path, '--module', `signs=${broken}`)).rejects.toThrow('is no JavaScript')
  })

  it('takes the event of a file, and shows requests', async () => {
    const event = await file('event.json', JSON.stringify({ user: { email: 'other@example.com' } }))
    const path = await file(
      'requests.js',
      login("console.log(event.user.email); await fetch('http://10.0.0.1/').catch(() => {})"),
    )
    const { lines } = await saying(path, '--event', event)
    expect(lines.slice(1)).toEqual([
      '    log: other@example.com',
      expect.stringMatching(/^ {4}request: GET 10\.0\.0\.1 failed: /),
    ])
  })

  it('ends with 2 if the action denies, and with 1 if it fails, then with the stack', async () => {
    expect(await saying(await file('denies.js', login("api.access.deny('no')")))).toMatchObject({ exit: 2 })
    const { lines, exit } = await saying(await file('fails.js', login("  api.access.deny('no')\n  null.x")))
    expect(exit).toBe(1)
    expect(lines[0]).toMatch(/^threw {2}post-login {2}[\d.]+ ms {2}TypeError: .* \(fails\.js:3:3\)$/)
    expect(lines.slice(1)).toEqual(['    at <anonymous> (fails.js:3:3)', '    api.access.deny("no")'])
  })

  it('has the packages of a bundle, and names their sources in errors', async () => {
    const code = '(require) => { return { get "it"() { return { double: (n) => n * 2, fails() { null.x } } } } }'
    const digest = createHash('sha256').update(code).digest('base64url')
    const map = JSON.stringify({ version: 3, sources: ['node_modules/it/index.js'], names: [], mappings: 'AAOA' })
    const bundle = await file('it.bundle.json', JSON.stringify({ digest, code, map, packages: [] }))
    const path = await file('packages.js', login("console.log(require('it').double(21)); require('it').fails()"))
    const { lines } = await saying(path, '--bundle', bundle)
    expect(lines[0]).toMatch(/\(it\/index\.js:8:1, from packages\.js:2:\d+\)$/)
    expect(lines).toContain('    log: 42')
    const changed = await file('changed.json', JSON.stringify({ digest, code: `${code} `, map, packages: [] }))
    await expect(saying(path, '--bundle', changed)).rejects.toThrow('changed.json: The bundle of packages was changed')
  })

  it('continues after a redirect, and takes the trigger from the handler or by name', async () => {
    const both = "exports.onExecutePostLogin = () => {}; exports.onContinuePostLogin = () => console.log('continued')"
    expect((await saying(await file('both.js', both), '--continue')).lines[1]).toBe('    log: continued')
    const change = await file('change.js', 'exports.onExecutePostChangePassword = () => {}')
    expect((await saying(change)).lines[0]).toMatch(/^ok {2}post-change-password /)
    const two = await file('two.js', 'exports.onExecutePostLogin = exports.onExecuteCredentialsExchange = () => {}')
    await expect(saying(two)).rejects.toThrow('fits post-login and credentials-exchange')
    expect((await saying(two, '--trigger', 'credentials-exchange')).lines[0]).toMatch(/^ok {2}credentials-exchange /)
  })

  it.each(TRIGGERS)('has a sample for %s, with which an action runs', async (trigger) => {
    const { lines } = await saying('--sample', trigger)
    const event = await file(`${trigger}.json`, lines.join('\n'))
    const code = `exports.${HANDLERS[trigger]} = (event) => console.log(event.tenant.id)`
    const path = await file(`${trigger}.js`, code)
    for (const args of [[], ['--event', event]])
      expect((await saying(path, '--trigger', trigger, ...args)).lines[1]).toBe('    log: default')
  })

  it.each([
    ['a file that is not there', ['none.js'], /none\.js cannot be read \(ENOENT\)/],
    ['no file', [], /Usage/],
    ['an unknown option', ['a.js', '--other'], /Usage/],
    ['an unknown trigger', ['--sample', 'other'], /There is no trigger other\. There are: post-login, /],
  ])('refuses %s', async (_, args, message) => {
    await expect(saying(...args)).rejects.toThrow(message)
  })

  it.each([
    ['a handler of no trigger', 'exports.other = 1', [], /exports no handler/],
    ['what is no JavaScript', login('('), [], /is no JavaScript/],
    ['a call that there is not at the trigger', login('api.none.such()'), [], /asks for api\.none\.such/],
    ['a secret without a value', login(''), ['--secret', 'KEY'], /NAME=VALUE/],
  ])('refuses %s in a file', async (_, code, args, message) => {
    await expect(saying(await file('refused.js', code), ...args)).rejects.toThrow(message)
  })

  it.each(['[]', 'no JSON', '"text"'])('refuses the event %s', async (text) => {
    const event = await file('wrong.json', text)
    await expect(saying(await file('fine.js', login('')), '--event', event)).rejects.toThrow('is no event')
  })
})
