// The release before this one, built from the repository's own history with the packages of today, to run beside it.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Moved on with every release. */
const COMMIT = '5adef8d1c6b493c84b824f969c82794b82546780'

/** A build of the server alone: no installing, and none of Next's pages. */
const BUILD = `
import { writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
const { bundleOptions, SERVER } = await import('./lib/node/build.mjs')
const { ensureClient } = await import('./lib/node/generate.mjs')
const { compileCss } = await import('./lib/node/css.mjs')
await ensureClient()
await build(bundleOptions({ server: SERVER.server }))
await writeFile('dist/hosted.css', await compileCss())
`

/** A shallow clone has no history. */
export const hasPreviousRelease = (): boolean => {
  try {
    execFileSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export type PreviousRelease = { folder: string; remove(): void }

const run = promisify(execFile)

/** Without holding up the process: vitest gives up a worker that says nothing for a minute. */
export async function buildPreviousRelease(): Promise<PreviousRelease> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-previous-'))
  const archive = join(folder, 'release.tar')
  await run('git', ['archive', `--output=${archive}`, COMMIT], { cwd: ROOT })
  await run('tar', ['-x', '-f', archive, '-C', folder])
  rmSync(archive)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['--input-type=module', '--eval', BUILD], { cwd: folder })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
