// `npm run clean-up`: one round of the periodic clean-up of a running server, for platforms that run no server between requests.
// It may run at any time, also beside servers.
import { systemClock } from '../../kernel/clock'
import { cleanUp } from '../../operations/clean-up'
import { deleteAndRecord } from '../../operations/record-deletions'
import { dropOldRecords } from '../../store/prisma/audit-retention'
import { UsageError } from '../failure'
import { type Command, withDatabase } from './command'
import { auditOf } from './record-change'

export const cleanUpOnce: Command = async (args, context) => {
  if (args.length > 0) throw new UsageError('Usage: `npm run clean-up`.')
  const removed = await withDatabase(context, ({ env, db, vault }) =>
    cleanUp({
      pool: db.pool,
      clock: systemClock,
      keepDays: env.keepDays,
      deleteAccounts: (now) =>
        deleteAndRecord(now, {
          pool: db.pool,
          audit: auditOf({ db, vault }, context),
          clock: systemClock,
          hostname: new URL(env.appUrl).host,
        }),
      dropOldDays: (now) => dropOldRecords(db.pool, vault, env.auditDays, now),
    }),
  )
  for (const [table, count] of Object.entries(removed)) context.say(`${table.padEnd(20)}  ${count} removed`)
  if (Object.keys(removed).length === 0) context.say('Nothing to remove, or a server is removing it.')
}
