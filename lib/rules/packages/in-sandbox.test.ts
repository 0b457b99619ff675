// The whole way: packages from a registry, bundled, and required by an action in the sandbox.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxFiles } from '../../runtime/actions'
import { testServices, withoutTimeLimit } from '../../testing/actions'
import { openRegistry, publishInstalled, type Registry } from '../../testing/registry'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { type Bundle, createBundler } from './bundle'

const NAMES = [
  '@xmldom/xmldom',
  'auth0',
  'debug',
  'ipaddr.js',
  'jose',
  'jsonwebtoken',
  'lodash',
  'openid-client',
  'pg',
  'uuid',
]

/** An OpenID provider for one client. */
const provider = createServer((request, response) => {
  const issuer = addressOf(provider)
  const metadata = { issuer, token_endpoint: `${issuer}/token` }
  const token = { access_token: 'a token', token_type: 'bearer' }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.url === '/token' ? token : metadata))
})
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let registry: Registry
let sandbox: Sandbox & { close(): void }
let bundle: Bundle
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  registry = await openRegistry()
  for (const name of NAMES) await publishInstalled(registry, name)
  const dependencies = NAMES.map((name) => ({ name }))
  const built = await createBundler({ root: process.cwd() }).build(dependencies, [...NAMES, 'lodash/fp'])
  bundle = 'bundle' in built ? built.bundle : expect.fail(built.failure)
  const options = { services: testServices(), threads: 1, queueLimit: 10, preparing: 600_000 }
  sandbox = createSandbox({ ...sandboxFiles(process.cwd()), ...options })
}, 240_000)
afterAll(async () => {
  sandbox.close()
  await registry.close()
  provider.closeAllConnections()
  provider.close()
})

const said = async (body: string) => {
  const { outcome, error, lines } = await withoutTimeLimit(sandbox).run('main', {
    ...{ code: `exports.run = async () => { ${body} }`, file: 'tested.js', handler: 'run', optional: false },
    ...{ bundle: { digest: bundle.digest, code: async () => bundle.code } },
    ...{ methods: [], event: '{}', cache: 'none', now: 0, seed: [1, 2, 3, 4], elapsed: 1, milliseconds: 1 },
  })
  return outcome === 'ok' ? lines.map(([, text]) => text) : [outcome, error?.message]
}

it.each([
  ['@xmldom/xmldom', 'new p.DOMParser().parseFromString("<a>1</a>", "text/xml").documentElement.textContent', '1'],
  ['auth0', 'typeof new p.ManagementClient({ domain: "acme.test", token: "t" }).users.get', 'function'],
  ['ipaddr.js', 'p.parse("10.1.2.3").match(p.parseCIDR("10.0.0.0/8"))', 'true'],
  [
    'jose',
    '(await p.jwtVerify(await new p.SignJWT({ a: 1 }).setProtectedHeader({ alg: "HS256" }).sign(KEY), KEY)).payload.a',
    '1',
  ],
  ['jsonwebtoken', 'p.verify(p.sign({ a: 1 }, "secret", { noTimestamp: true }), "secret").a', '1'],
  ['lodash', 'p.get({ a: [{ b: 1 }] }, "a[0].b")', '1'],
  ['lodash/fp', 'p.map((n) => n + 1)([1, 2]).join()', '2,3'],
  [
    'openid-client',
    '(await p.clientCredentialsGrant(await p.discovery(new URL(PROVIDER), "id", "s", undefined, { execute: [p.allowInsecureRequests] }))).access_token',
    'a token',
  ],
  ['pg', 'p.types.getTypeParser(23)("7") + 1', '8'],
  ['uuid', 'p.v5("a", p.v5.URL)', 'e1407479-3136-56c0-9908-bb02fb0339e2'],
])('an action uses %s', async (name, expression, line) => {
  const given = `const KEY = new Uint8Array(32), PROVIDER = '${addressOf(provider)}', p = require('${name}')`
  expect(await said(`${given}; console.log(String(${expression}))`)).toEqual([line])
})

it('an action prints with debug', async () => {
  expect(await said("const p = require('debug'); p.enable('x'); p('x')('said %d', 1)")).toEqual([
    expect.stringContaining('said 1'),
  ])
})

it('an action has none of the packages that its own need', async () => {
  expect(await said("require('jws')")).toEqual(['threw', expect.stringContaining("Cannot find module 'jws'")])
})

it('the bundle lists what its packages need, at exact versions', () => {
  const versions = bundle.packages.map(({ name, version }) => `${name}@${version}`)
  expect(versions).toEqual(expect.arrayContaining([expect.stringMatching(/^jws@\d/), expect.stringMatching(/^ms@\d/)]))
})
