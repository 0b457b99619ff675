// The information that the pages for developers may read from the running server (threat-model.md SC3).
// Where it cannot be read, as without a database, the page is answered with a 503 of this server, not with Next's own error page.
// A page reads all that it needs at once: after the browser has closed the connection, Next refuses to read the headers and prints a stack trace.
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { type InboxMessage, readInbox } from '../../data/outbox/inbox'
import { FIRST_TENANT } from '../../data/tenants/settings'
import type { HttpRequest } from '../../http/message'
import type { Runtime } from '../runtime/runtime'
import { requestOf } from './page'
import { PAGE_CHECK } from './page-paths'
import { reportFailure, runtimeForRequest } from './runtime'
import { ADDRESS } from './screen-address'

/** What `read` returns; where the server cannot read, the browser continues at the address that says so with a 503. */
async function reading<T>(read: (runtime: Runtime) => T | Promise<T>): Promise<T> {
  const sent = Object.fromEntries(await headers())
  const address = new URL(sent[ADDRESS] ?? '/', 'http://localhost')
  try {
    return await read(await runtimeAt(address, sent))
  } catch (error) {
    reportFailure(error)
  }
  redirect(`${PAGE_CHECK}?${new URLSearchParams({ at: address.pathname })}`)
}

export async function runtimeAt(address: URL, sent: HttpRequest['headers']): Promise<Runtime> {
  const { registry, readPeer } = await runtimeForRequest()
  return (await registry.runtimeFor(sent.host)).within(requestOf(address, sent, readPeer(sent)))
}

/** The demo app belongs to the demo tenant; the demo provider's tenant has none. */
export async function isDemo(): Promise<boolean> {
  return reading(({ demo, tenantId }) => demo && tenantId === FIRST_TENANT)
}

/** The demo app's registered address, whatever host the request used. */
export const demoHome = (): Promise<string> => reading(({ baseUrl }) => `${baseUrl}/demo`)

/** The tenant's display name. */
export async function tenantName(): Promise<string> {
  return reading(({ settings, tenantName }) => settings.tenant.friendly_name ?? tenantName)
}

/** Newest first; null where the outbox is disabled. */
export async function inbox(filter: { to?: string | undefined }): Promise<InboxMessage[] | null> {
  return reading((runtime) => inboxOf(runtime, filter))
}

export const inboxOf = async (runtime: Runtime, filter: { to?: string | undefined }): Promise<InboxMessage[] | null> =>
  runtime.devOutbox ? readInbox({ tenantId: runtime.tenantId, ...filter }, runtime) : null
