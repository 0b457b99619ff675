// Which release an upgrade is tested from, in clones of every kind.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitOf, releaseBefore } from './support/previous-release'

const CHANGELOG = `## [Unreleased]

## [0.3.0] - 2026-03-03

## [0.2.0] - 2026-02-02

## [0.1.0] - 2026-01-01
`

describe('the release before', () => {
  it.each([
    ['0.3.0', { version: '0.2.0', date: '2026-02-02' }],
    ['0.4.0', { version: '0.3.0', date: '2026-03-03' }],
  ])('%s is the latest of another version', (version, release) => {
    expect(releaseBefore(version, CHANGELOG)).toEqual(release)
  })

  it('does not exist before the first', () => {
    expect(releaseBefore('0.1.0', '## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n')).toBeNull()
  })

  it('is named by our own changelog', () => {
    const ours = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')
    expect(releaseBefore(JSON.parse(ours('package.json')).version, ours('CHANGELOG.md'))).not.toBeNull()
  })
})

describe('its commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-history-'))
  const [whole, shallow, none] = ['whole', 'shallow', 'none'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const release = { version: '0.2.0', date: '2026-02-02' }
  let commits: string[]

  const git = (cwd: string, args: string[], date = ''): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim()

  const commit = (date: string): string => {
    git(whole, ['commit', '--quiet', '--allow-empty', '--message', date], date)
    return git(whole, ['rev-parse', 'HEAD'])
  }

  beforeAll(() => {
    for (const path of [whole, none]) execFileSync('mkdir', [path])
    git(whole, ['init', '--quiet'])
    commits = ['2026-02-01T12:00:00Z', '2026-02-02T23:59:59Z', '2026-02-03T00:00:00Z'].map(commit)
    git(folder, ['clone', '--quiet', '--depth=1', `file://${whole}`, 'shallow'])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is the last of its day', async () => {
    expect(await commitOf(release, whole)).toBe(commits[1])
  })

  it('is its tag, where there is one', async () => {
    git(whole, ['tag', 'v0.2.0', commits[0] ?? ''])
    expect(await commitOf(release, whole)).toBe(commits[0])
    git(whole, ['tag', '--delete', 'v0.2.0'])
  })

  it('is not in a shallow clone, nor where there is no repository', async () => {
    expect(await commitOf(release, shallow)).toBeNull()
    expect(await commitOf(release, none)).toBeNull()
  })
})
