// Which machines may be called on behalf of whoever registered an address (threat-model.md SE8).
// - https; plain http only to this machine in development, and wherever the operator allows private addresses.
// - The name is looked up once, each address it has is judged, and the connection is made to one that was judged, so a
//   name that changes its mind in between leads nowhere else.
import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type OutboundPolicy = { allowLoopback: boolean; allowPrivate: boolean }

export type OutboundRefusal = 'EFORBIDDENADDRESS' | 'EPLAINHTTP' | 'EUNKNOWNSCHEME'

/** Why an address is not called, as far as it tells by itself; the name's addresses are judged by `judgedLookup`. */
export function refusalOf(url: URL, policy: OutboundPolicy): OutboundRefusal | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(host, policy)) return 'EFORBIDDENADDRESS'
  if (url.protocol === 'https:') return null
  if (url.protocol !== 'http:') return 'EUNKNOWNSCHEME'
  return mayBePlain(host, policy) ? null : 'EPLAINHTTP'
}

const mayBePlain = (host: string, { allowLoopback, allowPrivate }: OutboundPolicy): boolean =>
  allowPrivate || (allowLoopback && (isLocalhost(host) || (isIP(host) !== 0 && rangeOf(host) === 'loopback')))

/** RFC 6761 (6.3): every name below `localhost` is this machine; browsers know that, resolvers often do not. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

const rangeOf = (address: string): string => ipaddr.process(address).range()

export function isAllowed(address: string, { allowLoopback, allowPrivate }: OutboundPolicy): boolean {
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
    lookUp(isLocalhost(hostname) ? 'localhost' : hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const allowed = addresses.filter(({ address }) => isAllowed(address, policy))
      const [first] = allowed
      if (!first) return done(Object.assign(new Error('no address is allowed'), { code: 'EFORBIDDENADDRESS' }), '')
      if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    })
