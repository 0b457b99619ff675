// The release before this version, built from the repository's own history with the packages of today, to run beside it.
// - The changelog names it: the first heading with another version than package.json.
// - Its commit is the tag `v<version>`, else the last commit of the day that the changelog gives.
// - A clone without that commit (shallow, or no repository) has this build in its place.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addSeconds } from '../../../lib/kernel/clock'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DAY_SECONDS = 86_400

/** A build of the server only: no installation, and no Next pages. Releases before 0.3.0 have the scripts of the build in another folder. */
const BUILD = `
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
const scripts = existsSync('lib/server/node') ? './lib/server/node' : './lib/node'
const { bundleOptions, SERVER } = await import(scripts + '/build.mjs')
const { ensureClient } = await import(scripts + '/generate.mjs')
const { writeStyleSheets, compileCss } = await import(scripts + '/css.mjs')
await ensureClient()
await build(bundleOptions({ server: SERVER.server }))
await (writeStyleSheets?.('dist') ?? writeFile('dist/hosted.css', await compileCss()))
const { writeXmlThread } = await import(scripts + '/xml-thread.mjs').catch(() => ({}))
await writeXmlThread?.()
`

export type Release = { version: string; date: string }
export type PreviousRelease = { name: string; folder: string; remove(): void }

const run = promisify(execFile)

/** The latest release of the changelog that is not `version`. */
export function releaseBefore(version: string, changelog: string): Release | null {
  const headings = changelog.matchAll(/^## \[(?<version>\d+\.\d+\.\d+)\] - (?<date>\d{4}-\d{2}-\d{2})$/gm)
  for (const { groups } of headings) {
    if (groups?.version && groups.date && groups.version !== version)
      return { version: groups.version, date: groups.date }
  }
  return null
}

/** Null if the repository in `folder` does not have it. */
export async function commitOf({ version, date }: Release, folder: string): Promise<string | null> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const answer = await run('git', args, { cwd: folder }).catch(() => null)
    return answer?.stdout.trim() || null
  }
  const end = addSeconds(new Date(`${date}T00:00:00Z`), DAY_SECONDS - 1).toISOString()
  return (
    (await ask('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)) ??
    (await ask('rev-list', '--max-count=1', `--until=${end}`, 'HEAD'))
  )
}

async function findPrevious(): Promise<{ release: Release; commit: string } | null> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const release = releaseBefore(version, readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))
  if (!release) throw new Error(`CHANGELOG.md names no release before ${version}`)
  const commit = await commitOf(release, ROOT)
  // Without its own repository, the folder may be inside another one.
  const ours =
    commit && (await run('git', ['cat-file', '-e', `${commit}:./server.ts`], { cwd: ROOT }).catch(() => null))
  return commit && ours ? { release, commit } : null
}

/** Asynchronous throughout: vitest gives up a worker that does not respond for a minute. */
export async function buildPreviousRelease(): Promise<PreviousRelease> {
  const previous = await findPrevious()
  if (!previous) return { name: 'this build (the clone has no earlier commit)', folder: ROOT, remove: () => {} }
  const { release, commit } = previous
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-previous-'))
  const archive = join(folder, 'release.tar')
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: ROOT })
  await run('tar', ['-x', '-f', archive, '-C', folder])
  rmSync(archive)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['--input-type=module', '--eval', BUILD], { cwd: folder })
  const name = `${release.version} (${commit.slice(0, 7)})`
  return { name, folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
