// A whole server without a socket, for endpoint tests: real PostgreSQL, a clock that stands still, repeatable randomness.
// `ask` sends plain data through the table and keeps cookies as a browser would.

import type { Prisma } from '../../prisma/generated/client'
import { ENDPOINTS } from '../endpoints/index'
import { runEndpoint } from '../http/endpoint'
import type { HttpRequest, HttpResponse } from '../http/message'
import { createRouter } from '../http/route'
import { type FixedClock, fixedClock } from '../kernel/clock'
import { type Random, seededRandom } from '../kernel/random'
import { createVault, type Vault } from '../kernel/secret'
import { SECRET_PURPOSE } from '../oauth/client-authentication'
import { renderPage } from '../pages/render'
import { createHouse, FIRST_TENANT, furnish } from '../runtime/house'
import type { Logger } from '../runtime/log'
import type { Runtime, Shared } from '../runtime/runtime'
import { createDatabase } from '../store/prisma/client'
import { createOutboxStore } from '../store/prisma/outbox'
import { createPasswordHasher } from '../users/password'
import { type TestDatabase, testDatabase } from './database'

export const BASE_URL = 'https://id.test'
export const PASSWORD = 'correct horse battery staple'

export type TestClient = { clientId: string; secret?: string; settings: Record<string, unknown> }

export type TestHouse = {
  clock: FixedClock
  random: Random
  vault: Vault
  database: TestDatabase
  lines: { level: string; fields: Record<string, unknown>; sentence: string }[]
  runtime(): Promise<Runtime>
  browser(options?: { ip?: string }): Browser
  addClient(client: TestClient): Promise<void>
  addApi(identifier: string, settings: Record<string, unknown>): Promise<void>
  addUser(user: TestUser): Promise<string>
  setTenant(settings: Prisma.InputJsonObject): Promise<void>
  close(): Promise<void>
}

export type TestUser = {
  id?: string
  email: string
  username?: string
  blocked?: boolean
  password?: string
  data?: Partial<Prisma.UserCreateInput>
}

export type Ask = {
  query?: Record<string, string> | string
  form?: Record<string, string> | string
  json?: unknown
  headers?: Record<string, string>
}

export type Answer = HttpResponse & {
  header(name: string): string | undefined
  json(): Record<string, unknown>
  text: string
}

export type Browser = {
  cookies: Map<string, string>
  get(path: string, ask?: Ask): Promise<Answer>
  post(path: string, ask?: Ask): Promise<Answer>
  send(method: string, path: string, ask?: Ask): Promise<Answer>
}

export async function testHouse(overrides: Partial<Shared> = {}): Promise<TestHouse> {
  const database = await testDatabase()
  const clock = fixedClock()
  const random = seededRandom(database.url)
  const vault = createVault('a secret of at least thirty-two characters')
  const lines: TestHouse['lines'] = []
  const db = createDatabase(database.pool)
  const shared: Shared = {
    baseUrl: BASE_URL,
    vendorHost: 'auth0.com',
    demo: false,
    devOutbox: false,
    db,
    clock,
    random,
    vault,
    log: recordingLog(lines),
    passwords: createPasswordHasher({
      concurrency: 2,
      queueLimit: 100,
      cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
    }),
    outbox: createOutboxStore(database.pool),
    wakeDispatcher: () => {},
    renderPage,
    assets: { stylesheet: '/u/hosted.css', script: '/comfort.js' },
    readiness: async () => ({ ready: true, checks: {} }),
    ...overrides,
  }
  await furnish(shared)
  const house = createHouse(shared)
  const prisma = await db.prisma()
  const connectionId = 'con_database'
  await prisma.connection.create({
    data: { tenantId: FIRST_TENANT, id: connectionId, name: 'Users', strategy: 'auth0', settings: {} },
  })
  const runtime = (): Promise<Runtime> => house.runtimeFor('id.test')
  /** Configuration is cached for a second; a test that changes it steps over that second. */
  const changed = (): void => clock.advance(2)
  return {
    clock,
    random,
    vault,
    database,
    lines,
    runtime,
    browser: (options) => createBrowser(runtime, random, options?.ip ?? '198.51.100.7'),
    async addClient({ clientId, secret, settings }) {
      const secretDigest = secret === undefined ? null : new Uint8Array(vault.mac(SECRET_PURPOSE, secret))
      await prisma.client.upsert({
        where: { tenantId_clientId: { tenantId: FIRST_TENANT, clientId } },
        create: {
          tenantId: FIRST_TENANT,
          clientId,
          name: `App ${clientId}`,
          secretDigest,
          settings: settings as Prisma.InputJsonObject,
        },
        update: { secretDigest, settings: settings as Prisma.InputJsonObject },
      })
      changed()
    },
    async addApi(identifier, settings) {
      await prisma.api.create({
        data: {
          tenantId: FIRST_TENANT,
          identifier,
          name: `API ${identifier}`,
          settings: settings as Prisma.InputJsonObject,
        },
      })
      changed()
    },
    async addUser({ id, email, username, blocked = false, password = PASSWORD, data = {} }) {
      const providerUserId = id ?? random.hex(24)
      const userId = `auth0|${providerUserId}`
      const updatedAt = clock.now()
      await prisma.user.create({
        data: {
          ...data,
          tenant: { connect: { id: FIRST_TENANT } },
          id: userId,
          email,
          username: username ?? null,
          blocked,
          updatedAt,
        },
      })
      await prisma.identity.create({
        data: {
          tenantId: FIRST_TENANT,
          connectionId,
          providerUserId,
          provider: 'auth0',
          userId,
          emailKey: email.toLowerCase(),
          usernameKey: username?.toLowerCase() ?? null,
          passwordHash: await shared.passwords.hash(password),
        },
      })
      return userId
    },
    async setTenant(settings) {
      await prisma.tenant.update({ where: { id: FIRST_TENANT }, data: { settings } })
      changed()
    },
    async close() {
      await prisma.$disconnect()
      await database.drop()
    },
  }
}

const recordingLog = (lines: TestHouse['lines']): Logger => {
  const at = (level: string) => (fields: Record<string, unknown>, sentence: string) => {
    lines.push({ level, fields, sentence })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') }
}

const route = createRouter(ENDPOINTS)

function createBrowser(runtime: () => Promise<Runtime>, random: Random, ip: string): Browser {
  const cookies = new Map<string, string>()
  const send = async (method: string, target: string, ask: Ask = {}): Promise<Answer> => {
    const url = new URL(target, BASE_URL)
    const extra = new URLSearchParams(ask.query)
    for (const [name, value] of extra) url.searchParams.append(name, value)
    const match = route(url.pathname)
    if (!match) throw new Error(`no endpoint answers ${url.pathname}`)
    const request: HttpRequest = {
      id: random.token(6),
      method,
      path: url.pathname,
      params: match.params,
      query: url.searchParams,
      headers: headersOf(ask, cookies),
      body: bodyOf(ask),
      ip,
    }
    const response = await runEndpoint(match.endpoint, request, await runtime())
    keepCookies(response, cookies)
    return answerOf(response)
  }
  return {
    cookies,
    send,
    get: (path, ask) => send('GET', path, ask),
    post: (path, ask) => send('POST', path, ask),
  }
}

function headersOf(ask: Ask, cookies: Map<string, string>): Record<string, string> {
  const type = ask.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    host: 'id.test',
    ...(ask.json === undefined && ask.form === undefined ? {} : { 'content-type': type }),
    ...(cookie === '' ? {} : { cookie }),
    ...ask.headers,
  }
}

function bodyOf({ json, form }: Ask): Uint8Array {
  if (json !== undefined) return Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))
  return form === undefined ? new Uint8Array() : Buffer.from(new URLSearchParams(form).toString())
}

function keepCookies({ headers }: HttpResponse, cookies: Map<string, string>): void {
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') continue
    const [pair = '', ...attributes] = value.split('; ')
    const split = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, split))
    else cookies.set(pair.slice(0, split), pair.slice(split + 1))
  }
}

const answerOf = (response: HttpResponse): Answer => {
  const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString()
  return {
    ...response,
    text,
    header: (name) => response.headers.find(([known]) => known === name)?.[1],
    json: () => JSON.parse(text) as Record<string, unknown>,
  }
}
