// Who is signed in to the console, read anew for each request: the cookie of next-auth says which session of this server it belongs to,
// and the session, the user and the role must still stand. So a logout anywhere, a block and a removed role count at once.
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { managementAudience } from '../../apis/built-in'
import { CONSOLE_CLIENT, CONSOLE_PATH } from '../../clients/console'
import type { HttpRequest } from '../../http/message'
import type { Administrator } from '../../management/console-administrators'
import type { ConsoleContext } from '../../management/console-call'
import { scopesOfRole } from '../../management/console-roles'
import type { Runtime } from '../../runtime/runtime'
import { requestOf } from '../page'
import { runtimeForRequest } from '../runtime'
import { ADDRESS } from '../screen-address'
import { cookiesIn, readToken, SIGN_IN_PATH } from './sign-in'

export type ConsoleSession = {
  runtime: Runtime
  request: HttpRequest
  administrator: Administrator
  /** When the person last authenticated. */
  authenticatedAt: Date
  /** What calls of operations need. */
  context(): Promise<ConsoleContext>
}

export type Arrived = { runtime: Runtime; request: HttpRequest }

/** The tenant of a request, and the request. */
export async function consoleRuntime(address: URL, sent: HttpRequest['headers']): Promise<Arrived> {
  const { registry, addressOf } = await runtimeForRequest()
  const tenant = await registry.runtimeFor(sent.host)
  const request = tenant.received(requestOf(address, sent, addressOf(sent)))
  return { runtime: tenant.within(request), request }
}

export type Entry =
  | { state: 'signed-out' }
  | { state: 'stranger'; runtime: Runtime; userId: string; authenticatedAt: Date }
  | { state: 'in'; session: ConsoleSession }

export async function enter({ runtime, request }: Arrived): Promise<Entry> {
  const held = await readToken(cookiesIn(request.headers.cookie), runtime)
  if (!held) return { state: 'signed-out' }
  const authenticatedAt = await runtime.sessions.authenticatedAt(held.sid, held.sub, runtime.clock.now())
  if (authenticatedAt === null) return { state: 'signed-out' }
  const administrator = await runtime.administrators.find(held.sub)
  if (!administrator) return { state: 'stranger', runtime, userId: held.sub, authenticatedAt }
  return { state: 'in', session: { runtime, request, administrator, authenticatedAt, context } }

  async function context(this: ConsoleSession): Promise<ConsoleContext> {
    return contextOf(this)
  }
}

async function contextOf({ runtime, request, administrator }: ConsoleSession): Promise<ConsoleContext> {
  const { userId, role, email } = administrator
  const client = await runtime.clients.find(CONSOLE_CLIENT)
  runtime.trail.context({ ...(client && { client }), user: { id: userId, email, username: null } })
  return {
    actor: { clientId: CONSOLE_CLIENT, userId, scopes: new Set(scopesOfRole(role)) },
    deps: await runtime.management(),
    trail: runtime.trail,
    ip: request.ip,
    outOfReach: () => runtime.administrators.above(role, managementAudience(runtime.canonicalUrl)),
  }
}

/** Once per request: layout, page and actions share it. */
export const readEntry = cache(async (): Promise<Entry> => {
  const { address, sent } = await addressed()
  return enter(await consoleRuntime(address, sent))
})

async function addressed(): Promise<{ address: URL; sent: HttpRequest['headers'] }> {
  const sent = Object.fromEntries(await headers())
  return { address: new URL(sent[ADDRESS] ?? CONSOLE_PATH, 'http://localhost'), sent }
}

/** Anyone else is sent to the sign-in, and then back to this page. */
export async function requireSession(): Promise<ConsoleSession> {
  const entry = await readEntry()
  if (entry.state === 'in') return entry.session
  if (entry.state === 'stranger') redirect(`${CONSOLE_PATH}/no-administrator`)
  const { address } = await addressed()
  redirect(signInUrl(address.pathname + address.search))
}

export const signInUrl = (to: string, fresh = false): string =>
  `${SIGN_IN_PATH}?${new URLSearchParams({ to, ...(fresh ? { fresh: '1' } : {}) })}`
