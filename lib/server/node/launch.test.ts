import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingPackages } from './launch/dependencies.mjs'
import { playwrightSeconds, readSeconds, slowestFiles } from './launch/slowest-files.mjs'
import { hashFiles, isCurrent, isSource, markCurrent } from './launch/stamp.mjs'
import { readOutcome, readPlaywright, readVitest } from './launch/test-outcome.mjs'

let folder: string
const file = (name: string): string => join(folder, name)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-launch-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('whether the dependencies are installed', () => {
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', dev: true },
    'node_modules/c': { version: '3.0.0', optional: true },
  }

  it('sees what is absent or in another version', () => {
    expect(missingPackages(wanted, {}, { development: true })).toEqual(['node_modules/a', 'node_modules/b'])
    const old = { 'node_modules/a': { version: '0.9.0' }, 'node_modules/b': { version: '2.0.0' } }
    expect(missingPackages(wanted, old, { development: true })).toEqual(['node_modules/a'])
  })

  it('asks for development packages only to build, and never for optional ones of other platforms', () => {
    const production = { 'node_modules/a': { version: '1.0.0' } }
    expect(missingPackages(wanted, production, { development: false })).toEqual([])
    expect(missingPackages(wanted, production, { development: true })).toEqual(['node_modules/b'])
  })
})

describe('whether a build is current', () => {
  it('goes by content, not by time', async () => {
    await writeFile(file('a.ts'), 'one')
    const first = await hashFiles([file('a.ts')])
    await markCurrent(file('stamp'), first)
    await writeFile(file('a.ts'), 'one')
    expect(await isCurrent(file('stamp'), await hashFiles([file('a.ts')]))).toBe(true)
    await writeFile(file('a.ts'), 'two')
    expect(await isCurrent(file('stamp'), await hashFiles([file('a.ts')]))).toBe(false)
  })

  it('does not depend on what a build or the launcher writes into public/', async () => {
    const ignored = (await readFile('.gitignore', 'utf8')).split('\n').filter((line) => line.startsWith('public/'))
    expect(ignored).not.toEqual([])
    for (const pattern of ignored)
      expect(isSource(join('/checkout', pattern.replace('*', '.1234'))), pattern).toBe(false)
    expect(isSource(join('/checkout', 'public/passkeys.js'))).toBe(true)
  })

  it('is no when it was never finished', async () => {
    expect(await isCurrent(file('stamp'), 'anything')).toBe(false)
  })

  it('sees a part of one file move into the next', async () => {
    await writeFile(file('a.ts'), 'ab')
    await writeFile(file('b.ts'), 'c')
    const before = await hashFiles([file('a.ts'), file('b.ts')])
    await writeFile(file('a.ts'), 'a')
    await writeFile(file('b.ts'), 'bc')
    expect(await hashFiles([file('a.ts'), file('b.ts')])).not.toBe(before)
  })
})

/** About 64 more than an idle process of Node.js has open. */
const FEW_FILES = 96

it.each([
  [
    'whether the build is current',
    `const { hashSources } = await import('./lib/server/node/launch/stamp.mjs'); await hashSources()`,
  ],
  ['what the sources import', `await import('./lib/server/node/import-rules.mjs')`],
])('finds out %s where a process may open few files', { timeout: 60_000 }, async (_, script) => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const node = `exec "${process.execPath}" --input-type=module -e "$1"`
  const limited = ['-c', `ulimit -n ${FEW_FILES} && ${node}`, 'bash', script]
  await expect(promisify(execFile)('bash', limited, { cwd: root })).resolves.toMatchObject({ stderr: '' })
})

describe('how many tests passed, and which failed', () => {
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: ['expected 1 to be 2\n  at sum.test.ts:3'] }

  it('names a test that failed, with its file and its reason', () => {
    const testResults = [{ name: 'sum.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed' }] }]
    expect(readVitest({ numPassedTests: 1, testResults })).toEqual({
      passed: 1,
      failures: ['sum.test.ts › adds up\n    expected 1 to be 2\n      at sum.test.ts:3'],
      skipped: [],
    })
  })

  it('counts a file that could not be loaded as a failure', () => {
    const testResults = [{ name: 'sum.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }]
    expect(readVitest({ numPassedTests: 3, testResults })).toEqual({
      passed: 3,
      failures: ['sum.test.ts › the whole file\n    no such module'],
      skipped: [],
    })
  })

  it('names the tests that were skipped, in files of both runners', () => {
    const skipped = [{ status: 'skipped', fullName: 'signs by xmlsec1' }, { status: 'passed' }]
    const testResults = [{ name: 'sign.test.ts', status: 'passed', assertionResults: skipped }]
    expect(readVitest({ numPassedTests: 1, testResults })).toEqual({
      passed: 1,
      failures: [],
      skipped: ['sign.test.ts › signs by xmlsec1'],
    })
    const spec = { file: 'login.spec.ts', title: 'signs in', tests: [{ status: 'skipped', results: [] }] }
    expect(readPlaywright({ stats: { expected: 1, flaky: 0 }, suites: [{ specs: [spec] }], errors: [] })).toEqual({
      passed: 1,
      failures: [],
      skipped: ['login.spec.ts › signs in'],
    })
  })

  it('does not take a test for skipped that a failed set-up left without a result', () => {
    const assertionResults = [{ status: 'skipped', fullName: 'adds up' }]
    const testResults = [{ name: 'sum.test.ts', status: 'failed', message: 'no database', assertionResults }]
    expect(readVitest({ numPassedTests: 0, testResults })).toMatchObject({ skipped: [] })
  })

  it('reads what Playwright saw in every group, and the errors outside any test', () => {
    const test = { status: 'unexpected', results: [{ errors: [{ message: '\u001b[31mnot visible\u001b[39m' }] }] }
    const spec = { file: 'login.spec.ts', title: 'signs in', tests: [test, { status: 'expected', results: [] }] }
    const suites = [{ specs: [spec], suites: [{ specs: [{ ...spec, title: 'signs out' }] }] }]
    const errors = [{ message: 'the server did not start' }]
    expect(readPlaywright({ stats: { expected: 4, flaky: 1, unexpected: 2 }, suites, errors })).toEqual({
      passed: 5,
      failures: [
        'login.spec.ts › signs in\n    not visible',
        'login.spec.ts › signs out\n    not visible',
        'Playwright › outside any test\n    the server did not start',
      ],
      skipped: [],
    })
  })

  it('never calls a run that broke off a success', async () => {
    const absent = await readOutcome(file('absent.json'), readVitest, 1)
    expect(absent.passed).toBe(0)
    expect(absent.failures).toEqual([expect.stringContaining('its runner ended with 1')])
    await writeFile(file('ok.json'), JSON.stringify({ numPassedTests: 2, testResults: [] }))
    expect(await readOutcome(file('ok.json'), readVitest, 0)).toEqual({ passed: 2, failures: [], skipped: [] })
    expect((await readOutcome(file('ok.json'), readVitest, 1)).failures).toHaveLength(1)
  })
})

describe('the slowest files', () => {
  it('come first, in seconds, and no more than asked for', () => {
    expect(slowestFiles({ 'a.test.ts': 0.04, 'b.test.ts': 71.26, 'c.test.ts': 9 }, 2)).toEqual([
      '   71.3 s  b.test.ts',
      '    9.0 s  c.test.ts',
    ])
  })

  it('have the sum of their tests in every browser and every try', () => {
    const spec = (name: string, ...durations: number[]) => ({
      file: name,
      tests: [{ results: durations.map((duration) => ({ duration })) }],
    })
    const suites = [{ specs: [spec('a.spec.ts', 1000, 500)], suites: [{ specs: [spec('a.spec.ts', 250)] }] }]
    expect(playwrightSeconds({ config: { rootDir: folder }, suites })).toEqual({
      [relative('', file('a.spec.ts'))]: 1.75,
    })
  })

  it('are empty where there is no report', async () => {
    expect(await readSeconds(file('absent.json'))).toEqual({})
  })
})
