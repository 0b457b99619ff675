import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingPackages } from './launch/dependencies.mjs'
import { hashFiles, isCurrent, markCurrent } from './launch/stamp.mjs'
import { countPlaywright, countVitest, readCounts } from './launch/test-counts.mjs'

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

describe('how many tests passed and failed', () => {
  it('counts a file that could not be loaded as a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(countVitest({ numPassedTests: 3, numFailedTests: 0, testResults })).toEqual({ passed: 3, failed: 1 })
  })

  it('counts a failed file with failed tests once per test', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }]
    expect(countVitest({ numPassedTests: 1, numFailedTests: 1, testResults })).toEqual({ passed: 1, failed: 1 })
  })

  it('counts what Playwright saw, and the errors outside any test', () => {
    const stats = { expected: 4, flaky: 1, unexpected: 2 }
    expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3 })
  })

  it('never calls a run that broke off a success', async () => {
    expect(await readCounts(file('absent.json'), countVitest, 1)).toEqual({ passed: 0, failed: 1 })
    await writeFile(file('ok.json'), JSON.stringify({ numPassedTests: 2, numFailedTests: 0, testResults: [] }))
    expect(await readCounts(file('ok.json'), countVitest, 0)).toEqual({ passed: 2, failed: 0 })
    expect(await readCounts(file('ok.json'), countVitest, 1)).toEqual({ passed: 2, failed: 1 })
  })
})
