// What the pages for developers may know of the running server. Without an open house there is no demo and no outbox:
// whatever cannot be told is answered like production (security.md SC3).
import { headers } from 'next/headers'
import { type InboxMessage, readInbox } from '../delivery/inbox'
import { publishedHouse } from '../runtime/current-house'
import type { Runtime } from '../runtime/runtime'

async function currentRuntime(): Promise<Runtime | undefined> {
  const host = (await headers()).get('host') ?? undefined
  return publishedHouse()?.runtimeFor(host)
}

export const isDemo = async (): Promise<boolean> => (await currentRuntime())?.demo ?? false

/** The name that people know the tenant by. */
export async function tenantName(): Promise<string> {
  const runtime = await currentRuntime()
  return runtime?.settings.tenant.friendly_name ?? runtime?.tenantName ?? 'Latchkey'
}

/** Newest first; null where the outbox is not switched on. */
export async function inbox(filter: { to?: string | undefined }): Promise<InboxMessage[] | null> {
  const runtime = await currentRuntime()
  return runtime?.devOutbox ? readInbox({ tenantId: runtime.tenantId, ...filter }, runtime) : null
}
