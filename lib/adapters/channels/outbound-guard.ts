// SSRF guard: which hosts may be called when a user or a tenant registered the address (threat-model.md SE8).
// - https is required. Plain http is allowed to loopback in development, and everywhere if the operator allows private addresses.
// - The name is resolved once, every address of the result is checked, and the connection uses a checked address. DNS rebinding
//   therefore has no effect.
import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { OutboundProxy } from '../../settings/outbound-proxy'

export type OutboundPolicy = {
  allowLoopback: boolean
  allowPrivate: boolean
  /** Undefined: requests connect directly. */
  proxy?: OutboundProxy | undefined
  /** In place of the machine's look-up. */
  lookUp?: typeof lookUp
}

type Ranges = Pick<OutboundPolicy, 'allowLoopback' | 'allowPrivate'>

export type OutboundRefusal = 'EFORBIDDENADDRESS' | 'EPLAINHTTP' | 'EUNKNOWNSCHEME'

/** Why a URL is refused without name resolution; `judgedLookup` checks the addresses that a name resolves to. */
export function refusalOfUrl(url: URL, policy: OutboundPolicy): OutboundRefusal | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) return 'EFORBIDDENADDRESS'
  if (url.protocol === 'https:') return null
  if (url.protocol !== 'http:') return 'EUNKNOWNSCHEME'
  return mayBePlain(host, policy) ? null : 'EPLAINHTTP'
}

const mayBePlain = (host: string, { allowLoopback, allowPrivate }: Ranges): boolean =>
  allowPrivate || (allowLoopback && (isLocalhost(host) || (isIP(host) !== 0 && rangeOf(host) === 'loopback')))

/** RFC 6761 6.3: every name below `localhost` is loopback. Browsers implement this; many resolvers do not. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

const rangeOf = (address: string): string => ipaddr.process(address).range()

export function isAllowedAddress(address: string, { allowLoopback, allowPrivate }: Ranges): boolean {
  switch (rangeOf(address)) {
    case 'unicast':
      return true
    case 'loopback':
      return allowLoopback || allowPrivate
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return allowPrivate
    default:
      return false
  }
}

export const judgedLookup =
  (policy: OutboundPolicy): LookupFunction =>
  (hostname, options, done) =>
    (policy.lookUp ?? lookUp)(
      isLocalhost(hostname) ? 'localhost' : hostname,
      { ...options, all: true },
      (error, addresses) => {
        if (error) return done(error, '')
        const allowed = addresses.filter(({ address }) => isAllowedAddress(address, policy))
        const [first] = allowed
        if (!first) return done(Object.assign(new Error('no address is allowed'), { code: 'EFORBIDDENADDRESS' }), '')
        if (options.all) done(null, allowed)
        else done(null, first.address, first.family)
      },
    )
