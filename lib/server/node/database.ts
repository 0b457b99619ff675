// Opens the database of this process: the one that DATABASE_URL names, or the embedded one.
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Embedded } from '../../adapters/embedded-postgres/embedded'
import { EmbeddedError } from '../../adapters/embedded-postgres/error'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Env } from '../../settings/env'
import { openPool } from '../runtime/pool'

export type OpenDatabase = {
  url: string
  pool: Pool
  /** LATCHKEY_SECRET, or the secret that demo mode stores beside its data. */
  secret: string
  /** The folder of the embedded database; null for another. */
  home: string | null
  close(): Promise<void>
}

type Deps = {
  clock: Clock
  random: Random
  note: (line: string) => void
  /** Called when an idle connection is lost; the pool replaces it. */
  onLostConnection: (error: Error) => void
}

export async function openDatabase(env: Env, deps: Deps): Promise<OpenDatabase> {
  const embedded = env.databaseUrl ? undefined : await startOwn(env, deps)
  const url = env.databaseUrl ?? embedded?.url ?? ''
  try {
    const secret = env.secret ?? (await keepSecret(embedded?.home ?? env.dataDir, deps.random))
    const pool = openPool({
      url,
      max: env.databasePoolSize,
      pooled: env.databasePooled,
      random: deps.random,
      onLostConnection: deps.onLostConnection,
    })
    return { url, pool, secret, home: embedded?.home ?? null, close: () => closeDatabase(pool, embedded) }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Starts the embedded database. Its code is loaded only without DATABASE_URL. */
async function startOwn({ dataDir }: Env, deps: Deps): Promise<Embedded> {
  const { startEmbedded } = await import('../../adapters/embedded-postgres/embedded')
  return startEmbedded({ dataDir, ...deps })
}

async function closeDatabase(pool: Pool, embedded: Embedded | undefined): Promise<void> {
  await pool.end()
  await embedded?.stop()
}

const addressIn = (home: string): string => join(home, 'address')

/** Keeps the public address of a server beside its data, for commands that are run without its settings. */
export async function keepAddress({ home }: Pick<OpenDatabase, 'home'>, appUrl: string): Promise<void> {
  if (home !== null) await writeFile(addressIn(home), `${appUrl}\n`)
}

/** The address of the server that used the data last; null where it is not known. */
export async function keptAddress({ home }: Pick<OpenDatabase, 'home'>): Promise<string | null> {
  if (home === null) return null
  const text = await readFile(addressIn(home), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  return URL.canParse(text.trim()) ? new URL(text.trim()).origin : null
}

/**
 * Stores the secret beside the data, because sealed data is lost without it; readable by the owner only. The file appears
 * atomically: if two processes start at once, one link wins, and both read that file.
 */
export async function keepSecret(folder: string, random: Random): Promise<string> {
  const path = join(folder, 'secret')
  const kept = await readSecret(path)
  if (kept !== undefined) return kept
  const draft = `${path}.${random.hex(8)}`
  await writeFile(draft, `${random.token()}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return (await readSecret(path)) ?? ''
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret.length < 32) throw new EmbeddedError(DAMAGED(path))
    await chmod(path, 0o600)
    return secret
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const DAMAGED = (path: string): string =>
  `The secret in ${path} is damaged: restore it from a backup, or move the whole data folder away to begin anew.`

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
