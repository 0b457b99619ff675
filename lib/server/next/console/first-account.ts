// The account of the first owner, for a server in which no user can sign in yet. The holder of the link makes it; the database connection
// is made where there is none that the console may use. Who made it is signed in by a login ticket, without the password once more.

import { CONSOLE_CLIENT } from '../../../data/clients/console'
import { type Connection, chooseDatabase } from '../../../data/connections/connection'
import { findTicket } from '../../../data/tickets/ticket'
import { digest } from '../../../kernel/secret'
import { issueLoginTicket, type LoginTicket } from '../../../login/begin/login-ticket'
import { type ConsoleContext, callOperation } from '../../../management/console-call'
import { type AdministratorInvitation, INVITATION } from '../../../management/operations/console-administrators'
import { rightsOfRole } from '../../../management/operations/console-roles'
import { connections as connectionOperations } from '../../../management/resources/connections'
import { users } from '../../../management/resources/users'
import type { Runtime } from '../../runtime/runtime'

const CONNECTION = 'Username-Password-Authentication'

/** The invitation of a link that makes an owner where there is none: only then may its holder make an account. */
export async function firstInvitation(ticket: string, runtime: Runtime): Promise<AdministratorInvitation | null> {
  const invitation = await findTicket(INVITATION, ticket, runtime)
  return invitation?.role === 'owner' && !(await runtime.administrators.hasOwner()) ? invitation : null
}

/** Null for a link that is void; throws what the operations refuse, such as a weak password. */
export async function makeFirstAccount(
  ticket: string,
  { email, password }: { email: string; password: string },
  runtime: Runtime,
  ip: string,
): Promise<LoginTicket | null> {
  if ((await firstInvitation(ticket, runtime)) === null) return null
  const context: ConsoleContext = {
    actor: { clientId: CONSOLE_CLIENT, userId: null, ...rightsOfRole('owner') },
    deps: await runtime.management(),
    trail: runtime.trail,
    ip,
  }
  const connection = await connectionFor(context, runtime)
  const { id = '' } = await callOperation(
    users.create,
    { body: { connection: connection.name, email, password, email_verified: true } },
    context,
  )
  const role = await runtime.administrators.accept(digest(ticket), id, runtime.clock.now())
  if (role === null) return null
  runtime.trail.context({ user: { id, email } })
  runtime.trail.record('changed', { change: `became an administrator: ${role}`, target: id })
  const at = runtime.clock.now().toISOString()
  return issueLoginTicket(
    {
      clientId: CONSOLE_CLIENT,
      origin: runtime.baseUrl,
      connection,
      identifier: email,
      user: { id },
      evidence: { method: 'pwd', at, connection: connection.name },
    },
    runtime,
  )
}

async function connectionFor(
  context: ConsoleContext,
  { connections, clients, settings }: Runtime,
): Promise<Pick<Connection, 'id' | 'name'>> {
  const [all, client] = await Promise.all([connections.all(), clients.find(CONSOLE_CLIENT)])
  const known = client && chooseDatabase(all, client, undefined, settings.tenant.default_directory)
  if (known) return known
  const name = all.some(({ name }) => name === CONNECTION) ? 'Administrators' : CONNECTION
  const body = { name, strategy: 'auth0', enabled_clients: [CONSOLE_CLIENT], options: { disable_signup: true } }
  const { id = '' } = await callOperation(connectionOperations.create, { body }, context)
  return { id, name }
}
