// The whole way: packages from a registry, bundled, and required by an action in the sandbox.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPackages, type TestPackages } from '../../../testing/packages'

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

let packages: TestPackages
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  packages = await openPackages(NAMES, ['lodash/fp'])
}, 240_000)
afterAll(async () => {
  await packages.close()
  provider.closeAllConnections()
  provider.close()
})

const printed = (body: string) => packages.printed(body)

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
  expect(await printed(`${given}; console.log(String(${expression}))`)).toEqual([line])
})

it('an action prints with debug', async () => {
  expect(await printed("const p = require('debug'); p.enable('x'); p('x')('said %d', 1)")).toEqual([
    expect.stringContaining('said 1'),
  ])
})

it('an action has none of the packages that its own need', async () => {
  expect(await printed("require('jws')")).toEqual(['threw', expect.stringContaining("Cannot find module 'jws'")])
})

it('the bundle lists what its packages need, at exact versions', () => {
  const versions = packages.bundle.packages.map(({ name, version }) => `${name}@${version}`)
  expect(versions).toEqual(expect.arrayContaining([expect.stringMatching(/^jws@\d/), expect.stringMatching(/^ms@\d/)]))
})
