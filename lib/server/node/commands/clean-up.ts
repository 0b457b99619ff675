// `npm run clean-up`: one round of the periodic clean-up of a running server, for platforms that run no server between requests.
// It may run at any time, also beside servers. `--unused-tokens DAYS` also removes refresh tokens that never expire and were not used for so
// long, which no server does by itself.

import { dropOldRecords } from '../../../adapters/store/sql/audit-retention'
import { removeUnusedFamilies } from '../../../adapters/store/sql/unused-families'
import { addSeconds, systemClock } from '../../../kernel/clock'
import { cleanUp } from '../../maintenance/clean-up'
import { deleteAndRecord } from '../../maintenance/record-deletions'
import { UsageError } from '../failure'
import { type Command, readArguments, withDatabase } from './command'
import { auditOf } from './record-change'

const DAY_SECONDS = 86_400

export const cleanUpOnce: Command = async (args, context) => {
  const unusedDays = unusedDaysIn(args)
  const removed = await withDatabase(context, async ({ env, db, vault }) => {
    const ended = await cleanUp({
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
    })
    if (unusedDays === null) return ended
    const unused = await removeUnusedFamilies(db.pool, addSeconds(systemClock.now(), -unusedDays * DAY_SECONDS))
    return unused === 0 ? ended : { ...ended, 'unused tokens': unused }
  })
  for (const [table, count] of Object.entries(removed)) context.say(`${table.padEnd(20)}  ${count} removed`)
  if (Object.keys(removed).length === 0) context.say('Nothing to remove, or a server is removing it.')
}

const usage = (): UsageError => new UsageError('Usage: `npm run clean-up`, with `--unused-tokens DAYS` if you like.')

function unusedDaysIn(args: readonly string[]): number | null {
  const { positionals, values } = readArguments(args, { 'unused-tokens': { type: 'string' } }, usage)
  const days = values['unused-tokens']
  if (positionals.length > 0 || !/^[1-9]\d{0,3}$/.test(days ?? '1')) throw usage()
  return days === undefined ? null : Number(days)
}
