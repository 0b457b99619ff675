// A deployment on this machine: an HTTP server that routes each request to an instance of its function. There are as many
// instances as concurrent requests, and each is frozen when it has no work left.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FunctionFolder, type Instance, layOut, startInstance } from './function'
import { type Headers, middlewareFor, type Route, rewritten } from './router'

export type Deployment = {
  functions: Map<string, Deployed>
  /** Freezes an instance of each function that responded. */
  rested(): Promise<void>
  /** Ends every instance: the next requests start cold. */
  cool(): Promise<void>
  close(): Promise<void>
}

export type Deployed = { is: FunctionFolder; instances: Instance[]; idle: Instance[]; coldStartsMs: number[] }

type Answer = { status: number; headers: Headers; content: Buffer }

export async function deploy(project: string, port: number, settings: Record<string, string>): Promise<Deployment> {
  const output = join(project, '.vercel', 'output')
  const { routes } = JSON.parse(await readFile(join(output, 'config.json'), 'utf8')) as { routes: Route[] }
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-functions-'))
  const functions = new Map<string, Deployed>()

  const locate = (path: string): string => join(output, 'functions', `${path === '/' ? '/index' : path}.func`)
  const layingOut = new Map<string, Promise<Deployed>>()
  async function deployed(path: string): Promise<Deployed> {
    const source = await realpath(locate(path))
    const known = layingOut.get(source)
    if (known !== undefined) return known
    const target = join(folder, String(layingOut.size))
    const made = layOut(source, project, target).then((is) => {
      const one = { is, instances: [], idle: [], coldStartsMs: [] }
      functions.set(source.slice(join(output, 'functions').length), one)
      return one
    })
    layingOut.set(source, made)
    return made
  }

  async function call(path: string, options: CallOptions): Promise<Answer> {
    const one = await deployed(path)
    const began = performance.now()
    const warm = one.idle.pop()
    const instance = warm ?? (await startInstance(one.is, settings))
    if (!warm) one.instances.push(instance)
    const { answer, content } = await instance.send(options, options.body)
    if (!warm) one.coldStartsMs.push(performance.now() - began)
    void instance.rested().then(() => one.idle.push(instance))
    return { status: answer.statusCode ?? 0, headers: answer.headers, content }
  }

  async function route(incoming: IncomingMessage): Promise<Answer> {
    const body = Buffer.concat(await incoming.toArray())
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost')
    const method = incoming.method ?? 'GET'
    const headers: Headers = { ...incoming.headers, 'x-real-ip': '192.0.2.7', 'x-forwarded-proto': 'http' }
    let path = pathname
    let added: Headers = {}
    const middleware = middlewareFor(routes, path, headers)
    if (middleware) {
      const passed = await call(middleware, { method, path: path + search, headers: asSent(headers), body: NOTHING })
      const answered = readMiddleware(passed, headers)
      if (answered === null) return passed
      path = answered.rewrite ?? path
      added = answered.added
    }
    const file = join(output, 'static', path)
    if (path !== '/' && existsSync(file) && !existsSync(locate(path)))
      return { status: 200, headers: added, content: await readFile(file) }
    const to = existsSync(locate(path)) ? { path, query: '' } : rewritten(routes, path)
    const target = to && existsSync(locate(to.path)) ? to : { path: '/_not-found', query: '' }
    headers['x-matched-path'] = target.path
    const query = [search.slice(1), target.query].filter(Boolean).join('&')
    const forwarded = { method, path: query ? `${path}?${query}` : path, headers: asSent(headers), body }
    const answer = await call(target.path, forwarded)
    return { ...answer, headers: { ...answer.headers, ...added } }
  }

  const server = createServer((incoming, outgoing) => {
    route(incoming).then(
      (answer) => reply(outgoing, answer),
      (error: Error) => reply(outgoing, { status: 502, headers: {}, content: Buffer.from(String(error.stack)) }),
    )
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const all = (): Instance[] => Array.from(functions.values()).flatMap(({ instances }) => instances)
  const cool = async (): Promise<void> => {
    await Promise.all(all().map((instance) => instance.end()))
    for (const one of functions.values()) Object.assign(one, { instances: [], idle: [] })
  }
  return {
    functions,
    rested: async () => void (await Promise.all(all().map((instance) => instance.rested()))),
    cool,
    async close() {
      server.closeAllConnections()
      server.close()
      await cool()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const NOTHING = Buffer.alloc(0)

type CallOptions = { method: string; path: string; headers: Record<string, string | string[]>; body: Buffer }

const HOPS = ['connection', 'keep-alive', 'transfer-encoding']

const asSent = (headers: Headers): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !HOPS.includes(entry[0]),
    ),
  )

/** Null if the middleware responded itself; otherwise changes the request's headers as the middleware says. */
function readMiddleware({ headers: answered }: Answer, headers: Headers): { rewrite?: string; added: Headers } | null {
  const rewrite = answered['x-middleware-rewrite']
  if (answered['x-middleware-next'] === undefined && rewrite === undefined) return null
  for (const name of String(answered['x-middleware-override-headers'] ?? '')
    .split(',')
    .filter(Boolean))
    headers[name] = answered[`x-middleware-request-${name}`]
  const added = Object.fromEntries(
    Object.entries(answered).filter(
      ([name]) => !name.startsWith('x-middleware-') && ![...HOPS, 'date', 'content-length'].includes(name),
    ),
  )
  return { added, ...(rewrite === undefined ? {} : { rewrite: new URL(String(rewrite), 'http://localhost').pathname }) }
}

function reply(outgoing: ServerResponse, { status, headers, content }: Answer): void {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !HOPS.includes(name))
  outgoing.writeHead(status, Object.fromEntries(kept) as Record<string, string>).end(content)
}
