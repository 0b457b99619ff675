// `npm run admin`: shows who may enter the console, invites a further administrator by a link, removes one, and removes the second
// factors of one who has lost them.

import { administratorStore } from '../../../adapters/store/prisma/console-administrators'
import { authenticatorStore } from '../../../adapters/store/sql/mfa'
import { ticketStore } from '../../../adapters/store/sql/tickets'
import { CONSOLE_PATH } from '../../../data/clients/console'
import { FIRST_TENANT, type Tenant } from '../../../data/tenants/settings'
import { issueTicket } from '../../../data/tickets/ticket'
import { systemClock } from '../../../kernel/clock'
import { canonical } from '../../../kernel/mail-address'
import { systemRandom } from '../../../kernel/random'
import {
  type Administrator,
  type AdministratorInvitation,
  INVITATION,
  invitationUrl,
} from '../../../management/operations/console-administrators'
import { CONSOLE_ROLES, type ConsoleRole } from '../../../management/operations/console-roles'
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
    `Usage: \`npm run admin -- list\`, \`npm run admin -- invite [EMAIL] --role ${CONSOLE_ROLES.join('|')}\` \`npm run admin -- revoke USER_ID\` or \`npm run admin -- reset-factor USER_ID|EMAIL\`; \`--tenant ID\` names another tenant than the first.`,
  )

export const admin: Command = async (args, context) => {
  const { positionals, values } = readArguments(args, { tenant: { type: 'string' }, role: { type: 'string' } }, usage)
  const [verb = 'list', name, ...rest] = positionals
  const isKnown =
    verb === 'invite' ||
    (verb === 'list' && name === undefined) ||
    ((verb === 'revoke' || verb === 'reset-factor') && name !== undefined)
  if (!isKnown || rest.length > 0) throw usage()
  await withDatabase(context, async (opened) => {
    const [tenant] = await tenantsNamed(values.tenant ?? FIRST_TENANT, opened.db)
    if (!tenant) throw usage()
    if (verb === 'invite') await invite(name, roleIn(values.role), tenant, opened, context)
    else if (verb === 'revoke' && name !== undefined) await revoke(name, tenant, opened, context)
    else if (verb === 'reset-factor' && name !== undefined) await resetFactor(name, tenant, opened, context)
    else await show(tenant, opened, context)
  })
}

function roleIn(text: string | undefined): ConsoleRole {
  const role = CONSOLE_ROLES.find((each) => each === text)
  if (text === undefined) throw usage()
  if (!role) throw new UsageError(`There is no role ${text}: ${CONSOLE_ROLES.join(', ')}.`)
  return role
}

async function invite(
  email: string | undefined,
  role: ConsoleRole,
  tenant: Tenant,
  opened: CommandDatabase,
  context: CommandContext,
): Promise<void> {
  if (email !== undefined && !/^\S+@\S+$/.test(email)) throw new UsageError(`${email} is no e-mail address.`)
  const link = await invitationTo(email === undefined ? { role } : { role, email }, tenant, opened)
  await recordChange(`administrator invited: ${role}`, opened, context, tenant.id)
  context.say(
    `This link makes ${email ?? 'the user who opens it'} an administrator (${role}). It works once, within seven days:`,
  )
  context.say(link)
}

async function invitationTo(
  invitation: AdministratorInvitation,
  { id, baseUrl }: Tenant,
  { db, env }: CommandDatabase,
): Promise<string> {
  const deps = { tickets: ticketStore(db, id), clock: systemClock, random: systemRandom }
  return invitationUrl(baseUrl ?? env.appUrl, await issueTicket(INVITATION, invitation, deps))
}

/** The operator may remove the last owner too, who has the database to make another. */
async function revoke(userId: string, tenant: Tenant, opened: CommandDatabase, context: CommandContext): Promise<void> {
  const administrators = administratorStore(opened.db, tenant.id)
  const changed = await administrators.change(userId, null, 'operator')
  if (changed === null) throw new UsageError(`${userId} is no administrator: \`npm run admin -- list\` shows them.`)
  await recordChange(`administrator removed: ${userId}`, opened, context, tenant.id)
  context.say(`${userId} is no administrator any more.`)
  if (await administrators.hasOwner()) return
  context.say('No owner is left who can sign in. This link makes the next one; it works once, within seven days:')
  context.say(await invitationTo({ role: 'owner' }, tenant, opened))
}

/** The way back for an administrator without the second factor: the next sign-in to the console sets up another. */
async function resetFactor(
  name: string,
  { id: tenantId, baseUrl }: Tenant,
  opened: CommandDatabase,
  context: CommandContext,
): Promise<void> {
  const { db, env } = opened
  const all = await administratorStore(db, tenantId).list()
  const named = all.filter(({ userId, email }) => userId === name || (email !== null && email === canonical(name)))
  const [found, ...others] = named
  if (!found) throw new UsageError(`${name} is no administrator: \`npm run admin -- list\` shows them.`)
  if (others.length > 0) throw new UsageError(`Several administrators have the address ${name}: name one by its id.`)
  const { userId } = found
  const authenticators = authenticatorStore(db, tenantId)
  const ids = (await authenticators.list(userId)).map(({ id }) => id)
  const removed = ids.length === 0 ? [] : await authenticators.remove(userId, ids, null)
  if (removed.length === 0) throw new UsageError(`${userId} has no second factor.`)
  await recordChange(`second factors removed: ${userId}`, opened, context, tenantId)
  context.say(`The second factors of ${userId} are removed. The next sign-in sets up another:`)
  context.say(`${baseUrl ?? env.appUrl}${CONSOLE_PATH}`)
}

async function show({ id }: Tenant, { db }: CommandDatabase, { say }: CommandContext): Promise<void> {
  const all = await administratorStore(db, id).list()
  if (all.length === 0)
    say('There are no administrators: `npm run admin -- invite --role owner` prints a link for the first.')
  for (const each of all) say(lineOf(each))
}

/** Without control characters, which a terminal would interpret. */
const lineOf = ({ role, userId, email, name, since }: Administrator): string =>
  `${role.padEnd(18)}  ${userId}  ${email ?? name ?? ''}  since ${since.toISOString()}`.replace(/\p{Cc}/gu, ' ')
