// Outgoing requests through the operator's proxy, behind the same guard as those without one (threat-model.md SE8).
// - The name is looked up and judged here, and the proxy is asked for a tunnel (CONNECT) to the judged address, for http as well. TLS is
//   with the name, inside of the tunnel, so the proxy sees neither request nor answer.
// - A name that cannot be looked up here is left to the proxy only where our own code or the operator chose the address, or the operator
//   permits it (LATCHKEY_OUTBOUND_PROXY_RESOLVES): the guard cannot judge what it stands for.
// - A proxy that refuses addresses gets the name, where the operator permits that (the same, `always`): what it stands for was judged here, and can
//   be another address there.
// - This machine is never reached through a proxy.
import { once } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { isLoopback, percentDecoded } from '../../kernel/url'
import type { OutboundProxy } from '../../settings/outbound-proxy'
import { judgedLookup, type OutboundPolicy } from './outbound-guard'

/** `fixed`: our own code or the operator chose the address, and no tenant. */
type Wanted = { fixed: boolean; signal: AbortSignal }

export type SocketOptions = Pick<RequestOptions, 'lookup' | 'agent' | 'createConnection' | 'defaultPort'>

/** How a request connects. Its errors have a code, and name neither the proxy nor its credentials. */
export function connectionTo(url: URL, policy: OutboundPolicy, wanted: Wanted): SocketOptions {
  const proxy = policy.proxy && proxyFor(url, policy.proxy)
  if (!proxy) return { lookup: judgedLookup(policy), agent: false }
  return {
    // Without an agent Node knows none, and would write the port into the Host header.
    defaultPort: DEFAULT_PORTS[url.protocol],
    createConnection(_options, done) {
      openTunnel(url, new URL(proxy), policy, wanted).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, undefined as unknown as Duplex),
      )
      return undefined
    },
  }
}

export function proxyFor(url: URL, { https, http, exceptions }: OutboundProxy): string | undefined {
  const direct = isLoopback(url.hostname) || exceptions.some((exception) => covers(exception, url))
  return direct ? undefined : url.protocol === 'https:' ? https : http
}

/** An entry of NO_PROXY: `*`, a name with the names below it, an address or a range, all but the range perhaps with a port. */
function covers(exception: string, url: URL): boolean {
  if (exception === '*') return true
  const host = hostOf(url)
  if (ipaddr.isValidCIDR(exception)) return isIP(host) !== 0 && isWithin(host, exception)
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+|.*:.*:.*))(?::(\d+))?$/.exec(exception) ?? []
  if (port !== undefined && port !== portOf(url)) return false
  const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isIP(name) !== 0 && ipaddr.process(host).toString() === ipaddr.process(name).toString()
  return name !== '' && (host === name || host.endsWith(`.${name}`))
}

const isWithin = (host: string, range: string): boolean => {
  const [address, [base, bits]] = [ipaddr.process(host), ipaddr.parseCIDR(range)]
  return address.kind() === base.kind() && address.match(base, bits)
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

const portOf = ({ port, protocol }: URL): string => port || String(DEFAULT_PORTS[protocol])

async function openTunnel(url: URL, proxy: URL, policy: OutboundPolicy, wanted: Wanted): Promise<Duplex> {
  const { socket } = await tunnelTo(url, proxy, policy, wanted)
  return url.protocol === 'https:' ? secured(socket, hostOf(url), wanted.signal) : socket
}

/** `address`: the judged one, or the name that the proxy looks up. */
type Connected = { socket: Socket; address: string }

async function tunnelTo(url: URL, proxy: URL, policy: OutboundPolicy, wanted: Wanted): Promise<Connected> {
  const address = await judgedTarget(hostOf(url), policy, wanted)
  const named = policy.proxy?.resolves === 'always' ? hostOf(url) : address
  const authority = `${isIP(named) === 6 ? `[${named}]` : named}:${portOf(url)}`
  return { socket: await askForTunnel(authority, proxy, wanted.signal), address }
}

/** A connection to host and port of the address, whatever is spoken there. */
export async function socketTo(url: URL, policy: OutboundPolicy, wanted: Wanted): Promise<Connected> {
  const proxy = policy.proxy && proxyFor(url, policy.proxy)
  if (proxy) return tunnelTo(url, new URL(proxy), policy, wanted)
  const socket = connect({ host: hostOf(url), port: Number(portOf(url)), lookup: judgedLookup(policy) })
  try {
    await once(socket, 'connect', { signal: wanted.signal })
    return { socket, address: socket.remoteAddress ?? '' }
  } catch (error) {
    socket.on('error', () => {}).destroy()
    throw error
  }
}

/** A closed network may answer no look-up at all. */
const LOOKUP_MS = 2000
const NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA', 'ESERVFAIL', 'ECONNREFUSED'])

/** The judged address of the name, or the name itself where only the proxy can find it. */
function judgedTarget(host: string, policy: OutboundPolicy, { fixed }: Wanted): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host)
  return new Promise((resolve, reject) => {
    const unknown = (): void =>
      fixed || policy.proxy?.resolves ? resolve(host) : reject(failure('EUNJUDGED', 'only the proxy knows the name'))
    const timer = setTimeout(unknown, LOOKUP_MS)
    judgedLookup(policy)(host, { all: true }, (error, found) => {
      clearTimeout(timer)
      if (error) return NOT_FOUND.has(error.code ?? '') ? unknown() : reject(error)
      // A proxy may have no route to IPv6.
      const addresses = [found].flat().map((each) => (typeof each === 'string' ? each : each.address))
      resolve(addresses.find((address) => isIP(address) === 4) ?? addresses[0] ?? host)
    })
  })
}

async function askForTunnel(authority: string, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const { request: begin } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const { username, password } = proxy
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`
  const headers = {
    host: authority,
    ...(username + password === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  }
  const { hostname, port, protocol } = proxy
  const options = {
    method: 'CONNECT',
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    protocol,
    path: authority,
    headers,
    signal,
  }
  return new Promise((resolve, reject) => {
    const refused = (status: number | undefined): void => reject(failure(`EPROXY ${status}`, 'the proxy refused'))
    begin({ ...options, agent: false })
      .on('connect', (answer: IncomingMessage, socket: Socket, rest: Buffer) => {
        if (answer.statusCode !== 200) {
          socket.destroy()
          return refused(answer.statusCode)
        }
        if (rest.length > 0) socket.unshift(rest)
        resolve(socket)
      })
      .on('response', (answer: IncomingMessage) => {
        answer.destroy()
        refused(answer.statusCode)
      })
      .on('error', (error: NodeJS.ErrnoException) => reject(failure(`EPROXY ${error.code ?? ''}`.trim(), 'no proxy')))
      .end()
  })
}

async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Duplex> {
  const { connect } = await import('node:tls')
  const name = isIP(host) === 0 ? { servername: host } : { host }
  return new Promise((resolve, reject) => {
    const tls = connect({ socket, ALPNProtocols: ['http/1.1'], ...name }, () => {
      signal.removeEventListener('abort', end)
      tls.off('error', reject)
      resolve(tls)
    })
    const end = (): void => void tls.destroy(failure('ABORT_ERR', 'no answer in time'))
    tls.once('error', reject)
    signal.addEventListener('abort', end, { once: true })
  })
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })
