// Jobs of the Management API: imports, exports and verification mails; and workers that race, die and resume.
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { openContent } from '../../../data/outbox/outbox'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { IMPORT_MEMBERS } from '../../../management/jobs/import-members'
import { MAX_ERRORS } from '../../../management/jobs/job'
import { type JobRunnerDeps, runJobs } from '../../../management/jobs/runner'
import { userEntry } from '../../../management/tenant-file/sections/user-entry'
import { BASE_URL } from '../../../testing/database'
import { jobWorker } from '../../../testing/jobs'
import { SPA, signIn } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

const SHA256 = createHash('sha256').update(PASSWORD).digest('hex')
/** A bcrypt hash of no password here. */
const BCRYPT = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

let server: TestServer
let manager: Manager
let users: string
let worker: JobRunnerDeps

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  const list = JSON.parse((await manager.get('/connections', { query: { name: 'Users' } })).text) as Body[]
  users = String(list[0]?.id)
  worker = jobWorker(server)
})
afterAll(() => server.close())

const BOUNDARY = 'the-boundary-of-the-form'

const field = (name: string, value: string, boundary = BOUNDARY) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

function formOf(fields: Record<string, string>, file?: string | Buffer, boundary = BOUNDARY): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => field(name, value, boundary))
  const upload =
    file === undefined
      ? ''
      : `--${boundary}\r\ncontent-disposition: form-data; name="users"; filename="users.json"\r\ncontent-type: application/json\r\n\r\n`
  const end = `${file === undefined ? '' : '\r\n'}--${boundary}--\r\n`
  return Buffer.concat([parts.join('') + upload, file ?? '', end].map((piece) => Buffer.from(piece as string)))
}

const upload = (file: string | Buffer | undefined, fields: Record<string, string> = {}, type = 'multipart/form-data') =>
  manager.send('POST', '/jobs/users-imports', {
    body: formOf({ connection_id: users, ...fields }, file),
    headers: { 'content-type': `${type}; boundary=${BOUNDARY}` },
  })

const imported = async (entries: unknown, fields: Record<string, string> = {}): Promise<Body> => {
  const made = await upload(JSON.stringify(entries), fields)
  expect(made.status, made.text).toBe(202)
  await runJobs(worker)
  return (await manager.get(`/jobs/${made.json().id}`)).json()
}
const errorsOf = async (job: Body): Promise<TestResponse> => manager.get(`/jobs/${job.id}/errors`)
const uploads = async (): Promise<number> =>
  Number((await server.database.pool.query(`SELECT count(*) FROM job WHERE status = 'uploading'`)).rows[0]?.count)
const countOf = async (email: string): Promise<number> =>
  Number((await server.database.pool.query('SELECT count(*) FROM "user" WHERE email LIKE $1', [email])).rows[0]?.count)

describe('an import', () => {
  it('is accepted, done by a worker, and says what it did', async () => {
    const made = await upload(JSON.stringify([{ email: 'ann@in.test', email_verified: true, name: 'Ann' }]), {
      external_id: 'mine',
    })
    expect(made.status).toBe(202)
    expect(made.json()).toEqual({
      id: expect.stringMatching(/^job_[A-Za-z0-9]{16}$/),
      type: 'users_import',
      status: 'pending',
      created_at: expect.any(String),
      connection_id: users,
      external_id: 'mine',
    })
    await runJobs(worker)
    const job = (await manager.get(`/jobs/${made.json().id}`)).json()
    expect(job).toMatchObject({
      status: 'completed',
      percentage_done: 100,
      summary: { failed: 0, updated: 0, inserted: 1, total: 1 },
    })
    expect((await errorsOf(job)).status).toBe(204)
    expect((await errorsOf(job)).text).toBe('')
    expect(await countOf('ann@in.test')).toBe(1)
  })

  it('takes JSON lines, and passwords as hashes that work at the next login', async () => {
    const lines = [
      { email: 'hash@in.test', email_verified: true, password_hash: BCRYPT },
      {
        email: 'custom@in.test',
        email_verified: true,
        custom_password_hash: { algorithm: 'sha256', hash: { value: SHA256, encoding: 'hex' } },
      },
    ]
    const made = await upload(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    await runJobs(worker)
    expect((await manager.get(`/jobs/${made.json().id}`)).json().summary).toMatchObject({ inserted: 2, failed: 0 })
    const { rows } = await server.database.pool.query(
      `SELECT password_hash FROM identity WHERE email_key IN ('hash@in.test', 'custom@in.test') ORDER BY email_key DESC`,
    )
    expect(rows.map(({ password_hash }) => password_hash.slice(0, 9))).toEqual(['imported:', 'imported:'])
    expect(rows[0].password_hash).toContain(BCRYPT)
    expect(rows[1].password_hash).not.toContain(SHA256)
    await server.addClient(SPA)
    expect((await signIn(server.browser(), 'custom@in.test')).get('code')).toBeTruthy()
  })

  it('refuses entries one by one, and shows each without its secrets', async () => {
    await server.addUser({ id: 'kim', email: 'kim@in.test' })
    const job = await imported([
      { email: 'good@in.test' },
      { email: 'no address' },
      { email: 'kim@in.test', password_hash: BCRYPT },
      { email: 'more@in.test', likes: 'tea' },
      { email: 'plain@in.test', password: 'a plain password' },
      'text',
      { name: 'nothing to log in with' },
      null,
    ])
    expect(job).toMatchObject({ status: 'completed', summary: { failed: 7, inserted: 1, total: 8 } })
    const answer = await errorsOf(job)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(BCRYPT)
    expect(answer.text).not.toContain('a plain password')
    expect(JSON.parse(answer.text)).toMatchObject([
      { user: { email: 'no address' }, errors: [{ code: 'INVALID_FORMAT', path: 'email' }] },
      { user: { email: 'kim@in.test' }, errors: [{ code: 'DUPLICATED_USER' }] },
      { errors: [{ code: 'ADDITIONAL_PROPERTY', path: 'likes' }] },
      { errors: [{ code: 'ADDITIONAL_PROPERTY', path: 'password' }] },
      { user: 'text', errors: [{ code: 'INVALID_FORMAT' }] },
      { errors: [{ code: 'INVALID_FORMAT' }] },
      { errors: [{ code: 'INVALID_FORMAT' }] },
    ])
  })

  it('refuses an entry that cannot be stored alone, by its number', async () => {
    const lines = [
      '{"email":"a1@store.test"}',
      String.raw`{"email":"a2@store.test","name":"x\u0000y"}`,
      String.raw`{"email":"a3@store.test","name":"x\ud800y","nickname":"shown"}`,
      String.raw`{"email":"a4@store.test","user_metadata":{"deep":["\udc00"]}}`,
      String.raw`{"email":"a5@store.test","app_metadata":{"k\u0000":1}}`,
      '{"email":"a6@store.test","user_metadata":{"__proto__":{}}}',
      `{"email":"a7@store.test","user_metadata":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
      String.raw`{"email":"a8\u0000@store.test"}`,
      String.raw`{"email":"a9@store.test","\ud83d":1}`,
      String.raw`"\u0000"`,
      '[[[['.repeat(20_000) + ']]]]'.repeat(20_000),
      String.raw`{"email":"a11@store.test","name":"\ud83d\ude00 \ufffd"}`,
    ]
    for (const [file, upsert] of [
      [lines.join('\n'), 'false'],
      [`[${lines.join()}]`, 'true'],
    ] as const) {
      const made = await upload(file, { upsert })
      expect(made.status).toBe(202)
      await runJobs(worker)
      const job = (await manager.get(`/jobs/${made.json().id}`)).json()
      expect(job).toMatchObject({ status: 'completed', summary: { failed: 10, total: 12 } })
      const errors = JSON.parse((await errorsOf(job)).text)
      expect(errors.map(({ number }: Body) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
      for (const error of errors) expect(error.errors).toMatchObject([{ code: 'INVALID_FORMAT' }])
      expect(errors[1]).toMatchObject({
        user: { email: 'a3@store.test', nickname: 'shown' },
        errors: [{ path: 'name' }],
      })
      expect(errors[1].user).not.toHaveProperty('name')
    }
    expect((await manager.get('/users-by-email?email=a11@store.test')).text).toContain('😀 \ufffd')
  })

  it('refuses an entry alone whose bytes are no UTF-8', async () => {
    const latin = Buffer.from('{"email":"b1@store.test","name":"Jos\xe9"}\n', 'latin1')
    const made = await upload(Buffer.concat([latin, Buffer.from('{"email":"b2@store.test","name":"José"}')]))
    await runJobs(worker)
    const job = (await manager.get(`/jobs/${made.json().id}`)).json()
    expect(job).toMatchObject({ summary: { failed: 1, inserted: 1 } })
    expect(JSON.parse((await errorsOf(job)).text)).toMatchObject([{ number: 1, user: { email: 'b1@store.test' } }])
  })

  it('changes existing users only with upsert, and then neither password nor address', async () => {
    await server.addUser({ id: 'lee', email: 'lee@in.test' })
    const before = await server.database.pool.query(
      `SELECT password_hash FROM identity WHERE email_key = 'lee@in.test'`,
    )
    const job = await imported(
      [
        { email: 'lee@in.test', app_metadata: { plan: 'gold' }, password_hash: BCRYPT },
        { user_id: 'lee', email: 'other@in.test' },
        { email: 'lee@in.test', email_verified: true },
        { email: 'lee@in.test', blocked: true },
      ],
      { upsert: 'true' },
    )
    expect(job.summary).toEqual({ failed: 3, updated: 1, inserted: 0, total: 4 })
    const after = await server.database.pool.query(
      `SELECT password_hash, app_metadata FROM identity JOIN "user" ON id = user_id WHERE email_key = 'lee@in.test'`,
    )
    expect(after.rows).toEqual([{ ...before.rows[0], app_metadata: { plan: 'gold' } }])
    expect((await signIn(server.browser(), 'lee@in.test')).get('code')).toBeTruthy()
    expect(JSON.parse((await errorsOf(job)).text).map(({ errors }: { errors: Body[] }) => errors)).toMatchObject(
      ['email', 'email_verified', 'blocked'].map((path) => [{ code: 'NOT_UPSERTABLE', path }]),
    )
  })

  it('replaces a picture that the user uploaded by that of an upsert, and by no other', async () => {
    await server.addUser({ id: 'pat', email: 'pat@in.test' })
    await server.database.pool.query(
      `INSERT INTO user_picture (tenant_id, user_id, name, extension, bytes, created_at)
       VALUES ('default', 'auth0|pat', 'own', 'png', '', now())`,
    )
    const pictures = async () => (await server.database.pool.query('SELECT user_id FROM user_picture')).rowCount
    await imported([{ email: 'pat@in.test', nickname: 'Pat' }], { upsert: 'true' })
    expect(await pictures()).toBe(1)
    await imported([{ email: 'pat@in.test', picture: 'https://example.com/pat.png' }], { upsert: 'true' })
    expect(await pictures()).toBe(0)
  })

  it('takes no user of another connection', async () => {
    const { id } = (await manager.post('/connections', { name: 'Others', strategy: 'auth0' })).json()
    await server.addUser({ id: 'there', email: 'there@in.test' })
    const fields = { upsert: 'true', connection_id: String(id) }
    const job = await imported([{ user_id: 'there', email: 'there@in.test', name: 'Taken' }], fields)
    expect(job.summary).toMatchObject({ failed: 1, updated: 0, inserted: 0 })
    expect((await errorsOf(job)).json()).toMatchObject([{ errors: [{ code: 'DUPLICATED_USER' }] }])
  })

  it('refuses a number that gets no messages', async () => {
    const job = await imported([{ email: 'costly@in.test', phone_number: '+19005551234' }])
    expect((await errorsOf(job)).json()).toMatchObject([{ errors: [{ code: 'INVALID_FORMAT', path: 'phone_number' }] }])
  })

  describe('by a client with some scopes', () => {
    const SAMPLES: Record<keyof typeof IMPORT_MEMBERS, unknown> = {
      email: 'each@scope.test',
      email_verified: true,
      username: 'each',
      phone_number: '+12125550001',
      phone_verified: true,
      user_id: 'each',
      name: 'Each',
      given_name: 'Each',
      family_name: 'One',
      nickname: 'each',
      picture: 'https://scope.test/picture.png',
      middle_name: 'E',
      preferred_username: 'each',
      profile: 'https://scope.test/each',
      website: 'https://scope.test',
      gender: 'none',
      birthdate: '2000-01-01',
      zoneinfo: 'Europe/Berlin',
      locale: 'de',
      address: { country: 'DE' },
      user_metadata: { a: 1 },
      app_metadata: { a: 1 },
      blocked: true,
      created_at: '2020-01-01T00:00:00Z',
      password_hash: BCRYPT,
      custom_password_hash: { algorithm: 'sha256', hash: { value: SHA256, encoding: 'hex' } },
      roles: ['Given'],
      mfa_factors: [{ totp: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DP' } }],
    }
    let made = 0

    const importedWith = async (scopes: readonly string[], entry: Body, fields: Record<string, string> = {}) => {
      const answer = await manager.send('POST', '/jobs/users-imports', {
        token: await manager.token(['create:users', ...scopes]),
        body: formOf({ connection_id: users, ...fields }, JSON.stringify([entry])),
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      })
      if (answer.status !== 202) return { answer, errors: [] }
      await runJobs(worker)
      const errors = await errorsOf(answer.json())
      return { answer, errors: errors.status === 204 ? [] : (JSON.parse(errors.text)[0].errors as Body[]) }
    }

    beforeAll(() => server.addRole('Given', {}))

    it('takes what the tenant file takes of a user, but a connection and a password', () => {
      const names = Object.keys(userEntry.shape).filter((name) => !['connection', 'password'].includes(name))
      expect(Object.keys(IMPORT_MEMBERS).toSorted()).toEqual(names.toSorted())
    })

    it.each(Object.entries(IMPORT_MEMBERS))('takes %s with each of the scopes %j alone', async (name, scopes) => {
      const sample = SAMPLES[name as keyof typeof SAMPLES]
      const entry = () => ({ email: `member${++made}@scope.test`, [name]: sample })
      const without = await importedWith([], entry())
      if (scopes.length === 0) return expect(without.errors).toEqual([])
      expect(without.errors).toMatchObject([{ code: 'INSUFFICIENT_SCOPE', path: name }])
      expect(await countOf(`member${made}@scope.test`)).toBe(0)
      for (const scope of scopes) expect((await importedWith([scope], entry())).errors).toEqual([])
    })

    it('gives no role to an existing user either', async () => {
      await server.addUser({ id: 'upserted', email: 'upserted@scope.test' })
      const entry = { email: 'upserted@scope.test', roles: ['Given'] }
      const refused = await importedWith([], entry, { upsert: 'true' })
      expect(refused.answer.json()).toMatchObject({
        statusCode: 403,
        message: 'Insufficient scope, expected any of: update:users',
      })
      expect((await importedWith([], entry, { upsert: 'false' })).errors).not.toEqual([])
      expect((await manager.get('/users/auth0%7Cupserted/roles')).text).toBe('[]')
      expect((await importedWith(['update:users'], entry, { upsert: 'true' })).errors).toEqual([])
      expect((await manager.get('/users/auth0%7Cupserted/roles')).text).toContain('Given')
    })
  })

  describe('of users and roles with rights over the tenant', () => {
    const AUDIENCE = managementAudience(BASE_URL)
    const VENDOR = ['create:users', 'read:users', 'update:users', 'create:role_members', 'update:roles']

    async function importedBy(scopes: readonly string[] | undefined, entry: Body, fields: Record<string, string> = {}) {
      const answer = await manager.send('POST', '/jobs/users-imports', {
        token: await manager.token(scopes),
        body: formOf({ connection_id: users, ...fields }, JSON.stringify([entry])),
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      })
      expect(answer.status, answer.text).toBe(202)
      await runJobs(worker)
      const errors = await errorsOf(answer.json())
      return errors.status === 204 ? [] : JSON.parse(errors.text)[0].errors
    }

    it('is refused by the row, whatever names the user, to a maker without these rights', async () => {
      const id = await server.addUser({ email: 'an-owner@rank.test', username: 'an-owner' })
      await (await server.runtime()).administrators.put(id, 'owner', server.clock.now())
      for (const name of [
        { email: 'AN-OWNER@Rank.test' },
        { username: 'an-owner', email: 'an-owner@rank.test' },
        { user_id: id.split('|')[1], email: 'an-owner@rank.test' },
      ]) {
        const entry = { ...name, app_metadata: { seen: true } }
        expect(await importedBy(VENDOR, entry, { upsert: 'true' })).toMatchObject([{ code: 'INSUFFICIENT_RANK' }])
      }
      expect((await manager.get(`/users/${encodeURIComponent(id)}`)).json()).not.toHaveProperty('app_metadata.seen')
      expect(
        await importedBy(undefined, { email: 'an-owner@rank.test', app_metadata: { seen: true } }, { upsert: 'true' }),
      ).toEqual([])
    })

    it('gives no role that contains more than the maker holds, to new and existing users', async () => {
      await server.addRole('Ruler', { [AUDIENCE]: ['update:administrators'] })
      await server.addUser({ email: 'existing@rank.test' })
      const upsert = { upsert: 'true' }
      expect(await importedBy(VENDOR, { email: 'new@rank.test', roles: ['Ruler'] })).toMatchObject([
        { code: 'INSUFFICIENT_RANK' },
      ])
      expect(await importedBy(VENDOR, { email: 'existing@rank.test', roles: ['Ruler'] }, upsert)).toMatchObject([
        { code: 'INSUFFICIENT_RANK' },
      ])
      expect(await countOf('new@rank.test')).toBe(0)
      expect(
        await importedBy([...VENDOR, 'update:administrators'], { email: 'new@rank.test', roles: ['Ruler'] }),
      ).toEqual([])
      // The same roles again are no act.
      expect(await importedBy(VENDOR, { email: 'new@rank.test', roles: ['Ruler'] }, upsert)).toEqual([])
    })
  })

  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['an empty list', '[]'],
    ['neither JSON nor lines', 'a,b\n1,2'],
    ['a list that is cut off', '[{"email":"a@b.test"'],
  ])('is refused with %s', async (_what, file) => {
    expect((await upload(file)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('is refused for an absent connection, for one without passwords, as JSON, and above its size', async () => {
    expect((await upload('[{}]', { connection_id: 'none' })).status).toBe(404)
    const { id } = (await manager.post('/connections', { name: 'codes', strategy: 'email' })).json()
    expect((await upload('[{}]', { connection_id: String(id) })).status).toBe(400)
    expect((await manager.post('/jobs/users-imports', { connection_id: users })).status).toBe(415)
    expect((await upload('[{}]', { upsert: 'perhaps' })).status).toBe(400)
    expect((await upload(`"${'x'.repeat(60_000)}"\n`.repeat(100))).status).toBe(413)
    expect(await uploads()).toBe(0)
    const large = { name: 'x', description: 'x'.repeat(1024 * 1024) }
    expect((await manager.post('/roles', large)).status).toBe(413)
  })

  it('is stored sealed, and its file is gone when it is done', async () => {
    const made = await upload(JSON.stringify([{ email: 'sealed@in.test' }]))
    const parts = async () =>
      (await server.database.pool.query('SELECT sealed FROM job_part WHERE job_id = $1', [made.json().id])).rows
    const [part] = await parts()
    expect(Buffer.from(part.sealed).toString('latin1')).not.toContain('sealed@in.test')
    await runJobs(worker)
    expect(await parts()).toEqual([])
  })

  it('changes a user once for each entry that names it, in the order of the file', async () => {
    const first = { email: 'twice@in.test', app_metadata: { n: 1 } }
    const job = await imported([first, { ...first, app_metadata: { n: 2 } }, { email: 'once@in.test' }], {
      upsert: 'true',
    })
    expect(job.summary).toEqual({ failed: 0, updated: 1, inserted: 2, total: 3 })
    const { rows } = await server.database.pool.query(`SELECT app_metadata FROM "user" WHERE email = 'twice@in.test'`)
    expect(rows).toEqual([{ app_metadata: { n: 2 } }])
    const again = await imported([{ email: 'twins@in.test' }, { email: 'Twins@in.test' }])
    expect(again.summary).toEqual({ failed: 1, updated: 0, inserted: 1, total: 2 })
  })

  it('gives new users their roles, factors and every hash, over several batches', async () => {
    await manager.post('/roles', { name: 'Imported', description: 'x' })
    const hash = { algorithm: 'sha256', hash: { value: SHA256, encoding: 'hex' } }
    const entries = Array.from({ length: 130 }, (_, n) => ({
      email: `rich-${n}@in.test`,
      email_verified: true,
      created_at: '2020-02-03T04:05:06.000Z',
      custom_password_hash: hash,
      roles: ['Imported'],
      mfa_factors: [{ phone: { value: '+12125550001' } }],
    }))
    expect((await imported(entries)).summary).toEqual({ failed: 0, updated: 0, inserted: 130, total: 130 })
    const { rows } = await server.database.pool.query(
      `SELECT count(*)::int AS users, count(DISTINCT password_hash)::int AS hashes, count(role_id)::int AS roles,
         count(authenticator.id)::int AS factors, min("user".created_at) AS created
       FROM "user" JOIN identity ON identity.user_id = "user".id LEFT JOIN user_role ON user_role.user_id = "user".id
       LEFT JOIN authenticator ON authenticator.user_id = "user".id WHERE "user".email LIKE 'rich-%@in.test'`,
    )
    const created = new Date('2020-02-03T04:05:06.000Z')
    expect(rows).toEqual([{ users: 130, hashes: 130, roles: 130, factors: 130, created }])
    expect((await signIn(server.browser(), 'rich-129@in.test')).get('code')).toBeTruthy()
  })

  it('lists the first refused entries and counts all of them; a large one is shown by its names', async () => {
    const large = { email: 'large@in.test', likes: 'x'.repeat(5000) }
    const job = await imported([large, ...Array.from({ length: MAX_ERRORS + 600 }, () => 1)])
    expect(job.summary).toMatchObject({ failed: MAX_ERRORS + 601, total: MAX_ERRORS + 601 })
    const listed = JSON.parse((await errorsOf(job)).text) as Body[]
    expect(listed).toHaveLength(MAX_ERRORS)
    expect(listed[0]).toMatchObject({ user: { email: 'large@in.test' } })
    expect(listed[0]?.user).not.toHaveProperty('likes')
  })

  it('is the answer of the first request with an Idempotency-Key, for the same file alone', async () => {
    const send = (file: string, boundary: string) =>
      manager.send('POST', '/jobs/users-imports', {
        body: formOf({ connection_id: users }, file, boundary),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'one-import' },
      })
    const first = await send('[{"email":"key@in.test"}]', 'one')
    const second = await send('[{"email":"key@in.test"}]', 'two')
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.json()).toEqual(first.json())
    expect(second.header('idempotency-replayed')).toBe('true')
    expect((await send('[{"email":"other@in.test"}]', 'three')).json()).toMatchObject({
      errorCode: 'idempotency_key_reused',
    })
    expect(await uploads()).toBe(0)
    await runJobs(worker)
  })

  it('is refused while two of the tenant are unfinished', async () => {
    for (const email of ['a@two.test', 'b@two.test'])
      expect((await upload(JSON.stringify([{ email }]))).status).toBe(202)
    const third = await upload('[{"email":"c@two.test"}]')
    expect(third.json()).toMatchObject({ statusCode: 429, errorCode: 'too_many_requests' })
    await runJobs(worker)
    expect((await imported([{ email: 'c@two.test' }])).summary).toMatchObject({ inserted: 1 })
  })

  it('leaves nothing of a file that was refused or broke off, and removes what a dead process left', async () => {
    expect((await upload('[{"email":"a@b.test"},')).status).toBe(400)
    expect((await upload('[{"email":"a@b.test"}]', { connection_id: 'none' })).status).toBe(404)
    const whole = formOf({ connection_id: users }, '[{"email":"a@b.test"},{"email":"b@b.test"}]')
    const cut = await manager.send('POST', '/jobs/users-imports', {
      body: whole.subarray(0, whole.length - 60),
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    })
    expect(cut.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(await uploads()).toBe(0)
    await server.database.pool.query(
      `INSERT INTO job (id, tenant_id, type, status, settings, created_at)
       SELECT 'job_dead' || n, $1, 'users_import', 'uploading', '{}', $2 FROM generate_series(1, 2) AS n`,
      [FIRST_TENANT, new Date(+server.clock.now() - 3_601_000)],
    )
    expect((await imported([{ email: 'after@dead.test' }])).summary).toMatchObject({ inserted: 1 })
    expect(await uploads()).toBe(0)
  })

  it.each([
    ['a file of another name', (form: string) => form.replace('name="users"', 'name="people"')],
    ['two files', (form: string) => form + form],
    ['a field that occurs twice', (form: string) => field('upsert', 'true') + field('upsert', 'true') + form],
    ['a field that is too long', (form: string) => field('external_id', 'x'.repeat(5000)) + form],
    ['too many fields', (form: string) => Array.from({ length: 21 }, (_, n) => field(`f${n}`, '')).join('') + form],
    ['a field that cannot be stored', (form: string) => field('external_id', '\0') + form],
    ['a field with a name that cannot be stored', (form: string) => field('__proto__', 'x') + form],
    [
      'a text in place of the file',
      (form: string) => form.replace('; filename="users.json"', '').replace(/content-type.*\r\n/, ''),
    ],
  ])('is refused with %s', async (_what, change) => {
    const file = formOf({}, '[{"email":"odd@in.test"}]').toString()
    const form = change(file.slice(0, file.lastIndexOf(`--${BOUNDARY}--`)))
    const answer = await manager.send('POST', '/jobs/users-imports', {
      body: Buffer.from(`${field('connection_id', users)}${form}--${BOUNDARY}--\r\n`),
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    })
    expect(answer.json(), answer.text).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(await uploads()).toBe(0)
  })

  it('is refused without a boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data; charset=utf-8' }
    const answer = await manager.send('POST', '/jobs/users-imports', { body: formOf({}, '[]'), headers })
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('is no other tenant’s', async () => {
    const made = await upload(JSON.stringify([{ email: 'mine@in.test' }]))
    await runJobs(worker)
    await server.database.pool.query(`UPDATE job SET tenant_id = 'far' WHERE id = $1`, [made.json().id])
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).toMatchObject({ errorCode: 'inexistent_job' })
    expect((await errorsOf(made.json())).status).toBe(404)
  })
})

describe('workers', () => {
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ email: `${prefix}-${n}@race.test` }))

  it('do one job once, however many look for it', async () => {
    const made = await upload(JSON.stringify(many('once', 1100)))
    await Promise.all(Array.from({ length: 6 }, () => runJobs(worker)))
    const job = (await manager.get(`/jobs/${made.json().id}`)).json()
    expect(job).toMatchObject({ status: 'completed', summary: { inserted: 1100, failed: 0, updated: 0, total: 1100 } })
    expect(await countOf('once-%@race.test')).toBe(1100)
  })

  it('go on where another died, and the one that lost its lease changes nothing', async () => {
    const made = await upload(JSON.stringify(many('dies', 1200)))
    const slow = await worker.store.take({ at: server.clock.now(), leaseUntil: new Date(+server.clock.now() + 60_000) })
    expect(slow?.id).toBe(made.json().id)
    let steps = 0
    const { runImport } = await import('../../../management/jobs/import')
    const step = () => ({ at: server.clock.now(), leaseUntil: new Date(+server.clock.now() + 60_000) })
    expect(await runImport(slow as never, worker, step, () => ++steps > 2)).toBe('paused')
    await runJobs(worker)
    const under = (await manager.get(`/jobs/${made.json().id}`)).json()
    expect(under).toMatchObject({ status: 'processing', percentage_done: 83, summary: { inserted: 1000 } })
    server.clock.advance(61)
    await runJobs(worker)
    const job = (await manager.get(`/jobs/${made.json().id}`)).json()
    expect(job).toMatchObject({ status: 'completed', summary: { inserted: 1200, failed: 0 } })
    const late = { ...(slow as NonNullable<typeof slow>), done: 500, cursor: '1.0' }
    expect(await runImport(late, worker, step, () => false)).toBe('lost')
    await worker.store.finish(late, { status: 'failed', details: 'late', mail: null }, server.clock.now())
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).toEqual(job)
    expect(await countOf('dies-%@race.test')).toBe(1200)
  })

  it('give up a job that never goes on', async () => {
    const made = await upload(JSON.stringify([{ email: 'never@race.test' }]))
    await server.database.pool.query('UPDATE job SET stalls = 5 WHERE id = $1', [made.json().id])
    await runJobs(worker)
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).toMatchObject({
      status: 'failed',
      status_details: expect.stringContaining('given up'),
    })
    expect(await countOf('never@race.test')).toBe(0)
  })

  it('insert a user once, when two imports have the same one at the same moment', async () => {
    await upload(JSON.stringify(many('same', 1300)))
    await upload(JSON.stringify(many('same', 1300).reverse()))
    await Promise.all([runJobs(worker), runJobs(worker)])
    expect(await countOf('same-%@race.test')).toBe(1300)
    const { rows } = await server.database.pool.query(
      `SELECT status, inserted, failed FROM job ORDER BY created_at DESC, id LIMIT 100`,
    )
    const raced = rows.filter(({ inserted, failed }) => inserted + failed === 1300)
    expect(raced.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(1300)
    expect(raced.map(({ status }) => status)).toEqual(['completed', 'completed'])
  })
})

describe('the check of an import', () => {
  const check = async (entries: unknown[], more: Body = {}, by: Pick<Manager, 'post'> = manager) =>
    by.post('/jobs/users-imports/check', { connection_id: users, users: entries, ...more })
  const outcomes = async (entries: unknown[], more: Body = {}): Promise<unknown[]> => {
    const answer = await check(entries, more)
    expect(answer.status, answer.text).toBe(200)
    return (JSON.parse(answer.text) as Body[]).map(({ outcome }) => outcome)
  }

  it('says what an import then does, and writes nothing', async () => {
    await imported([{ email: 'known@check.test', name: 'Known', user_id: 'known' }])
    const entries = [
      { email: 'fresh@check.test', name: 'Fresh' },
      { email: 'known@check.test', name: 'Other' },
      { email: 'known@check.test' },
      { email: 'no address' },
      { email: 'x@check.test', shoe_size: 44 },
      { email: 'y@check.test', password_hash: 'x', roles: ['no such role'] },
      'no object',
      { email: 'FRESH@check.test' },
    ]
    const before = await countOf('%')
    for (const upsert of [false, true]) {
      const answer = await check(entries, { upsert })
      const said = JSON.parse(answer.text) as { outcome: string; errors: unknown; user: unknown }[]
      const job = await imported(entries, { upsert: String(upsert) })
      const refused = (await errorsOf(job)).status === 204 ? [] : JSON.parse((await errorsOf(job)).text)
      const failures = said.flatMap(({ outcome, ...each }, place) =>
        outcome === 'failed' ? [{ number: place + 1, errors: each.errors, user: each.user }] : [],
      )
      expect(failures).toEqual(refused)
      expect(said.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(
        Number((job.summary as Body).inserted) + (upsert ? 1 : 0),
      )
      await server.database.pool.query(`DELETE FROM "user" WHERE email = 'fresh@check.test'`)
      expect(await countOf('%')).toBe(before)
    }
  })

  it('names what would be changed', async () => {
    await imported([{ email: 'changes@check.test', name: 'Before', user_metadata: { a: 1 } }])
    const entry = { email: 'changes@check.test', name: 'After', user_metadata: { a: 1 } }
    expect(JSON.parse((await check([entry], { upsert: true })).text)).toMatchObject([
      { outcome: 'updated', changes: ['name'] },
    ])
    expect(await outcomes([{ ...entry, name: 'Before' }], { upsert: true })).toEqual(['unchanged'])
  })

  it('needs the scopes of the import, a database, and some users but no more than a hundred', async () => {
    const reader = await addManager(server, { clientId: 'reads', granted: ['read:users'] })
    expect((await check([{ email: 'a@check.test' }], {}, reader)).status).toBe(403)
    const creator = await addManager(server, { clientId: 'creates', granted: ['create:users'] })
    expect((await check([{ email: 'a@check.test' }], {}, creator)).status).toBe(200)
    expect((await check([{ email: 'a@check.test' }], { upsert: true }, creator)).status).toBe(403)
    expect((await check([])).status).toBe(400)
    expect((await check(Array.from({ length: 101 }, () => ({ email: 'a@check.test' })))).status).toBe(400)
    expect((await check([{}], { connection_id: 'con_none' })).status).toBe(404)
  })
})

describe('the mail about an import', () => {
  const mails = async () => {
    const runtime = await server.runtime()
    const list = await runtime.outbox.list({ tenantId: FIRST_TENANT, to: 'help@in.test', limit: 20 })
    return list.map(({ sealedContent }) => openContent(sealedContent, server.vault))
  }
  const withSupport = async (tenant: object) => {
    const limits = { management: { burst: 100_000, per_minute: 100_000 } }
    await server.setTenant({ tenant: { rate_limits: limits, ...tenant } })
  }

  it('says to the support address what a client’s import did, once', async () => {
    await withSupport({ support_email: 'help@in.test', enabled_locales: ['de'] })
    await imported([{ email: 'told-1@in.test' }, { email: 'told-2@in.test' }, { email: 'no address' }])
    await runJobs(worker)
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail?.subject).toContain('Ihr Benutzerimport ist beendet')
    expect(mail?.text).toMatch(/Hinzugefügt: 2\n/)
    expect(mail?.text).toMatch(/Abgelehnt: 1\n/)
    expect(mail?.text).not.toContain('Nicht verarbeitet')
  })

  it('says how many users an import that failed did not reach', async () => {
    const { id } = (await manager.post('/connections', { name: 'Short', strategy: 'auth0' })).json()
    const made = await upload('[{"email":"lost@in.test"}]', { connection_id: String(id) })
    await server.database.pool.query('DELETE FROM connection WHERE id = $1', [id])
    await runJobs(worker)
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).toMatchObject({ status: 'failed' })
    expect((await mails()).map((mail) => mail?.text.includes('Nicht verarbeitet: 1'))).toContain(true)
  })

  it('is not sent without an address, nor if the request says so', async () => {
    const before = await mails()
    await imported([{ email: 'quiet@in.test' }], { send_completion_email: 'false' })
    await withSupport({})
    await imported([{ email: 'unnamed@in.test' }])
    expect(await mails()).toHaveLength(before.length)
  })
})

describe('an export', () => {
  const exported = async (body: Body, token?: string): Promise<Body> => {
    const made = await manager.send('POST', '/jobs/users-exports', { json: body, ...(token ? { token } : {}) })
    expect(made.status, made.text).toBe(201)
    await runJobs(worker)
    return (await manager.get(`/jobs/${made.json().id}`)).json()
  }
  const download = (job: Body, host = 'id.test') => {
    const { pathname, searchParams } = new URL(String(job.location))
    return server.browser({ host }).get(pathname, { query: { file: searchParams.get('file') ?? '' } })
  }
  const textOf = (answer: TestResponse): string => gunzipSync(answer.body as Uint8Array).toString('utf8')

  it('is a gzip file of JSON lines behind a link of its own', async () => {
    const job = await exported({
      connection_id: users,
      fields: [{ name: 'email' }, { name: 'user_id', export_as: 'id' }],
    })
    expect(job).toMatchObject({ status: 'completed', type: 'users_export', format: 'json', percentage_done: 100 })
    expect(String(job.location)).toMatch(/^https:\/\/id\.test\/api\/v2\/exports\?file=[\w-]{60,}$/)
    const answer = await download(job)
    expect(answer.status).toBe(200)
    expect(answer.header('cache-control')).toBe('no-store')
    const lines = textOf(answer)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    expect(lines).toContainEqual({ email: 'kim@in.test', id: 'auth0|kim' })
    expect(lines).toHaveLength(await countOf('%'))
  })

  it('is CSV with the named columns, quoted, without formulas', async () => {
    const { id } = (await manager.post('/connections', { name: 'Csv', strategy: 'auth0' })).json()
    const rows = [
      {
        email: 'a-first@csv.test',
        user_id: '0a',
        name: '=HYPERLINK("x")',
        nickname: 'a, "b"',
        user_metadata: { a: [1, 2] },
      },
      { email: 'b-second@csv.test', user_id: '0b', name: '-1+cmd|x', phone_number: '+12125550001' },
    ]
    await imported([...rows, { email: 'c-third@csv.test', user_id: '0c' }], { connection_id: String(id) })
    const fields = ['email', 'name', 'nickname', 'user_metadata.a[1]', 'phone_number', 'identities[0].connection']
    const job = await exported({ connection_id: id, format: 'csv', limit: 2, fields: fields.map((name) => ({ name })) })
    expect(textOf(await download(job)).split('\n')).toEqual([
      'email,name,nickname,user_metadata.a[1],phone_number,identities[0].connection',
      `a-first@csv.test,"'=HYPERLINK(""x"")","a, ""b""",2,,Csv`,
      `b-second@csv.test,'-1+cmd|x,,,+12125550001,Csv`,
      '',
    ])
    expect(job.limit).toBe(2)
  })

  it('is whole over many pieces, also when workers take turns', async () => {
    await server.database.pool.query(
      `INSERT INTO "user" (tenant_id, id, email) SELECT $1, 'auth0|bulk' || n, 'bulk-' || n || '@many.test'
       FROM generate_series(1, 1200) AS n`,
      [FIRST_TENANT],
    )
    const made = await manager.post('/jobs/users-exports', { fields: [{ name: 'user_id' }] })
    let pieces = 0
    await runJobs(worker, () => ++pieces > 3)
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).not.toHaveProperty('location')
    await Promise.all([runJobs(worker), runJobs(worker)])
    const job = (await manager.get(`/jobs/${made.json().id}`)).json()
    const ids = textOf(await download(job))
      .trim()
      .split('\n')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(await countOf('%'))
  })

  it('of password hashes needs a scope of its own, also to read the file', async () => {
    const fields = [{ name: 'email' }, { name: 'password_hash' }]
    const token = await manager.token(['read:users'])
    const refused = await manager.send('POST', '/jobs/users-exports', { json: { fields }, token })
    expect(refused.json()).toMatchObject({
      statusCode: 403,
      message: 'Insufficient scope, expected any of: read:password_hashes',
    })
    const job = await exported({ connection_id: users, fields })
    expect(textOf(await download(job))).toContain(BCRYPT)
    expect((await manager.get(`/jobs/${job.id}`, { token })).json()).not.toHaveProperty('location')
    const plain = await exported({ connection_id: users })
    expect(textOf(await download(plain))).not.toContain(BCRYPT)
  })

  it('is not found by a link that has expired, was changed, or is another tenant’s', async () => {
    const job = await exported({ limit: 1 })
    const at = String(new URL(String(job.location)).searchParams.get('file'))
    const changed = `${at.slice(0, -4)}AAAA`
    expect((await server.browser().get('/api/v2/exports', { query: { file: changed } })).status).toBe(404)
    expect((await server.browser().get('/api/v2/exports')).status).toBe(404)
    await server.addTenant('away', 'https://away.test')
    expect((await download(job, 'away.test')).status).toBe(404)
    expect((await download(job)).status).toBe(200)
    server.clock.advance(601)
    expect((await download(job)).status).toBe(404)
  })

  it('is refused with an unknown format, no fields or an absent connection', async () => {
    const ask = async (body: Body) => (await manager.post('/jobs/users-exports', body)).status
    expect(await ask({ format: 'xml' })).toBe(400)
    expect(await ask({ fields: [] })).toBe(400)
    expect(await ask({ limit: 0 })).toBe(400)
    expect(await ask({ connection_id: 'none' })).toBe(404)
  })
})

describe('a verification mail', () => {
  const mails = async (to: string) =>
    (await (await server.runtime()).outbox.list({ tenantId: FIRST_TENANT, to, limit: 10 })).map(({ sealedContent }) =>
      openContent(sealedContent, server.vault),
    )

  it('is sent with a link that verifies the address', async () => {
    await server.addUser({ id: 'new', email: 'new@in.test', data: { emailVerified: false } })
    const made = await manager.post('/jobs/verification-email', { user_id: 'auth0|new' })
    expect(made.status, made.text).toBe(201)
    expect(made.json()).toMatchObject({ type: 'verification_email', status: 'pending' })
    expect((await manager.get(`/jobs/${made.json().id}`)).json()).toMatchObject({ status: 'completed' })
    const [mail] = await mails('new@in.test')
    const link = new URL(String(mail?.link))
    expect(mail?.text).not.toContain('Network address')
    expect(link.pathname).toBe('/u/verify-email')
    const ticket = link.searchParams.get('ticket') ?? ''
    expect((await server.browser().get('/u/verify-email', { query: { ticket } })).text).toContain('new@in.test')
  })

  it('is refused for an unknown user, an identity elsewhere, an absent client and a verified address', async () => {
    const ask = async (body: Body) => (await manager.post('/jobs/verification-email', body)).status
    await server.addUser({ id: 'done', email: 'done@in.test', data: { emailVerified: true } })
    expect(await ask({ user_id: 'auth0|nobody' })).toBe(404)
    expect(await ask({ user_id: 'auth0|new', client_id: 'none' })).toBe(404)
    expect(await ask({ user_id: 'auth0|new', identity: { user_id: 'x', provider: 'auth0' } })).toBe(400)
    expect(await ask({ user_id: 'auth0|new', identity: { user_id: 'new', provider: 'github' } })).toBe(400)
    expect(await ask({ user_id: 'auth0|done' })).toBe(409)
  })
})
