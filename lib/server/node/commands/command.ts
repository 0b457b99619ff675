// The context of every command, and the database that most commands open.
import { readFile } from 'node:fs/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Database } from '../../../adapters/store/database'
import { createDatabase } from '../../../adapters/store/prisma/client'
import { openVault } from '../../../adapters/store/root-secret'
import { tenantStore } from '../../../adapters/store/sql/configuration'
import type { Tenant } from '../../../data/tenants/settings'
import { systemClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import { namesAddress } from '../../../settings/app-url'
import { type Env, parseEnv } from '../../../settings/env'
import { keptAddress, openDatabase } from '../database'
import { UsageError } from '../failure'

export type CommandContext = {
  root: string
  source: Readonly<Record<string, string | undefined>>
  say(line: string): void
}

export type Command = (args: readonly string[], context: CommandContext) => Promise<void>

/** The arguments of a command; of any others, how it is used. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: () => UsageError,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch {
    throw usage()
  }
}

export const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new UsageError(`${path} cannot be read (${code}).`)
  })

/** The tenant with the id, or all of them. */
export async function tenantsNamed(id: string | undefined, db: Database): Promise<Tenant[]> {
  const tenants = await tenantStore(db).list()
  const named = tenants.filter((tenant) => id === undefined || tenant.id === id)
  if (id !== undefined && named.length === 0)
    throw new UsageError(`There is no tenant ${id}: ${tenants.map((tenant) => tenant.id).join(', ')}.`)
  return named
}

export type CommandDatabase = { env: Env; db: Database; vault: Vault; secret: string }

/** Opens the database for one piece of work and closes it afterwards, also after a failure. */
export const withDatabase = <T>(context: CommandContext, work: (opened: CommandDatabase) => Promise<T>): Promise<T> =>
  withPool(context, async (opened) =>
    work({ ...opened, vault: await openVault(opened.db.pool, opened.secret, systemRandom) }),
  )

/** The same without a vault, for work that must also run while the database is unavailable or empty. */
export async function withPool<T>(
  context: CommandContext,
  work: (opened: Omit<CommandDatabase, 'vault'>) => Promise<T>,
): Promise<T> {
  const env = parseEnv(context.source)
  const database = await openDatabase(env, {
    clock: systemClock,
    random: systemRandom,
    note: context.say,
    onLostConnection: () => {},
  })
  try {
    const { pool, secret } = database
    const appUrl = namesAddress(context.source) ? env.appUrl : ((await keptAddress(database)) ?? env.appUrl)
    return await work({ env: { ...env, appUrl }, db: createDatabase(pool), secret })
  } finally {
    await database.close()
  }
}
