// Runs npm, with the configuration of the operator: `.npmrc` of the user and of the machine, and npm's own names in the environment. That is why
// this file reads the environment; the settings of this server are left out of what npm gets.
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure, notHere } from './failure'
import { type ProcessResult, runNode } from './process'

export type InstallFolder = { folder: string; root: string; signal?: AbortSignal | undefined }

/** The registries of npm's configuration: the default one, and those of scopes (`@acme`). */
export type Registries = { registry: string; scopes: Readonly<Record<string, string>> }

type Run = InstallFolder & { args: readonly string[]; registries?: Registries; milliseconds: number }

const CONFIG_MS = 30_000

export function runNpm({ args, folder, root, signal, registries, milliseconds }: Run): Promise<ProcessResult> {
  const npm = npmProgram()
  if (npm === undefined) throw notHere('npm was not found')
  const file = join(root, 'lib', 'identity', 'tenant-code', 'packages', 'npm-guard.mjs')
  if (!existsSync(file)) throw notHere('a part of this installation was left out')
  const guard = pathToFileURL(file)
  for (const origin of registries ? originsOf(registries) : []) guard.searchParams.append('origin', origin)
  const program = [
    '--max-old-space-size=1024',
    '--import',
    guard.href,
    npm,
    ...args,
    ...FIXED,
    `--cache=${join(folder, '.npm')}`,
  ]
  return runNode({ args: program, folder, environment: npmEnvironment(), milliseconds, signal })
}

/** What must not depend on the configuration. Options of the command line have precedence over it. */
const FIXED = [
  ...['--json', '--ignore-scripts', '--global=false', '--location=project', '--workspaces=false'],
  ...['--dry-run=false', '--package-lock=true', '--package-lock-only=false', '--install-strategy=hoisted'],
  ...[
    '--bin-links=false',
    '--audit=false',
    '--fund=false',
    '--update-notifier=false',
    '--logs-max=0',
    '--loglevel=silent',
  ],
  ...['--omit=dev', '--omit=optional', '--omit-lockfile-registry-resolved=false'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=1000'],
]

export async function readRegistries(place: InstallFolder): Promise<Registries> {
  const { output } = await runNpm({ ...place, args: ['config', 'list'], milliseconds: CONFIG_MS })
  const config = readJson(output)
  const { registry } = config
  if (typeof registry !== 'string' || !isHttp(registry)) throw new Failure('The configuration of npm cannot be read.')
  const scopes = Object.entries(config).flatMap(([name, value]) =>
    /^@[^:]+:registry$/.test(name) && typeof value === 'string' && isHttp(value)
      ? [[name.slice(0, name.indexOf(':')), value]]
      : [],
  )
  return { registry, scopes: Object.fromEntries(scopes) }
}

const isHttp = (url: string): boolean => /^https?:/.test(url) && URL.canParse(url)

export const originsOf = ({ registry, scopes }: Registries): string[] => [
  ...new Set([registry, ...Object.values(scopes)].map((url) => new URL(url).origin)),
]

/** An object, empty where npm printed none. */
export function readJson(output: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(output)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

const CLI = join('npm', 'bin', 'npm-cli.js')

/** npm as Node.js brings it, as the process that started this one names it, or as `npm` on the path leads to it. */
function npmProgram(): string | undefined {
  const { npm_execpath: named, PATH = '' } = process.env
  const beside = dirname(realpathSync(process.execPath))
  const candidates = [
    join(beside, '..', 'lib', 'node_modules', CLI),
    join(beside, 'node_modules', CLI),
    ...(named?.endsWith('npm-cli.js') ? [named] : []),
    ...PATH.split(delimiter).flatMap((folder) => realPathOf(join(folder, 'npm'))),
  ]
  return candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path))
}

function realPathOf(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

const OWN = /^(?:LATCHKEY_\w+|DATABASE_URL|REDIS_URL|SMTP_URL|APP_URL|NODE_OPTIONS)$/

const npmEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || OWN.test(name) ? [] : [[name, value]],
    ),
  )
