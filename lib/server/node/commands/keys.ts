// `npm run keys`: shows, rotates and revokes signing keys, of every tenant or of one. Running servers see the change within a second.

import { signingKeyStore } from '../../../adapters/store/prisma/keys'
import { revokeKey, rotateKeys, stateOf } from '../../../crypto/keys/keyring'
import type { Tenant } from '../../../data/tenants/settings'
import { systemClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { UsageError } from '../failure'
import {
  type Command,
  type CommandContext,
  type CommandDatabase,
  readArguments,
  tenantsNamed,
  withDatabase,
} from './command'
import { recordChange } from './record-change'

const usage = (): UsageError =>
  new UsageError(
    'Usage: `npm run keys`, `npm run keys -- rotate` or `npm run keys -- revoke KID`; `--tenant ID` names one tenant instead of all.',
  )

export const keys: Command = async (args, context) => {
  const { positionals, values } = readArguments(idsLast(args), { tenant: { type: 'string' } }, usage)
  const [verb, kid, ...rest] = positionals
  const isKnown =
    verb === undefined || (verb === 'rotate' && kid === undefined) || (verb === 'revoke' && kid !== undefined)
  if (!isKnown || rest.length > 0) throw usage()
  await withDatabase(context, async (opened) => {
    const tenants = await tenantsNamed(values.tenant, opened.db)
    if (verb === 'rotate') await rotate(tenants, opened, context)
    if (verb === 'revoke' && kid !== undefined) await revoke(kid, tenants, opened, context)
    await show(tenants, opened, context)
  })
}

/** 22 characters of random bytes, or the 43 of a thumbprint. */
const ID = /^-[\w-]{21}(?:[\w-]{21})?$/

/** An id in base64url may begin like an option. */
const idsLast = (args: readonly string[]): string[] => [
  ...args.filter((arg) => !ID.test(arg)),
  '--',
  ...args.filter((arg) => ID.test(arg)),
]

const makingDeps = ({ baseUrl }: Tenant, { env, vault }: CommandDatabase) => ({
  clock: systemClock,
  random: systemRandom,
  vault,
  host: new URL(baseUrl ?? env.appUrl).host,
})

async function rotate(tenants: readonly Tenant[], opened: CommandDatabase, context: CommandContext): Promise<void> {
  for (const tenant of tenants) {
    await rotateKeys(signingKeyStore(opened.db, tenant.id), makingDeps(tenant, opened))
    await recordChange('signing keys rotated', opened, context, tenant.id)
  }
}

async function revoke(
  kid: string,
  tenants: readonly Tenant[],
  opened: CommandDatabase,
  context: CommandContext,
): Promise<void> {
  for (const tenant of tenants) {
    const port = signingKeyStore(opened.db, tenant.id)
    const known = await port.list()
    if (!known.some((key) => key.kid === kid)) continue
    await revokeKey(port, kid, makingDeps(tenant, opened))
    return recordChange(`signing key revoked: ${kid}`, opened, context, tenant.id)
  }
  throw new UsageError(`No signing key has the id ${kid}: \`npm run keys\` shows them.`)
}

/** Names the tenant of each key where there are several. */
async function show(tenants: readonly Tenant[], { db }: CommandDatabase, { say }: CommandContext): Promise<void> {
  const now = systemClock.now()
  const several = (await tenantsNamed(undefined, db)).length > 1
  const lines: string[] = []
  for (const { id } of tenants)
    for (const key of await signingKeyStore(db, id).list())
      lines.push(
        `${stateOf(key, now).padEnd(8)}  ${key.kid}  ${key.algorithm}  made ${key.createdAt.toISOString()}${several ? `  ${id}` : ''}`,
      )
  if (lines.length === 0) say('There are no signing keys yet: the first start creates them.')
  for (const line of lines) say(line)
}
