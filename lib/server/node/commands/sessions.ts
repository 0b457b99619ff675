// `npm run sessions -- end-all`: signs every user out, of every tenant or of one, as after the restore of a backup.

import { tenantStore } from '../../../adapters/store/sql/configuration'
import { endAllLogins } from '../../maintenance/end-all-logins'
import { UsageError } from '../failure'
import { type Command, readArguments, withDatabase } from './command'
import { recordChange } from './record-change'

const usage = (): UsageError =>
  new UsageError('Usage: `npm run sessions -- end-all`; `--tenant ID` names one tenant instead of all.')

export const sessions: Command = async (args, context) => {
  const { positionals, values } = readArguments(args, { tenant: { type: 'string' } }, usage)
  if (positionals.length !== 1 || positionals[0] !== 'end-all') throw usage()
  await withDatabase(context, async (opened) => {
    const tenants = await tenantStore(opened.db).list()
    const named = tenants.filter(({ id }) => values.tenant === undefined || id === values.tenant)
    if (named.length === 0)
      throw new UsageError(`There is no tenant ${values.tenant}: ${tenants.map(({ id }) => id).join(', ')}.`)
    for (const { id } of named) {
      const count = await endAllLogins(opened.db.pool, id)
      await recordChange('all logins ended', opened, context, id)
      context.say(`${id}: the sessions, refresh tokens and remembered browsers of ${count} users have ended.`)
    }
  })
}
