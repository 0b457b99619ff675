import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../../data/users/password'
import { fixedClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { createVault } from '../../../kernel/secret'
import { applyTenantFile, planTenantFile, type TenantFileDeps } from '../../../management/tenant-file/apply'
import { NOTHING } from '../../../management/tenant-file/configuration'
import { exportTenantFile } from '../../../management/tenant-file/export'
import type { MadeSecret } from '../../../management/tenant-file/model'
import { noBundler } from '../../../testing/actions'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { everyValue } from '../../../testing/vendor-file'
import type { Database } from '../database'
import { userStore } from '../sql/users'
import { createDatabase } from './client'
import { signingKeyStore } from './keys'
import { documentStore } from './management/documents'
import { tenantFileStore } from './tenant-file'

let database: TestDatabase
let db: Database
const hasher = createPasswordHasher({
  concurrency: 1,
  queueLimit: 100,
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})
const vault = createVault('a secret of thirty-two characters')
let tenants = 0
let tenantId = ''
let lines: string[] = []
let secrets: MadeSecret[] = []

beforeAll(async () => {
  database = await testDatabase()
  db = createDatabase(database.pool)
})
afterAll(async () => {
  await (await db.prisma()).$disconnect()
  await database.drop()
})
beforeEach(() => {
  tenants += 1
  tenantId = `tenant-${tenants}`
  lines = []
  secrets = []
})

const deps = (): TenantFileDeps => ({
  store: tenantFileStore(db),
  signingKeys: signingKeyStore(db, tenantId),
  tenantId,
  baseUrl: 'https://id.test',
  vault,
  random: systemRandom,
  clock: fixedClock(),
  hasher,
  print: (line) => lines.push(line),
  loadTemplateFault: async () => (await import('../../../pages/messages/liquid')).faultOf,
  loadUnusedTexts: async () => (await import('../../../text/custom')).unusedTexts,
  bundler: noBundler,
  announce: (secret) => secrets.push(secret),
})

const file = (text: string, variables = {}) => ({ path: 'tenant.yaml', text, variables })
const apply = (text: string, variables = {}) => applyTenantFile(file(text, variables), deps())
const DEMO_VARIABLES = { APP_URL: 'http://localhost:3000', DEMO_PROVIDER_URL: 'http://acme.localhost:3000' }
const demo = () => readFile(new URL('../../../../prisma/demo-tenant.yaml', import.meta.url), 'utf8')
const fixture = () =>
  readFile(new URL('../../../management/tenant-file/fixtures/deploy-cli-export.yaml', import.meta.url), 'utf8')

async function passwordOf(name: string): Promise<string | null> {
  const [connection] = await (await db.prisma()).connection.findMany({ where: { tenantId } })
  return (await userStore(db, tenantId).findAccount(connection?.id ?? '', name))?.passwordHash ?? null
}

const DATABASE = 'databases: [{ name: Users }]\n'

it('reads every member of the configuration of a tenant that is not there', async () => {
  expect(await tenantFileStore(db).configuration('absent')).toEqual(NOTHING)
})

describe('applying a file', () => {
  it('makes the demo tenant, whose users can sign in by e-mail or username', async () => {
    const plan = await apply(await demo(), DEMO_VARIABLES)
    expect(plan.notApplied).toEqual([])
    expect(secrets).toEqual([])
    const prisma = await db.prisma()
    const app = await prisma.client.findUniqueOrThrow({
      where: { tenantId_clientId: { tenantId, clientId: 'demo-app' } },
    })
    expect(app.settings).toMatchObject({
      callbacks: ['http://localhost:3000/demo'],
      web_origins: ['http://localhost:3000'],
    })
    expect((await hasher.verify(await passwordOf('ada@demo.test'), 'analytical engine 1843')).ok).toBe(true)
    expect(await passwordOf('ada')).toBe(await passwordOf('ada@demo.test'))
  })

  it.each([
    ['the demo tenant', demo],
    ['an export of the Deploy CLI', fixture],
  ])('%s twice changes nothing the second time', async (_, text) => {
    const variables = { ...DEMO_VARIABLES, ENV: 'prod', SPA_CALLBACKS: '[]', SMTP_PASSWORD: 'x', DATADOG_KEY: 'abc' }
    await apply(await text(), variables)
    const made = [...secrets]
    lines = []
    const again = await apply(await text(), variables)
    expect(again.changes).toEqual([])
    expect(lines[1]).toBe('  no changes')
    expect(secrets).toEqual(made)
  })

  it('deploys actions as versions, which a repeated run does not add', async () => {
    const text = (code: string) => `actions:
  - { name: Check, code: "exports.onExecutePostLogin = async () => ${code}", supported_triggers: [{ id: post-login }] }
triggers: { post-login: [{ action_name: Check }] }
`
    for (const code of ['1', '1', '2']) await apply(text(code))
    const versions = await (await db.prisma()).actionVersion.findMany({
      where: { tenantId },
      orderBy: { number: 'asc' },
    })
    expect(versions).toMatchObject([{ number: 1 }, { number: 2, body: { code: expect.stringContaining('=> 2') } }])
    const stored = await tenantFileStore(db).configuration(tenantId)
    expect(stored.actions).toMatchObject([{ name: 'Check', live: { deployed: true }, draft: null, newest: 2 }])
    expect(stored.tenant?.settings.triggers).toEqual({ 'post-login': [{ action_name: 'Check' }] })
  })

  it('shows a made secret once, and it is the one stored', async () => {
    await apply('clients: [{ name: Web, client_id: web }]')
    expect(secrets).toHaveLength(1)
    expect(lines.join()).not.toContain(secrets[0]?.secret)
    const row = await (await db.prisma()).client.findUniqueOrThrow({
      where: { tenantId_clientId: { tenantId, clientId: 'web' } },
    })
    expect(Buffer.from(row.secretDigest ?? [])).toEqual(vault.mac('client-secret', secrets[0]?.secret ?? ''))
  })

  it('the plan of a file writes nothing', async () => {
    const plan = await planTenantFile(file('clients: [{ name: Web }]'), deps())
    expect(plan.changes).toHaveLength(2)
    expect(await (await db.prisma()).tenant.count({ where: { id: tenantId } })).toBe(0)
  })

  it('a wrong value leaves everything as it was', async () => {
    await expect(apply('tenant: { friendly_name: New }\nclients: [{ name: Web, app_type: tv }]')).rejects.toThrow(
      /^tenant\.yaml: clients\["Web"\]\.app_type: invalid option/,
    )
    expect(await (await db.prisma()).tenant.count({ where: { id: tenantId } })).toBe(0)
  })

  it('a database that fails in the middle leaves everything as it was', async () => {
    const store = tenantFileStore(db)
    const broken: TenantFileDeps['store'] = {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work({
            ...tx,
            write: (id, write, at) =>
              write.table === 'user' ? Promise.reject(new Error('disk full')) : tx.write(id, write, at),
          }),
        ),
    }
    const text = `${DATABASE}users: [{ email: a@b.example }]`
    await expect(applyTenantFile(file(text), { ...deps(), store: broken })).rejects.toThrow('disk full')
    expect(await (await db.prisma()).tenant.count({ where: { id: tenantId } })).toBe(0)
  })

  it('two nodes that start with the same file make everything once', async () => {
    const text = `clients: [{ name: Web }]\n${DATABASE}users: [{ email: a@b.example, password: secret }]`
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => apply(text)))
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
    const prisma = await db.prisma()
    expect(await prisma.client.count({ where: { tenantId } })).toBe(1)
    expect(await prisma.user.count({ where: { tenantId } })).toBe(1)
    expect(secrets).toHaveLength(1)
  })

  it('lets no request change a rule while it is written', async () => {
    await apply(DATABASE)
    const done: string[] = []
    const alter = (): null => {
      done.push('changed')
      return null
    }
    const { change } = await tenantFileStore(db).transaction(async (tx) => {
      await tx.lock(tenantId)
      const change = documentStore(db, tenantId).change('rule', 'rul_1', alter, new Date())
      const waiting = () => database.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')
      await expect.poll(async () => (await waiting()).rowCount).toBe(1)
      done.push('written')
      return { change }
    })
    await change
    expect(done).toEqual(['written', 'changed'])
  })
})

describe('users', () => {
  it('imports a weak hash so that it verifies and is not at rest', async () => {
    const md5 = createHash('md5').update('salted').update('hunter2').digest('hex')
    const hash = `{ algorithm: md5, hash: { value: ${md5}, encoding: hex }, salt: { value: salted } }`
    await apply(`${DATABASE}users: [{ email: Old@Example.com, custom_password_hash: ${hash} }]`)
    const stored = await passwordOf('old@example.com')
    expect(stored).not.toContain(md5)
    expect(await hasher.verify(stored, 'hunter2')).toEqual({ ok: true, rehash: true })
  })

  it('a second import neither hashes again nor undoes a password that was changed since', async () => {
    const text = `${DATABASE}users: [{ email: a@b.example, password: first }]`
    await apply(text)
    const changed = await hasher.hash('changed by the user')
    await (await db.prisma()).identity.updateMany({ where: { tenantId }, data: { passwordHash: changed } })
    expect((await apply(text)).changes).toEqual([])
    expect(await passwordOf('a@b.example')).toBe(changed)
    await apply(text.replace('first', 'second'))
    expect((await hasher.verify(await passwordOf('a@b.example'), 'second')).ok).toBe(true)
  })

  it('stores a digest of a password that differs from user to user and is in no profile (threat-model.md BF9)', async () => {
    const people = '[{ email: a@b.example, password: same }, { email: c@d.example, password: same }]'
    await apply(`${DATABASE}users: ${people}`)
    const kept = async () => {
      const rows = await (await db.prisma()).identity.findMany({ where: { tenantId }, orderBy: { emailKey: 'asc' } })
      return rows.map(({ fileCredential, profile }) => [Buffer.from(fileCredential ?? []).toString('hex'), profile])
    }
    const [[first], [second]] = (await kept()) as [[string], [string]]
    expect(await kept()).toEqual([
      [expect.stringMatching(/^[0-9a-f]{64}$/), {}],
      [expect.stringMatching(/^[0-9a-f]{64}$/), {}],
    ])
    expect(first).not.toBe(second)
    const unsalted = vault.mac('tenant-file-credential', JSON.stringify({ kind: 'plain', password: 'same' }))
    const changed = await hasher.hash('changed by the person')
    const before = { fileCredential: new Uint8Array(unsalted), profile: { tenant_file_credential: 'x' } }
    await (await db.prisma()).identity.updateMany({ where: { tenantId }, data: { ...before, passwordHash: changed } })
    await apply(`${DATABASE}users: ${people}`)
    expect(await kept()).toEqual([
      [first, {}],
      [second, {}],
    ])
    expect(await passwordOf('a@b.example')).toBe(changed)
  })

  it('are signed out everywhere when the file sets another password, and only then (threat-model.md RT7)', async () => {
    const prisma = await db.prisma()
    const kim = (fields: string) => apply(`${DATABASE}users: [{ user_id: kim, email: kim@mail.test, ${fields} }]`)
    const at = new Date()
    const soon = new Date(at.getTime() + 60_000)
    const ended = async () => {
      const [session] = await prisma.session.findMany({ where: { tenantId } })
      const [family] = await prisma.tokenFamily.findMany({ where: { tenantId } })
      const [started] = await prisma.loginTransaction.findMany({ where: { tenantId } })
      const [user] = await prisma.user.findMany({ where: { tenantId } })
      return [!!session?.endedAt, !!family?.revokedAt, !!started?.consumedAt, !!user?.notBefore]
    }
    await kim('password: the first password')
    const owner = { tenantId, userId: 'auth0|kim', createdAt: at, expiresAt: soon }
    const seen = { evidence: [], authTime: at, lastSeenAt: at, idleExpiresAt: soon }
    await prisma.session.create({ data: { ...owner, ...seen, idDigest: new Uint8Array(32).fill(1), sid: 'sid' } })
    await prisma.tokenFamily.create({ data: { ...owner, id: systemRandom.uuid(), clientId: 'spa' } })
    const bytes = new Uint8Array(32).fill(tenants)
    const row = { origin: {}, wants: {}, browserDigest: bytes, handleDigest: bytes }
    await prisma.loginTransaction.create({ data: { ...owner, ...row } })
    await kim('password: the first password, name: Kim')
    expect(await ended()).toEqual([false, false, false, false])
    await kim('password: the second password')
    expect(await ended()).toEqual([true, true, true, true])
  })

  it('are signed out everywhere when the file blocks them, and only then', async () => {
    const prisma = await db.prisma()
    const kim = (fields: string) => apply(`${DATABASE}users: [{ user_id: kim, email: kim@mail.test, ${fields} }]`)
    const at = new Date()
    const soon = new Date(at.getTime() + 60_000)
    const seen = { evidence: [], authTime: at, lastSeenAt: at, idleExpiresAt: soon, createdAt: at, expiresAt: soon }
    const signIn = (byte: number) =>
      prisma.session.create({
        data: {
          ...seen,
          tenantId,
          userId: 'auth0|kim',
          idDigest: new Uint8Array(32).fill(byte),
          sid: `blocked ${byte}`,
        },
      })
    const open = () => prisma.session.count({ where: { tenantId, endedAt: null } })
    await kim('name: Kim')
    await signIn(101)
    await kim('name: Kim, blocked: false')
    await kim('name: Kimberly')
    expect(await open()).toBe(1)
    await kim('blocked: true')
    expect(await open()).toBe(0)
    expect((await prisma.user.findFirstOrThrow({ where: { tenantId } })).passwordEpoch).toBe(0)
    await signIn(102)
    await kim('blocked: true, name: Kim')
    await kim('blocked: false')
    expect(await open()).toBe(1)
  })

  it('lose the link that undoes a change of the address when the file changes what they sign in with', async () => {
    const prisma = await db.prisma()
    const kim = (fields: string) => apply(`${DATABASE}users: [{ user_id: kim, ${fields} }]`)
    const epoch = async () => (await prisma.user.findFirstOrThrow({ where: { tenantId } })).recoveryEpoch
    await kim('email: kim@mail.test, username: kim')
    const first = await epoch()
    await kim('email: kim@mail.test, name: Kim')
    expect(await epoch()).toBe(first)
    await kim('email: lee@mail.test')
    const second = await epoch()
    expect(second).not.toBe(first)
    await kim('username: lee')
    const third = await epoch()
    expect(third).not.toBe(second)
    await kim("username: lee, phone_number: '+12125550001'")
    expect(await epoch()).not.toBe(third)
  })

  it('lose the picture that they uploaded when the file sets another', async () => {
    const prisma = await db.prisma()
    const kim = (fields: string) => apply(`${DATABASE}users: [{ user_id: kim, email: kim@mail.test, ${fields} }]`)
    await kim('picture: "https://id.test/own.png"')
    const picture = { name: 'own', extension: 'png', bytes: new Uint8Array(1), createdAt: new Date() }
    await prisma.userPicture.create({ data: { ...picture, tenantId, userId: 'auth0|kim' } })
    await kim('picture: "https://id.test/own.png", name: Kim')
    expect(await prisma.userPicture.count({ where: { tenantId } })).toBe(1)
    await kim('picture: "https://example.com/kim.png"')
    expect(await prisma.userPicture.count({ where: { tenantId } })).toBe(0)
  })

  it('updates what is given, by user_id, e-mail or username, and keeps the rest', async () => {
    await apply(
      `${DATABASE}users: [{ user_id: '7', email: a@b.example, username: Annie, nickname: Ann, user_metadata: { a: 1 } }]`,
    )
    for (const entry of [
      "{ user_id: '7', username: annie, blocked: true }",
      '{ email: A@B.EXAMPLE, name: Anna }',
      '{ username: annie, website: "https://a.example" }',
    ]) {
      expect((await apply(`users: [${entry}]`)).changes).toMatchObject([{ action: 'update' }])
    }
    const user = await userStore(db, tenantId).find('auth0|7')
    expect(user).toMatchObject({
      email: 'a@b.example',
      username: 'annie',
      nickname: 'Ann',
      name: 'Anna',
      blocked: true,
      profile: { website: 'https://a.example' },
      userMetadata: { a: 1 },
    })
    expect(lines.join('\n')).not.toContain('https://a.example')
  })

  it('gives a reason when an address belongs to another user', async () => {
    await apply(`${DATABASE}users: [{ user_id: '1', email: a@b.example }, { user_id: '2', email: c@d.example }]`)
    await expect(apply("users: [{ user_id: '2', email: a@b.example }]")).rejects.toThrow('belong to different users')
  })

  it('enrols second factors once, the seed sealed', async () => {
    const factors = `[{ totp: { secret: JBSWY3DPEHPK3PXP } }, { phone: { value: '+12125550001' } }, { email: { value: A@B.example } }]`
    const text = `${DATABASE}users: [{ email: a@b.example, mfa_factors: ${factors} }]`
    await apply(text)
    expect((await apply(text)).changes).toEqual([])
    const rows = await (await db.prisma()).authenticator.findMany({ where: { tenantId }, orderBy: { id: 'asc' } })
    expect(rows).toMatchObject([
      {
        id: expect.stringMatching(/^email\|dev_\w{16}$/),
        type: 'oob',
        channel: 'email',
        email: 'a@b.example',
        active: true,
      },
      { id: expect.stringMatching(/^sms\|dev_/), type: 'oob', channel: 'sms', phoneNumber: '+12125550001' },
      { id: expect.stringMatching(/^totp\|dev_/), type: 'otp', channel: null },
    ])
    const seed = rows[2]?.sealed ?? new Uint8Array()
    expect(Buffer.from(seed).toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
    expect(vault.open('totp', seed)?.toString()).toBe('JBSWY3DPEHPK3PXP')
  })
})

describe('exporting', () => {
  it('writes a file that changes nothing, and that makes the same tenant elsewhere', async () => {
    await apply(await demo(), DEMO_VARIABLES)
    const text = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    expect((await apply(text)).changes).toEqual([])
    tenantId = `${tenantId}-copy`
    const copied = await apply(text)
    expect(copied.notApplied).toEqual([])
    const again = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    const undated = (yaml: string) => yaml.replace(/created_at: .*/g, '')
    expect(undated(again)).toBe(undated(text))
  })

  it('of a tenant as the vendor documents it is applied with a report, and again with nothing to do', async () => {
    const text = await readFile(
      new URL('../../../management/tenant-file/fixtures/vendor-example.yaml', import.meta.url),
      'utf8',
    )
    const { notApplied } = await apply(text, { ENV: 'dev' })
    expect(notApplied).toEqual(expect.arrayContaining(['pages', 'customDomains']))
    // Values, and what an entry lacks.
    expect(notApplied.filter((report) => report.includes(': '))).toMatchInlineSnapshot(`
      [
        "attackProtection.captcha.hcaptcha: needs the environment variable HCAPTCHA_SECRET",
        "attackProtection.captcha.active_provider_id: "friendly_captcha"",
        "clients["Meadow API"].app_type: "resource_server"",
        "clients["Meadow Express"].app_type: "express_configuration"",
        "clients["Meadow Office"].app_type: "office365"",
        "clients["Meadow Exchange"].refresh_token.leeway: 120 (60 applies)",
        "clients["Meadow Exchange"].refresh_token.idle_token_lifetime: 500000000 (315360000 applies)",
        "resourceServers["https://dev.meadow.example/api"].signing_alg: "HS256"",
        "resourceServers["https://dev.meadow.example/api"].proof_of_possession: {"mechanism":"mtls","required":true}",
        "clientGrants["Meadow SPA"].subject_type: "anonymous_user"",
        "databases["users"].options.customScripts.login: ./databases/users/login.js cannot be read beside the tenant file",
        "databases["users"].options.authentication_methods.password.enabled: false",
        "connections["workspace"]: strategy google-apps",
        "connections["partner"].options.token_endpoint_auth_signing_alg: "RS384"",
        "connections["partner"].options.connection_settings.pkce: "plain"",
        "connections["vault"].authentication.active: false",
        "connections["email"].options.totp.length: 4 (6 applies)",
        "connections["email"].options.totp.time_step: 900 (300 applies)",
        "actionModules["helper"]: ./helper.js cannot be read beside the tenant file",
        "tokenExchangeProfiles["Exchange"].action: no action exchange",
        "logStreams["Splunk"].sink.splunkSecure: false",
        "logStreams["Masked"].pii_config: {"log_fields":["email"],"method":"mask"}",
        "logStreams["Bridge"]: there are no streams of type eventbridge here",
      ]
    `)
    expect((await apply(text, { ENV: 'dev' })).changes).toEqual([])
    const exported = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    expect(exported).not.toContain('hush')
    expect((await apply(exported)).changes).toEqual([])
  })

  it('of a tenant with every value of the vendor’s enumerations is applied with a report, and again with nothing to do', async () => {
    const text = JSON.stringify(everyValue())
    expect((await apply(text)).notApplied).toEqual(
      expect.arrayContaining([expect.stringMatching(/^clients\["[\w-]+"\]\.app_type: "office365"$/)]),
    )
    expect((await apply(text)).changes).toEqual([])
    const exported = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    expect((await apply(exported)).changes).toEqual([])
  }, 300_000)

  it('keeps the order of the connections, which the login page shows', async () => {
    const names = Array.from({ length: 30 }, (_, place) => `c${(place * 7) % 30}`)
    const connections = names.map((name) => `  - { name: ${name}, strategy: email }`).join('\n')
    await apply(`connections:\n${connections}\n`)
    const stored = await tenantFileStore(db).configuration(tenantId)
    expect(stored.connections.map(({ name }) => name)).toEqual(names)
  })

  it('has the providers, templates, streams and organizations of a file, and makes them elsewhere', async () => {
    const text = await readFile(
      new URL('../../../management/tenant-file/fixtures/objects.yaml', import.meta.url),
      'utf8',
    )
    expect((await apply(text)).notApplied).toEqual([])
    expect((await apply(text)).changes).toEqual([])
    const exported = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    expect(exported).not.toContain('hush')
    expect((await apply(exported)).changes).toEqual([])
    const prisma = await db.prisma()
    const [stream] = await prisma.logStream.findMany({ where: { tenantId } })
    expect(stream).toMatchObject({ status: 'active', dueAt: expect.any(Date), attempt: 0 })
    const changed = text
      .replace('name: partner, assign_membership_on_login: true', 'name: Users')
      .replace('status: active', 'status: paused')
    expect((await apply(changed)).changes.map(({ section, action }) => `${action} ${section}`)).toEqual([
      'update organizations',
      'update logStreams',
    ])
    expect(await prisma.logStream.findMany({ where: { tenantId } })).toMatchObject([{ dueAt: null, attempt: 1 }])
    const users = await prisma.connection.findFirstOrThrow({ where: { tenantId, name: 'Users' } })
    expect(await prisma.organizationConnection.findMany({ where: { tenantId } })).toMatchObject([
      { connectionId: users.id, assignMembership: false, enabled: true },
    ])
    tenantId = `${tenantId}-copy`
    await apply(text)
    expect(await exportTenantFile(tenantFileStore(db), tenantId, vault)).toBe(exported)
  })

  it('holds no secret, no password hash and no seed', async () => {
    await apply(
      `clients: [{ name: Web, client_secret: sixteen-characters }]\n${DATABASE}users: [{ email: a@b.example, password: hunter2, mfa_factors: [{ totp: { secret: JBSWY3DPEHPK3PXP } }] }]`,
    )
    const text = await exportTenantFile(tenantFileStore(db), tenantId, vault)
    expect(text).toContain('a@b.example')
    expect(text).not.toMatch(/secret|hunter2|argon2|JBSWY|credential|digest/)
  })
})
