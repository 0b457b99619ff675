// LATCHKEY_ACTION_HOSTS: the inner hosts that actions reach.
import * as z from 'zod'

/** Without a tenant it is for all. */
export type InnerHost = { tenantId: string | null; host: string; port: number }

/** In small letters, without the brackets of IPv6. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase()

/** `host:port`, `[::1]:5432`, and `tenant=host:port` for one tenant. Null if it is no such thing. */
function readInnerHost(text: string): InnerHost | null {
  const [, tenant, host = '', port = ''] =
    /^(?:([\w-]{1,64})=)?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
  const number = Number(port)
  if (host === '' || number < 1 || number > 65_535) return null
  return { tenantId: tenant ?? null, host: bareHost(host), port: number }
}

export const innerHosts = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.every((each) => readInnerHost(each) !== null), {
    error: 'must be hosts with a port separated by commas, such as crm.internal:8443, or tenant=host:port',
  })
  .transform((list) => list.flatMap((each) => readInnerHost(each) ?? []))
