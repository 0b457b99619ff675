// `npm run migrate`: applies migrations, lists the missing ones, or writes a new one.
import { join } from 'node:path'
import { migrate, pendingMigrations } from '../../../adapters/store/migrate'
import { systemClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { UsageError } from '../failure'
import { type Command, type CommandContext, withPool } from './command'
import { newMigration } from './new-migration'

export const migrations: Command = async ([verb, name], context) => {
  const folder = join(context.root, 'prisma', 'migrations')
  if (verb === undefined) return applyAll(folder, context)
  if (verb === 'status') return showPending(folder, context)
  if (verb === 'new' && name !== undefined) return writeNew(folder, name, context)
  throw new UsageError('Usage: `npm run migrate`, `npm run migrate -- status` or `npm run migrate -- new NAME`.')
}

async function applyAll(folder: string, context: CommandContext): Promise<void> {
  const applied = await withPool(context, ({ db }) =>
    migrate(db.pool, folder, { random: systemRandom, note: context.say }),
  )
  context.say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length}.`)
}

async function showPending(folder: string, context: CommandContext): Promise<void> {
  const pending = await withPool(context, ({ db }) => pendingMigrations(db.pool, folder))
  context.say(pending.length === 0 ? 'The database is up to date.' : `To be applied:\n  ${pending.join('\n  ')}`)
}

async function writeNew(folder: string, name: string, { say }: CommandContext): Promise<void> {
  const written = await newMigration(folder, name, systemClock).catch(explainMissingEngine)
  say(written === null ? 'prisma/schema.prisma has not changed since the last migration.' : `Wrote ${written}.`)
}

/** The engine that compares schemas is a development dependency, which a container image does not contain. */
function explainMissingEngine(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
    throw new UsageError('Migrations are written in a checkout with its development packages, which are not here.')
  throw error
}
