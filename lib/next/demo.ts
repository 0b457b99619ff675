// The information that the pages for developers may read from the running server (threat-model.md SC3).
import { headers } from 'next/headers'
import { type InboxMessage, readInbox } from '../outbox/inbox'
import type { Runtime } from '../runtime/runtime'
import { FIRST_TENANT } from '../tenants/settings'
import { requestOf } from './page'
import { runtimeForRequest } from './runtime'
import { ADDRESS } from './screen-address'

async function currentRuntime(): Promise<Runtime> {
  const sent = Object.fromEntries(await headers())
  const { registry, addressOf } = await runtimeForRequest()
  const address = new URL(sent[ADDRESS] ?? '/', 'http://localhost')
  return (await registry.runtimeFor(sent.host)).within(requestOf(address, sent, addressOf(sent)))
}

/** The demo app belongs to the demo tenant; the demo provider's tenant has none. */
export async function isDemo(): Promise<boolean> {
  const { demo, tenantId } = await currentRuntime()
  return demo && tenantId === FIRST_TENANT
}

/** The demo app's registered address, whatever host the request used. */
export const demoHome = async (): Promise<string> => `${(await currentRuntime()).baseUrl}/demo`

/** The tenant's display name. */
export async function tenantName(): Promise<string> {
  const { settings, tenantName } = await currentRuntime()
  return settings.tenant.friendly_name ?? tenantName
}

/** Newest first; null where the outbox is disabled. */
export async function inbox(filter: { to?: string | undefined }): Promise<InboxMessage[] | null> {
  const runtime = await currentRuntime()
  return runtime.devOutbox ? readInbox({ tenantId: runtime.tenantId, ...filter }, runtime) : null
}
