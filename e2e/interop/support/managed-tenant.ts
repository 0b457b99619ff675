// A tenant that the vendor's tools manage (management.yaml): a server behind TLS, because they speak https only.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MANAGEMENT_SCOPES } from '../../../lib/data/apis/management-scopes'
import { freePort } from '../../../lib/testing/free-port.mjs'
import { makeDataDir } from './data-dir'
import { type Settings, startServer } from './server-process'
import { startTlsFront } from './tls-front'

export const TOOLBOX = { clientId: 'e2e-toolbox', clientSecret: 'the-secret-of-the-toolbox-1234567890' }

const DEPLOY_CLI = fileURLToPath(new URL('../../../node_modules/auth0-deploy-cli/lib/index.js', import.meta.url))
const SCHEMA = new URL('deploy-cli-schema.mjs', import.meta.url).href

export type ManagedTenant = {
  domain: string
  /** The settings of the server, for its commands. */
  settings: Settings
  /** The authority's certificate, for NODE_EXTRA_CA_CERTS. */
  caFile: string
  /** A call of the Management API by the toolbox, with all that its grant allows at that time. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  end(): Promise<void>
}

export async function startManagedTenant(): Promise<ManagedTenant> {
  const data = await makeDataDir()
  const port = await freePort()
  const domain = `localhost:${port}`
  const settings = {
    LATCHKEY_CONFIG: fileURLToPath(new URL('../management.yaml', import.meta.url)),
    TOOL_SCOPES: JSON.stringify([...MANAGEMENT_SCOPES.keys()]),
    APP_URL: `https://${domain}`,
    LATCHKEY_DATA_DIR: data.path,
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const server = await startServer(settings)
  const front = await startTlsFront(port, server.port)
  return {
    domain,
    settings,
    caFile: front.caFile,
    async call(method, path, body) {
      const { clientId: client_id, clientSecret: client_secret } = TOOLBOX
      const audience = `https://${domain}/api/v2/`
      const form = { grant_type: 'client_credentials', client_id, client_secret, audience }
      const token = await sent(`https://${domain}/oauth/token`, front.caFile, { method: 'POST', body: form })
      const { access_token } = token.body as { access_token: string }
      const headers = { authorization: `Bearer ${access_token}` }
      return sent(`https://${domain}/api/v2${path}`, front.caFile, { method, body, headers })
    },
    async end() {
      await front.close()
      await server.end('SIGTERM')
      await data.remove()
    },
  }
}

type Sending = { method: string; body?: unknown; headers?: Record<string, string> }

/** A request of JSON that trusts the authority alone. */
async function sent(url: string, caFile: string, { method, body, headers }: Sending) {
  const ca = await readFile(caFile)
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const asking = request(
      url,
      { method, ca, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        json(answer).then(
          (parsed) => resolve({ status: answer.statusCode ?? 0, body: parsed }),
          () => resolve({ status: answer.statusCode ?? 0, body: null }),
        )
      },
    )
    asking.on('error', reject)
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Runs the vendor's `auth0-deploy-cli` in a folder; returns its output. Throws if it fails. */
export async function a0deploy(
  { domain, caFile }: ManagedTenant,
  folder: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<string> {
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caFile,
    AUTH0_DOMAIN: domain,
    AUTH0_CLIENT_ID: TOOLBOX.clientId,
    AUTH0_CLIENT_SECRET: TOOLBOX.clientSecret,
    ...settings,
  }
  const program = args[0] === 'import' ? ['--import', SCHEMA, DEPLOY_CLI] : [DEPLOY_CLI]
  const run = promisify(execFile)(process.execPath, [...program, ...args], { env, cwd: folder })
  // The tool writes what went wrong to its standard output.
  const { stdout, stderr } = await run.catch(({ code, signal, stdout, stderr }) => {
    throw new Error(`${args.join(' ')} ended with ${code ?? signal}:\n${stdout}${stderr}`)
  })
  return `${stdout}${stderr}`
}
