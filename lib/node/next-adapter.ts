// Next behind the fast door, in a process of its own (docs/adr/0002): what it patches in its process (dates, promises,
// asynchronous contexts) and the memory that it takes would be paid for by every endpoint.
// - Started by the first request that needs it, or soon after the server began to listen where pages are certain to be
//   asked for; started anew by the next request when it has ended.
// - A hundred requests may wait for it; more are sent away at once (threat-model.md RE4).
// - It never outlives this process, and its socket is in a folder that nobody else can enter.
// - What reaches it is one request for each that came, with this door's word on whose it is (threat-model.md RL3): a body
//   travels in the frame it came in, and a connection is handed over only to Next's own development tools.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { STRICT_HEADERS } from '../http/headers'
import { SOCKET_HEADER } from '../next/address'
import type { Logger } from '../operations/log'
import type { NodeHandler } from './server'

export type NextAdapter = {
  handle: NodeHandler
  /** While developing, hands the server's WebSockets to Next. */
  attach(server: Server): void
  /** Starts it soon, if no request does before. */
  prepareSoon(): void
  close(): Promise<void>
}

export type NextProcessOptions = { dir: string; dev: boolean; hostname: string; port: number; socket: string }

type Options = Omit<NextProcessOptions, 'socket'> & {
  /** The settings with which Next opens a house of its own on the same database. */
  variables: Variables
  log: Logger
}

type Variables = Readonly<Record<string, string | undefined>>

type Running = { child: ChildProcess; folder: string; socket: string; agent: Agent; ready: Promise<void> }

const SOON_MS = 500
const MAX_UNDER_WAY = 100

export function openNextAdapter({ log, variables, ...options }: Options): NextAdapter {
  let running: Promise<Running> | undefined
  let waiting: NodeJS.Timeout | undefined
  let underWay = 0
  const open = async (): Promise<Running> => {
    clearTimeout(waiting)
    running ??= start(options, variables, () => {
      running = undefined
    })
    const opened = await running
    await opened.ready
    return opened
  }
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const opened = await open()
    try {
      await forward(incoming, outgoing, opened)
    } catch (error) {
      // It died under this request, which another process can answer as well.
      if (outgoing.headersSent || hasBody(incoming) || !(await hasEnded(opened))) throw error
      await forward(incoming, outgoing, await open())
    }
  }
  return {
    async handle(incoming, outgoing) {
      if (underWay >= MAX_UNDER_WAY) return sendAway(outgoing)
      underWay += 1
      await pass(incoming, outgoing).finally(() => {
        underWay -= 1
      })
    },
    attach(server) {
      if (!options.dev) return
      server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
        open().then(
          (opened) => tunnel(incoming, socket, head, opened),
          () => socket.destroy(),
        )
      })
    },
    prepareSoon() {
      waiting = setTimeout(() => {
        open().catch((error: unknown) => log.error({ err: error }, 'The pages that Next renders are not available.'))
      }, SOON_MS)
    },
    async close() {
      clearTimeout(waiting)
      await running?.then(stop, () => {})
    },
  }
}

async function start(
  options: Omit<NextProcessOptions, 'socket'>,
  variables: Variables,
  onEnd: () => void,
): Promise<Running> {
  const { fork } = await import('node:child_process')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-pages-'))
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${folder.split('\\').at(-1)}` : join(folder, 'socket')
  const child = fork(join(options.dir, 'dist', 'pages.js'), [JSON.stringify({ ...options, socket })], {
    env: { ...variables, NODE_ENV: options.dev ? 'development' : 'production' },
    execArgv: ['--enable-source-maps'],
  })
  const agent = new Agent({ keepAlive: true })
  child.once('exit', () => {
    onEnd()
    agent.destroy()
    void rm(folder, { recursive: true, force: true })
  })
  const ready = Promise.race([
    once(child, 'message').then(() => {}),
    once(child, 'exit').then(([code]) => {
      throw new Error(`Next ended with ${code} before it was ready`)
    }),
  ])
  ready.catch(() => {})
  return { child, folder, socket, agent, ready }
}

const DYING_MS = 1000

/** Whether it is gone, or going at this moment: its socket closes before the system says that it ended. */
async function hasEnded({ child }: Running): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(DYING_MS) })
  return exited.then(
    () => true,
    () => false,
  )
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function sendAway(outgoing: ServerResponse): void {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  const headers = { ...STRICT_HEADERS, ...type, 'retry-after': '2', 'cache-control': 'no-store' }
  outgoing.writeHead(503, headers).end('The server is busy, try again shortly\n')
}

/** Answers with what Next answers; whoever leaves early takes the request back. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, { socket, agent }: Running): Promise<void> {
  const { method, url } = incoming
  const asked = request({ socketPath: socket, agent, method, path: url, headers: headersFor(incoming) })
  outgoing.once('close', () => asked.destroy())
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  // Without a body there is nothing to read, and what is not read can be asked again.
  const sent = hasBody(incoming) ? pipeline(incoming, asked) : asked.end()
  const [[answer]] = await Promise.all([answered, sent])
  outgoing.writeHead(answer.statusCode ?? 502, { ...STRICT_HEADERS, ...withoutHops(answer.headers) })
  await pipeline(answer, outgoing)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const HOPS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOPS.has(name)))

/** Left out, Node would write the body of a GET or DELETE bare, where it reads as a request of its own. */
const framing = ({ 'transfer-encoding': encoding }: IncomingHttpHeaders): IncomingHttpHeaders =>
  encoding === undefined ? {} : { 'transfer-encoding': 'chunked' }

const headersFor = ({ headers, socket }: IncomingMessage): IncomingHttpHeaders => ({
  ...withoutHops(headers),
  ...framing(headers),
  [SOCKET_HEADER]: socket.remoteAddress ?? '',
})

function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, { socket: path }: Running): void {
  const behind = connect(path, () => {
    const lines = incoming.rawHeaders.flatMap((text, i, all) => (i % 2 === 0 ? [`${text}: ${all[i + 1]}`] : []))
    behind.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    behind.write(head)
  })
  void pipeline(socket, behind).catch(() => {})
  void pipeline(behind, socket).catch(() => {})
}
