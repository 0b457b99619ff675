// `npm run sessions -- end-all`: signs every user out, of every tenant or of one, as after the restore of a backup.

import { endAllLogins } from '../../../adapters/store/sql/end-all-logins'
import { UsageError } from '../failure'
import { type Command, readArguments, tenantsNamed, withDatabase } from './command'
import { recordChange } from './record-change'

const usage = (): UsageError =>
  new UsageError('Usage: `npm run sessions -- end-all`; `--tenant ID` names one tenant instead of all.')

export const sessions: Command = async (args, context) => {
  const { positionals, values } = readArguments(args, { tenant: { type: 'string' } }, usage)
  if (positionals.length !== 1 || positionals[0] !== 'end-all') throw usage()
  await withDatabase(context, async (opened) => {
    for (const { id } of await tenantsNamed(values.tenant, opened.db)) {
      const count = await endAllLogins(opened.db.pool, id)
      await recordChange('all logins ended', opened, context, id)
      context.say(`${id}: the sessions, refresh tokens and remembered browsers of ${count} users have ended.`)
    }
  })
}
