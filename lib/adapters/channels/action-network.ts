// Sockets of actions, and their look-ups of names (threat-model.md SE8). The guard is that of their requests, and a socket is to the address that was
// judged.
import { lookup as lookUp } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import type { ActionNetwork } from '../../identity/tenant-code/services/index'
import type { FoundAddress, HostAndPort, Network } from '../../identity/tenant-code/services/network'
import { parseUrl } from '../../kernel/url'
import { bareHost } from '../../settings/action-hosts'
import { type ActionReach, isInner, isMailPort, portOf, trusting } from './action-reach'
import { createExchange, type ExchangeDeps } from './action-requests'
import { isAllowedAddress, judgedLookup, type OutboundPolicy, refusalOfUrl } from './outbound-guard'
import { socketTo } from './tunnel'

type NetworkDeps = {
  policy: OutboundPolicy
  reach: ActionReach
  /** In place of the machine's resolvers. */
  servers?: readonly string[]
}

/** Requests, sockets and look-ups behind one guard. */
export const createOutgoing = (deps: ExchangeDeps): ActionNetwork => ({
  exchange: createExchange(deps),
  network: createNetwork(deps),
})

export function createNetwork({ policy, reach, servers }: NetworkDeps): Network {
  const policyOf = ({ host, port }: HostAndPort, tenantId: string): OutboundPolicy =>
    isInner(reach.inner, tenantId, host, port) ? trusting(policy) : policy

  /** The addresses of the tenant at this port, the operator's first. */
  async function ownAt(port: number, tenantId: string): Promise<URL[]> {
    const [own, custom] = await Promise.all([reach.ownUrl(tenantId), reach.customUrls(tenantId)])
    const all = [...(own === null ? [] : [own]), ...custom].map((each) => new URL(each))
    return all.filter((url) => portOf(url) === port)
  }

  return {
    async connect({ host, port }, { tenantId, signal }) {
      const url = urlOf(host, port)
      if (isMailPort(port)) throw failure('EMAILPORT')
      const judging = policyOf({ host: url.hostname, port }, tenantId)
      const refusal = refusalOfUrl(url, judging)
      if (refusal) throw failure(refusal)
      const own = await ownAt(port, tenantId)
      if (own.some(({ hostname }) => hostname === url.hostname)) throw failure('EOWNADDRESS')
      const { socket, address } = await socketTo(url, judging, { fixed: false, signal })
      // Another name for it. Without the mark of a request, nothing would end what the two call each other for.
      const [first] = own
      if (first && (await addressesOf(first, policy)).includes(normal(address))) return refused(socket)
      return socket
    },

    async isOwn({ host, port }, tenantId) {
      return (await ownAt(port, tenantId)).some(({ hostname }) => hostname === host.toLowerCase())
    },

    async lookUp(name, family) {
      const bare = bareHost(name)
      if (isIP(bare) !== 0 && !isAllowedAddress(bare, policy)) throw failure('EFORBIDDENADDRESS')
      return judged(bare, family, policy)
    },

    async services(name, { tenantId, signal }) {
      const records = await resolving(name, signal, servers, (resolver) => resolver.resolveSrv(name))
      const reached = await Promise.all(
        records
          .slice(0, MAX_RECORDS)
          .map((record) => isReached({ host: record.name, port: record.port }, tenantId, policyOf)),
      )
      const allowed = records.filter((_record, at) => reached[at] === true)
      if (records.length > 0 && allowed.length === 0) throw failure('EFORBIDDENADDRESS')
      return allowed
    },

    texts: (name, { signal }) => resolving(name, signal, servers, (resolver) => resolver.resolveTxt(name)),
  }
}

/** As an address of the web is read, in whatever notation. */
function urlOf(host: string, port: number): URL {
  const bare = bareHost(host).replace(/\.$/, '')
  const url = /[/?#@\\\s]/.test(bare) ? null : parseUrl(`https://${isIP(bare) === 6 ? `[${bare}]` : bare}:${port}`)
  if (!url) throw failure('ENOTFOUND')
  return url
}

const normal = (address: string): string => (isIP(address) === 0 ? address : ipaddr.process(address).toString())

/** None where only a proxy can look it up. */
function addressesOf({ hostname }: URL, policy: OutboundPolicy): Promise<string[]> {
  return new Promise((resolve) => {
    ;(policy.lookUp ?? lookUp)(bareHost(hostname), { all: true }, (error, found) =>
      resolve(error ? [] : found.map(({ address }) => normal(address))),
    )
  })
}

function refused(socket: Duplex): never {
  socket.destroy()
  throw failure('EOWNADDRESS')
}

function judged(name: string, family: number, policy: OutboundPolicy): Promise<FoundAddress[]> {
  return new Promise((resolve, reject) => {
    judgedLookup(policy)(name, { all: true, family }, (error, found) => {
      if (error) reject(error)
      else resolve([found].flat().map((each) => (typeof each === 'string' ? { address: each, family: 4 } : each)))
    })
  })
}

/** Of one look-up. */
const MAX_RECORDS = 20
const PATIENCE_MS = 2000
const TRIES = 2
/** Names of inner networks (RFC 6761, 6762, 8375, and those that are common): what they stand for is not for actions. */
const INNER_NAME =
  /^[^.]*$|(?:^|\.)(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|in-addr\.arpa|ip6\.arpa)$/

/** Records that are no addresses, from the resolvers of the machine. */
async function resolving<T>(
  name: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
  find: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  if (INNER_NAME.test(name.toLowerCase().replace(/\.$/, ''))) throw failure('EFORBIDDENADDRESS')
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  const timer = setTimeout(cancel, PATIENCE_MS * TRIES)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await find(resolver)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

/** A name that leads to an inner address only does not exist for an action. One that leads nowhere fails when it is used. */
async function isReached(
  { host, port }: HostAndPort,
  tenantId: string,
  policyOf: (target: HostAndPort, tenantId: string) => OutboundPolicy,
): Promise<boolean> {
  try {
    await judged(host, 0, policyOf({ host, port }, tenantId))
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EFORBIDDENADDRESS')
  }
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })
