// `npm run keys`: shows, rotates and revokes the tenant's signing keys. Running servers see the change within a second.
import { systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { revokeKey, rotateKeys, stateOf } from '../../keys/keyring'
import { signingKeyStore } from '../../store/prisma/keys'
import { FIRST_TENANT } from '../../tenants/settings'
import { UsageError } from '../failure'
import { type Command, type CommandContext, type Opened, withDatabase } from './command'
import { recordChange } from './record-change'

export const keys: Command = async ([verb, kid], context) => {
  if (verb !== undefined && verb !== 'rotate' && !(verb === 'revoke' && kid))
    throw new UsageError('Usage: `npm run keys`, `npm run keys -- rotate` or `npm run keys -- revoke KID`.')
  await withDatabase(context, async (opened) => {
    const port = signingKeyStore(opened.db, FIRST_TENANT)
    const deps = makingDeps(opened)
    if (verb === 'rotate') {
      await rotateKeys(port, deps)
      await recordChange('signing keys rotated', opened, context)
    }
    if (verb === 'revoke' && kid) {
      await revokeKnown(kid, opened)
      await recordChange(`signing key revoked: ${kid}`, opened, context)
    }
    await show(opened, context)
  })
}

const makingDeps = ({ env, vault }: Opened) => ({
  clock: systemClock,
  random: systemRandom,
  vault,
  host: new URL(env.appUrl).host,
})

async function revokeKnown(kid: string, opened: Opened): Promise<void> {
  const port = signingKeyStore(opened.db, FIRST_TENANT)
  const known = await port.list()
  if (!known.some((key) => key.kid === kid))
    throw new UsageError(`No signing key has the id ${kid}: \`npm run keys\` shows them.`)
  await revokeKey(port, kid, makingDeps(opened))
}

async function show({ db }: Opened, { say }: CommandContext): Promise<void> {
  const now = systemClock.now()
  const known = await signingKeyStore(db, FIRST_TENANT).list()
  if (known.length === 0) say('There are no signing keys yet: the first start creates them.')
  for (const key of known) say(`${stateOf(key, now).padEnd(8)}  ${key.kid}  made ${key.createdAt.toISOString()}`)
}
