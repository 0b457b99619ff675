// Who is signed in to the console, read anew for each request: the cookie of next-auth says which session of this server it belongs to,
// and the session, the user and the role must still stand, and the session must have proven a second factor. So a logout anywhere, a block and a removed role count at once.
import { CONSOLE_CLIENT } from '../../../data/clients/console'
import type { HttpRequest } from '../../../http/message'
import type { ConsoleContext } from '../../../management/console-call'
import type { Administrator } from '../../../management/operations/console-administrators'
import { rightsOfRole } from '../../../management/operations/console-roles'
import type { Runtime } from '../../runtime/runtime'
import { cookiesIn, readToken } from './sign-in'

export type Arrived = { runtime: Runtime; request: HttpRequest }

export type ConsoleSession = {
  runtime: Runtime
  request: HttpRequest
  administrator: Administrator
  /** When the person last authenticated. */
  authenticatedAt: Date
}

export type ConsoleEntry =
  | { state: 'signed-out' }
  | { state: 'stranger'; runtime: Runtime; userId: string; authenticatedAt: Date }
  /** An administrator whose session started without a second factor. */
  | { state: 'factor-missing'; runtime: Runtime; userId: string }
  | { state: 'in'; session: ConsoleSession }

export async function enter({ runtime, request }: Arrived): Promise<ConsoleEntry> {
  const held = await readToken(cookiesIn(request.headers.cookie), runtime)
  if (!held) return { state: 'signed-out' }
  const authentication = await runtime.sessions.authentication(held.sid, held.sub, runtime.clock.now())
  if (authentication === null) return { state: 'signed-out' }
  const { at: authenticatedAt, hasFactor } = authentication
  const administrator = await runtime.administrators.find(held.sub)
  if (!administrator) return { state: 'stranger', runtime, userId: held.sub, authenticatedAt }
  if (runtime.settings.tenant.console_second_factor && !hasFactor)
    return { state: 'factor-missing', runtime, userId: held.sub }
  return { state: 'in', session: { runtime, request, administrator, authenticatedAt } }
}

/** What calls of operations need. */
export async function contextFor(
  { userId, role, email }: Administrator,
  runtime: Runtime,
  ip: string,
): Promise<ConsoleContext> {
  const client = await runtime.clients.find(CONSOLE_CLIENT)
  runtime.trail.context({ ...(client && { client }), user: { id: userId, email } })
  return {
    actor: { clientId: CONSOLE_CLIENT, userId, ...rightsOfRole(role) },
    deps: await runtime.management(),
    trail: runtime.trail,
    ip,
  }
}

export const contextOf = ({ administrator, runtime, request }: ConsoleSession): Promise<ConsoleContext> =>
  contextFor(administrator, runtime, request.ip)
