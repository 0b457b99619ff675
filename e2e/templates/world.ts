// The server in which a template runs, and the services that it calls. Its own requests to the tenant reach the server itself.
import { createSandbox, type Sandbox } from '../../lib/identity/tenant-code/sandbox/sandbox'
import type { SendRequest } from '../../lib/identity/tenant-code/services/exchange'
import { createServices } from '../../lib/identity/tenant-code/services/index'
import { sandboxFiles } from '../../lib/server/runtime/actions'
import { testOutgoing, withoutTimeLimit } from '../../lib/testing/actions'
import { exchanged, OWN_HOST, ownAnswer } from '../../lib/testing/own-exchange'
import { type TestServer, testServer } from '../../lib/testing/server'

type Reply = { status: number; body: string; type?: string }

const ROLES = '<a><string>Reader</string><string>Writer</string></a>'
const SERVICES: Readonly<Record<string, (path: string) => Reply>> = {
  'soap.test': () => ({ status: 200, body: ROLES, type: 'text/xml' }),
  'salesforce.test': (path) => ({ status: path.endsWith('/token') ? 200 : 201, body: '{"access_token":"t","id":"1"}' }),
  'broken.test': () => ({ status: 500, body: '{}' }),
}

export type World = {
  server: TestServer
  sandbox: Sandbox
  /** `METHOD host/path` of each request. */
  requests: string[]
  /** The keys of services that publish some, by host. */
  published: Map<string, string>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const requests: string[] = []
  const published = new Map<string, string>()
  let server: TestServer
  const exchange: SendRequest = async (url, request) => {
    requests.push(`${request.method} ${url.host}${url.pathname}`)
    if (url.host === OWN_HOST) return ownAnswer(url, request, server)
    const body = published.get(url.host)
    const reply = body === undefined ? SERVICES[url.host]?.(url.pathname) : { status: 200, body }
    if (!reply) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return exchanged(reply.status, [['content-type', reply.type ?? 'application/json']], reply.body)
  }
  const sandbox = createSandbox({
    ...sandboxFiles(process.cwd()),
    ...{ services: createServices({ ...testOutgoing(), exchange }), threads: 2, queueLimit: 100, preparing: 600_000 },
  })
  server = await testServer({ sandbox: withoutTimeLimit(sandbox) })
  server.clock.advance(secondsBehind(server))
  return {
    ...{ server, sandbox, requests, published },
    async close() {
      sandbox.close()
      await server.close()
    },
  }
}

const BEHIND_SECONDS = 600

/**
 * Of the server's clock, to its time for now. `Date` of an action is the machine's, and no token may be of its future, although changes of settings
 * advance the server's clock.
 */
export const secondsBehind = ({ clock }: Pick<TestServer, 'clock'>): number =>
  Math.floor((Date.now() - clock.now().getTime()) / 1000) - BEHIND_SECONDS
