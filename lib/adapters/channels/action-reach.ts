// What actions reach beside public addresses (threat-model.md AC12, AC13): the inner hosts that the operator allows by name and port, for all tenants or
// for one, and the tenant's own address. A name that is allowed may resolve to any address. A redirect is judged anew.
import { equalsConstantTime, type Vault } from '../../kernel/secret'
import { bareHost, type InnerHost } from '../../settings/action-hosts'
import type { OutboundPolicy } from './outbound-guard'

export type ActionReach = {
  inner: readonly InnerHost[]
  /** The address that the operator gave the tenant; null for a tenant that is not there. */
  ownUrl(tenantId: string): Promise<string | null>
  /** Its custom domains: this server as well, but addresses that the tenant chose. */
  customUrls(tenantId: string): Promise<readonly string[]>
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (PORTS[protocol] ?? 0) : Number(port))

/** Mail leaves by the provider of the tenant: what an action sends past it would spoil the name of this server's address. */
const MAIL_PORTS = [25, 465, 587]

export const isMailPort = (port: number): boolean => MAIL_PORTS.includes(port)

export const isInner = (hosts: readonly InnerHost[], tenantId: string, host: string, port: number): boolean =>
  hosts.some(
    (each) =>
      (each.tenantId === null || each.tenantId === tenantId) && each.host === bareHost(host) && each.port === port,
  )

/** Its own address alone: at another port of the same host there may be anything. */
export async function isOwn(url: URL, tenantId: string, { ownUrl }: ActionReach): Promise<boolean> {
  const own = await ownUrl(tenantId)
  return own !== null && new URL(own).origin === url.origin
}

/** It is this tenant under a name that the tenant chose: it calls itself, and is judged as every address. */
export const isCustom = async (url: URL, tenantId: string, { customUrls }: ActionReach): Promise<boolean> =>
  (await customUrls(tenantId)).some((each) => new URL(each).origin === url.origin)

/** The address was given by the operator: its name may stand for an inner address, and it may be plain http. */
export const trusting = (policy: OutboundPolicy): OutboundPolicy => ({ ...policy, allowPrivate: true })

/** The header by which a request of an action to its own tenant says so. Only this server can write it. */
export const OF_ACTION = 'x-latchkey-action'

const PURPOSE = 'request of an action'
const VALID_SECONDS = 120

export function writeOfAction(tenantId: string, now: Date, vault: Vault): string {
  const at = Math.floor(now.getTime() / 1000)
  return `${at}.${macOf(tenantId, at, vault)}`
}

export function isOfAction(header: string | undefined, tenantId: string, now: Date, vault: Vault): boolean {
  const [, at = '', mac = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(header ?? '') ?? []
  if (mac === '' || Math.abs(now.getTime() / 1000 - Number(at)) > VALID_SECONDS) return false
  return equalsConstantTime(Buffer.from(mac), Buffer.from(macOf(tenantId, Number(at), vault)))
}

const macOf = (tenantId: string, at: number, vault: Vault): string =>
  vault.mac(PURPOSE, JSON.stringify([tenantId, at])).toString('base64url')
