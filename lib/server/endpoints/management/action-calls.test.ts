// Actions that call their own tenant: they reach it, and what runs because of that calls it no more.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOutgoing } from '../../../adapters/channels/action-network'
import { OF_ACTION, writeOfAction } from '../../../adapters/channels/action-reach'
import { createSandbox, type Sandbox } from '../../../identity/tenant-code/sandbox/sandbox'
import { createServices } from '../../../identity/tenant-code/services/index'
import { createVault } from '../../../kernel/secret'
import { withoutTimeLimit } from '../../../testing/actions'
import { bindActions } from '../../../testing/bind-action'
import { TEST_SECRET } from '../../../testing/database'
import { addManager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { sandboxFiles } from '../../runtime/actions'

const vault = createVault(TEST_SECRET)
let server: TestServer
let sandbox: Sandbox
let door: Server
let own = ''
/** By path, the id that a request of an action has of the request which caused it. */
const ids = new Map<string, unknown>()

/** The server of the tests has no socket: this one passes requests on. */
beforeAll(async () => {
  door = createServer(async (request, response) => {
    ids.set(request.url ?? '', request.headers['x-request-id'])
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const answer = await server.browser({ described: false }).send(request.method ?? 'GET', request.url ?? '/', {
      headers: { ...headers, host: 'id.test' },
      body: Buffer.concat(parts),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  own = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const outgoing = createOutgoing({
    policy: { allowLoopback: false, allowPrivate: false },
    reach: { inner: [], ownUrl: async () => own, customUrls: async () => [] },
    mark: (tenantId) => writeOfAction(tenantId, server.clock.now(), vault),
    requestIdHeader: 'X-Request-Id',
  })
  const services = createServices(outgoing)
  sandbox = createSandbox({ ...sandboxFiles(process.cwd()), services, threads: 2, queueLimit: 50 })
  server = await testServer({ sandbox: withoutTimeLimit(sandbox), passesRequestIds: true })
})
afterAll(async () => {
  sandbox.close()
  door.close()
  await server.close()
})

it('an action gets a token and calls the Management API, and the actions of that token call nothing', async () => {
  const manager = await addManager(server)
  await bindActions(server, 'credentials-exchange', [
    `const call = async (path, init) => { try { return await (await fetch('${own}' + path, init)).json() } catch (error) { return { failed: error.cause.code } } }
     exports.onExecuteCredentialsExchange = async (event, api) => {
       const grant = { grant_type: 'client_credentials', client_id: 'manager', client_secret: 'the secret of the manager', audience: 'https://id.test/api/v2/' }
       const { access_token, failed } = await call('/oauth/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(grant) })
       api.accessToken.setCustomClaim('https://a.test/failed', failed ?? 'nothing')
       if (failed) return
       const inner = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString())
       const list = await call('/api/v2/clients', { headers: { authorization: 'Bearer ' + access_token } })
       api.accessToken.setCustomClaim('https://a.test/inner', inner['https://a.test/failed'])
       api.accessToken.setCustomClaim('https://a.test/clients', list.length)
     }`,
  ])
  const token = await manager.token()
  expect(JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString())).toMatchObject({
    'https://a.test/failed': 'nothing',
    'https://a.test/inner': 'ERECURSION',
    'https://a.test/clients': expect.any(Number),
  })
})

it('a client that sends the header itself changes nothing', async () => {
  const form = { grant_type: 'client_credentials', client_id: 'manager', client_secret: 'the secret of the manager' }
  const answer = await server.browser().post('/oauth/token', {
    form: { ...form, audience: 'https://id.test/api/v2/' },
    headers: { [OF_ACTION]: `${Math.floor(server.clock.now().getTime() / 1000)}.${'A'.repeat(43)}` },
  })
  const claims = JSON.parse(Buffer.from(String(answer.json().access_token).split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ 'https://a.test/failed': 'nothing' })
})

it('a request of an action has the id that the audit log has of the request which caused it', async () => {
  const manager = await addManager(server, { clientId: 'other' })
  await bindActions(server, 'credentials-exchange', [
    `exports.onExecuteCredentialsExchange = async (event) => { await fetch('${own}/.well-known/jwks.json?' + event.client.client_id) }`,
  ])
  await manager.token()
  const issued = (await server.audited()).find(({ type, client_id }) => type === 'seccft' && client_id === 'other')
  const id = ids.get('/.well-known/jwks.json?other')
  expect(id).toEqual(expect.any(String))
  expect(issued?.details).toMatchObject({ request_id: id })
})
