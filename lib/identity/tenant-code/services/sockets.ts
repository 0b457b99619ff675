// `net` and `tls` of actions as clients: sockets to other servers, judged when they connect. A socket is read when the action asks for more; what it
// does not read waits at the other side. Sockets are closed when the run ends.
import { EventEmitter, once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import * as z from 'zod'
import { keyOf } from '../sandbox/calls/keys.mjs'
import type { Answered, RunContext, Service, Services } from '../sandbox/services'
import type { Breaker } from './breaker'
import { codeOf, failure } from './failure'
import type { HostAndPort, Network } from './network'
import { addResource, beginRequest } from './resource'

const MAX_OPEN = 20
/** Of all sockets of a run. */
const MAX_OPERATIONS = 2000
const MAX_SENT = 10 * 1024 * 1024
const MAX_RECEIVED = 10 * 1024 * 1024
const PART = 64 * 1024
/** Certificates of authorities: the largest provider of databases has 170 kB of them. */
const MAX_AUTHORITIES = 256 * 1024
const MAX_CERTIFICATE = 64 * 1024

const targetArgs = z.object({ host: z.string().min(1).max(255), port: z.number().int().min(1).max(65_535) })
const socketArgs = z.object({ resource: z.number().int() })
const version = z.enum(['TLSv1.2', 'TLSv1.3'])
const secureArgs = socketArgs.extend({
  /** Of the server, or its address. */
  name: z.string().max(255),
  rejectUnauthorized: z.boolean(),
  /** False where the action judges the name itself. */
  checkName: z.boolean(),
  ca: z
    .array(z.string())
    .max(1000)
    .refine((all) => lengthOf(all) <= MAX_AUTHORITIES)
    .optional(),
  cert: z.string().max(MAX_CERTIFICATE).optional(),
  key: z.string().max(MAX_CERTIFICATE).optional(),
  minVersion: version.optional(),
  maxVersion: version.optional(),
  protocols: z.array(z.string().min(1).max(255)).max(10).optional(),
})
type SecureArgs = z.infer<typeof secureArgs>

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

type Traffic = { operations: number; sent: number; received: number }

export function socketServices(network: Network, breaker: Breaker): Services {
  const traffics = new WeakMap<RunContext['resources'], Traffic>()
  /** Counts an operation. */
  function trafficOf({ resources }: RunContext): Traffic {
    const traffic = traffics.get(resources) ?? { operations: 0, sent: 0, received: 0 }
    traffics.set(resources, traffic)
    traffic.operations += 1
    if (traffic.operations > MAX_OPERATIONS) throw failure('ETOOMANYREQUESTS')
    return traffic
  }

  const connect: Service = async (given, _bytes, scope) => {
    const target = targetArgs.parse(given)
    const host = `${target.host}:${target.port}`
    const open = [...scope.resources.values()].filter((each) => each instanceof Open).length
    if (open >= MAX_OPEN) throw failure('ETOOMANYREQUESTS')
    const noted = beginRequest(scope, 'CONNECT', host)
    // It takes its place among the open ones before it is connected.
    const socket = new Open(target, noted)
    const resource = addResource(scope, socket)
    try {
      socket.attach(await breaker({ ...scope, host }, () => network.connect(target, scope)))
      scope.signal.throwIfAborted()
      noted.connected()
      return { value: { resource } }
    } catch (error) {
      socket.close()
      scope.resources.delete(resource)
      noted.failed(scope.signal.aborted ? null : codeOf(error))
      throw failure(codeOf(error))
    }
  }

  return {
    'socket.connect': connect,
    'socket.read': async (given, _bytes, scope) => {
      const socket = socketIn(scope, socketArgs.parse(given).resource)
      const traffic = trafficOf(scope)
      const bytes = await socket.read(scope.signal)
      traffic.received += bytes?.length ?? 0
      if (traffic.received > MAX_RECEIVED) {
        socket.close()
        throw failure('ETOOLARGE')
      }
      return bytes ? { value: { done: false }, bytes } : { value: { done: true } }
    },
    'socket.write': async (given, bytes, scope) => {
      const socket = socketIn(scope, socketArgs.parse(given).resource)
      const traffic = trafficOf(scope)
      traffic.sent += bytes?.byteLength ?? 0
      if (traffic.sent > MAX_SENT) throw failure('EREQUESTTOOLARGE')
      await socket.write(bytes ?? new Uint8Array(0))
      return {}
    },
    'socket.end': async (given, _bytes, scope) => {
      socketIn(scope, socketArgs.parse(given).resource).end()
      return {}
    },
    'socket.close': async (given, _bytes, { resources }) => {
      const { resource } = socketArgs.parse(given)
      const socket = resources.get(resource)
      if (!(socket instanceof Open)) return {}
      socket.close()
      resources.delete(resource)
      return {}
    },
    'socket.secure': async (given, _bytes, scope) => {
      const args = secureArgs.parse(given)
      const socket = socketIn(scope, args.resource)
      trafficOf(scope)
      if (await network.isOwn({ host: args.name, port: socket.port }, scope.tenantId)) throw failure('EOWNADDRESS')
      return socket.secure(args)
    },
  }
}

function socketIn({ resources }: RunContext, number: number): Open {
  const found = resources.get(number)
  if (!(found instanceof Open)) throw failure('ECONNRESET')
  return found
}

/** A socket that an action has open, in the clear or with TLS. */
class Open {
  readonly port: number
  private stream: Duplex | null = null
  private error: unknown = null
  private closed = false
  private secured = false
  private readonly changes = new EventEmitter().setMaxListeners(0)
  constructor(
    { port }: HostAndPort,
    private readonly noted: ReturnType<RunContext['requests']['begin']>,
  ) {
    this.port = port
  }

  attach(stream: Duplex): void {
    this.stream = stream
    stream.on('error', (error) => {
      this.error ??= error
    })
    for (const event of CHANGES) stream.on(event, this.changed)
    if (this.closed) stream.destroy()
  }
  private readonly changed = (): void => void this.changes.emit('change')

  private opened(): Duplex {
    if (!this.stream || this.closed) throw failure('ECONNRESET')
    return this.stream
  }

  /** What has arrived, as soon as it is something; null at the end. */
  async read(signal: AbortSignal): Promise<Buffer | null> {
    for (;;) {
      const stream = this.opened()
      const part = stream.read(Math.min(stream.readableLength, PART)) as Buffer | null
      if (part) return part
      if (this.error) throw failure(codeOf(this.error))
      if (stream.readableEnded || stream.destroyed) return null
      await once(this.changes, 'change', { signal })
      // More may be under way: a part is one slice of the run.
      await turn()
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    const stream = this.opened()
    return new Promise((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(failure(codeOf(this.error ?? error))) : resolve()))
    })
  }

  end(): void {
    this.opened().end()
  }

  /** TLS over this connection: the action has read what came before it. */
  async secure(args: SecureArgs): Promise<Answered> {
    const { name, rejectUnauthorized, checkName, protocols, key, ...certificates } = args
    const { connect, createSecureContext } = await import('node:tls')
    const { isIP } = await import('node:net')
    const stream = this.opened()
    try {
      // Reading certificates takes this thread: once for each connection.
      if (this.secured) throw failure('EALREADY')
      this.secured = true
      // A key that is too large would take it for long.
      if (key !== undefined) keyOf({ pem: key }, 'private')
      const secureContext = createSecureContext({ ...certificates, ...(key === undefined ? {} : { key }) })
      for (const event of CHANGES) stream.off(event, this.changed)
      const options: ConnectionOptions = { socket: stream, secureContext, rejectUnauthorized }
      if (isIP(name) === 0 && name !== '') options.servername = name
      else options.host = name
      if (!checkName) options.checkServerIdentity = () => undefined
      if (protocols) options.ALPNProtocols = protocols
      const tls = connect(options)
      this.attach(tls)
      await new Promise<void>((resolve, reject) => {
        tls.once('secureConnect', resolve).once('error', reject)
        tls.once('close', () => reject(failure('ECONNRESET')))
      })
      const { raw, subject, issuer, subjectaltname, valid_from, valid_to, serialNumber, ...more } =
        tls.getPeerCertificate()
      const { fingerprint, fingerprint256, fingerprint512 } = more
      const value = {
        authorized: tls.authorized,
        authorizationError: tls.authorized ? null : String(tls.authorizationError),
        protocol: tls.getProtocol(),
        cipher: { ...tls.getCipher() },
        alpnProtocol: tls.alpnProtocol || false,
        certificate: {
          ...{ subject: { ...subject }, issuer: { ...issuer }, subjectaltname, valid_from, valid_to, serialNumber },
          ...{ fingerprint, fingerprint256, fingerprint512 },
        },
      }
      return { value: JSON.parse(JSON.stringify(value)), bytes: raw ?? new Uint8Array(0) }
    } catch (error) {
      this.close()
      this.noted.failed(codeOf(error))
      throw failure(codeOf(error))
    }
  }

  close(): void {
    this.closed = true
    this.stream?.destroy()
    this.changed()
  }
}

const CHANGES = ['readable', 'end', 'close', 'error']
