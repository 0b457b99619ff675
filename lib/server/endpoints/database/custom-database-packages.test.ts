// Packages of npm in the scripts of a custom database: built when it is saved, from a registry of the test's own. A database with `pg` moves a
// person over from the PostgreSQL of the tests.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDED, removeBatch } from '../../../adapters/store/clean-up'
import { scriptBuildStore } from '../../../adapters/store/prisma/script-builds'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import { createBundler } from '../../../identity/tenant-code/packages/bundle'
import type { JsonObject } from '../../../kernel/json'
import { type ActionBuildDeps, buildActions } from '../../../management/jobs/action-builds'
import { SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { openRegistry, publishInstalled, type Registry } from '../../../testing/registry'
import { type TestServer, testServer } from '../../../testing/server'

const REALM = 'http://auth0.com/oauth/grant-type/password-realm'

let server: TestServer
let manager: Manager
let registry: Registry
let version: string
let url: string
const runs: RunRecord[] = []

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: ['authorization_code', REALM] } })
  url = await bridged()
  registry = await openRegistry()
  await publishInstalled(registry, 'pg')
  version = JSON.parse(await readFile('node_modules/pg/package.json', 'utf8')).version
  await server.database.pool.query('CREATE TABLE legacy (id int, email text, password text)')
  await server.database.pool.query(
    `INSERT INTO legacy VALUES (7, 'kim@mail.test', '$2y$04$rYozRC/uOSMZ4ydD2ANAPe5nPeMYHECfigzAPO1CbE10UsfnkY/4i')`,
  )
}, 240_000)
afterAll(async () => {
  await registry.close()
  bridge.close()
  await server.close()
})

const worker = (): ActionBuildDeps => ({
  stores: [scriptBuildStore(server.db)],
  bundler: createBundler({ root: process.cwd() }),
  clock: server.clock,
  log: { warn: ({ err }) => expect.fail(String(err)), error: ({ err }) => expect.fail(String(err)) },
})

/** The PostgreSQL of the tests listens on a socket of the file system, which scripts do not reach. */
const bridge = createServer((socket) => {
  const { searchParams, port } = new URL(server.database.url)
  const there = connect(`${searchParams.get('host')}/.s.PGSQL.${port || 5432}`)
  socket.pipe(there).pipe(socket)
  for (const end of [socket, there]) end.on('error', () => end.destroy())
})

async function bridged(): Promise<string> {
  await once(bridge.listen(0, '127.0.0.1'), 'listening')
  const address = new URL(server.database.url)
  address.host = `127.0.0.1:${(bridge.address() as AddressInfo).port}`
  address.search = ''
  return address.href
}

/** With a callback, as in the vendor's template. */
const login = (name: string): string => `function login(email, password, callback) {
  const bcrypt = require('bcrypt')
  const { Client } = require('${name}')
  const client = new Client({ connectionString: configuration.URL })
  client.connect()
  client.query('SELECT id, email, password FROM legacy WHERE email = $1', [email], (error, result) => {
    client.end()
    if (error) return callback(error)
    const [person] = result.rows
    if (!person || !bcrypt.compareSync(password, person.password)) return callback(new WrongUsernameOrPasswordError(email))
    callback(null, { user_id: person.id, email: person.email })
  })
}`

const options = (script: string): JsonObject => ({
  ...{ enabledDatabaseCustomization: true, import_mode: true, customScripts: { login: script } },
  configuration: { URL: url },
})

const signIn = async (password: string, realm: string) => {
  server.clock.advance(2)
  const form = { grant_type: REALM, client_id: 'spa', realm, username: 'kim@mail.test', password, scope: 'openid' }
  return (await server.browser().post('/oauth/token', { form })).json()
}

const bundles = async () => (await server.database.pool.query('SELECT digest FROM action_bundle')).rowCount

it('move a person over by pg, once their packages are built', async () => {
  const made = await manager.post('/connections', {
    ...{ name: 'Postgres', strategy: 'auth0', enabled_clients: ['spa'], options: options(login(`pg@${version}`)) },
  })
  expect(made.status).toBe(201)
  expect(await signIn('correct', 'Postgres')).toMatchObject({ error: 'access_denied' })
  expect(server.lines.some(({ fields }) => String(fields.problem).includes('being built'))).toBe(true)
  await buildActions(worker())
  expect(await signIn('wrong', 'Postgres')).toMatchObject({ error: 'invalid_grant' })
  expect(await signIn('correct', 'Postgres')).toMatchObject({ id_token: expect.any(String) })
  const { rows } = await server.database.pool.query('SELECT user_id, password_hash FROM identity')
  expect(rows).toEqual([{ user_id: 'auth0|7', password_hash: expect.stringContaining('$argon2id$') }])
  expect(runs.map(({ outcome }) => outcome)).toEqual(['denied', 'ok'])
}, 240_000)

it('keep their bundle, and are built once for the same need', async () => {
  const other = {
    name: 'Second',
    strategy: 'auth0',
    enabled_clients: ['spa'],
    options: options(`${login(`pg@${version}`)} // 2`),
  }
  await manager.post('/connections', other)
  const { rowCount } = await server.database.pool.query('SELECT 1 FROM script_build WHERE build_due_at IS NOT NULL')
  expect([rowCount, await bundles()]).toEqual([0, 1])
  await server.database.pool.query("UPDATE action_bundle SET created_at = now() - interval '3 days'")
  const moment = { now: server.clock.now(), keepDays: 30 }
  for (const rule of ENDED.filter(({ table }) => table === 'action_bundle'))
    await removeBatch(server.database.pool, rule, moment)
  expect(await bundles()).toBe(1)
})

it('say why they cannot be built, and are built again with the next change', async () => {
  const absent = {
    name: 'Absent',
    strategy: 'auth0',
    enabled_clients: ['spa'],
    options: options(login('no-such-package-here')),
  }
  const { id } = (await manager.post('/connections', absent)).json()
  await buildActions(worker())
  expect(await signIn('correct', 'Absent')).toMatchObject({ error: 'access_denied' })
  expect(JSON.stringify(server.lines)).toContain('no-such-package-here')
  await manager.patch(`/connections/${id}`, { display_name: 'Again' })
  const { rowCount } = await server.database.pool.query('SELECT 1 FROM script_build WHERE build_due_at IS NOT NULL')
  expect(rowCount).toBe(1)
}, 120_000)

it.each([
  ['native', 'argon2', 'bcryptjs'],
  ['a path', '../server', 'no dependency'],
  ['an address', 'https://evil.test/a.js', 'no name of a package'],
])('are refused where one is %s', async (_what, name, message) => {
  const body = { name: 'Refused', strategy: 'auth0', options: options(login(name)) }
  const answer = await manager.post('/connections', body)
  expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining(message)])
})
