import { afterEach, expect, it, onTestFinished } from 'vitest'
import { keyOf } from '../../../identity/tenant-code/actions/need'
import { needOfRules } from '../../../identity/tenant-code/scripts/legacy-rules'
import { testDatabase } from '../../../testing/database'
import { openRegistry } from '../../../testing/registry'
import { doctor } from './doctor'

afterEach(() => {
  process.exitCode = undefined
})

async function examined(url: string, APP_URL = 'http://localhost:9'): Promise<string> {
  const lines: string[] = []
  const source = {
    DATABASE_URL: url,
    LATCHKEY_SECRET: 'no-such-secret-no-such-secret-no-such',
    APP_URL,
  }
  await doctor([], { root: process.cwd(), source, say: (line) => lines.push(line) })
  expect(process.exitCode).toBe(1)
  return lines.join('\n')
}

it('continues if the database is unavailable, and reports it', async () => {
  const printed = await examined('postgresql://nobody@localhost:9/none')
  expect(printed).toMatch(/^XX {2}database .*cannot be reached \(ECONNREFUSED\).*DATABASE_URL/m)
  expect(printed).toMatch(/^XX {2}issuer /m)
  expect(printed).toContain('Fix what is marked XX.')
})

it('shows the settings in groups before its findings, and no secret', async () => {
  const printed = await examined('postgresql://nobody:hidden@localhost:9/none')
  expect(printed).toMatch(
    /^Production\n {4}APP_URL +http:\/\/localhost:9\n {4}DATABASE_URL +set\n {4}LATCHKEY_SECRET +set\n/,
  )
  expect(printed.indexOf('Demo and development')).toBeLessThan(printed.indexOf('XX  '))
  expect(printed).not.toMatch(/hidden|no-such-secret/)
})

it('names the migrations that an older database lacks', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  await database.pool.query(
    'DROP TABLE root_secret; DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
  )
  expect(await examined(database.url)).toMatch(/^XX {2}database .*Migrations are missing/m)
})

it('says what the database lacks for its address', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const url = new URL(database.url)
  url.searchParams.set('sslmode', 'require')
  expect(await examined(url.href)).toMatch(/^XX {2}database .*has no TLS, which sslmode in DATABASE_URL demands/m)
  url.searchParams.delete('sslmode')
  url.searchParams.set('schema', 'nowhere')
  expect(await examined(url.href)).toMatch(/^XX {2}database .*The schema nowhere does not exist/m)
  await expect(examined('postgresql://one.test,two.test/latchkey')).rejects.toThrow(/DATABASE_URL names several hosts/)
})

it('the doctor reports that a secret opens nothing, and stores no secret', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  expect(await examined(database.url)).not.toContain('secret  ')
  expect((await database.pool.query('SELECT 1 FROM root_secret')).rows).toEqual([])
  await database.pool.query(`INSERT INTO root_secret (mark, sealed) VALUES ('\\x01', '\\x02')`)
  expect(await examined(database.url)).toMatch(/^XX {2}secret .*not valid for this database/m)
})

it('finds passkeys and security keys of a tenant that browsers refuse at its address', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const options = { authentication_methods: { passkey: { enabled: true } } }
  const factors = [
    { name: 'webauthn-roaming', enabled: true },
    { name: 'otp', enabled: false },
  ]
  await database.pool.query(
    `INSERT INTO tenant (id, name, settings, created_at, updated_at) VALUES ('default', 'Acme', $1, now(), now())`,
    [{ guardianFactors: factors }],
  )
  await database.pool.query(
    `INSERT INTO connection (tenant_id, id, name, strategy, settings, created_at, updated_at)
VALUES ('default', 'con_1', 'Users', 'auth0', $1, now(), now())`,
    [{ options }],
  )
  const printed = await examined(database.url, 'https://127.0.0.1:9')
  expect(printed).toMatch(/passkeys .*Users offers passkeys/)
  expect(printed).toMatch(/^XX {2}passkeys .*The only second factors are webauthn-roaming,/m)
  expect(await examined(database.url)).toMatch(/passkeys .*Browsers take passkeys and security keys at/)
})

it('the doctor names known vulnerabilities of packages, and scripts whose packages are missing', async () => {
  const registry = await openRegistry()
  const database = await testDatabase()
  onTestFinished(async () => {
    await registry.close()
    await database.drop()
  })
  registry.publish({ name: 'leaky', version: '1.0.0' }, {})
  registry.advisories = {
    leaky: [{ id: 7, url: 'https://advisories.test/7', title: 'Leaks', severity: 'high', vulnerable_versions: '<2' }],
  }
  await database.pool.query(
    `INSERT INTO tenant (id, name, settings, updated_at) VALUES ('main', 'main', '{}', now()) ON CONFLICT DO NOTHING`,
  )
  await database.pool.query(
    `INSERT INTO action_bundle (tenant_id, digest, code, packages, created_at)
     VALUES ('main', 'used', '', '[{"name":"leaky","version":"1.0.0","integrity":"sha512-AA=="}]', now()),
       ('main', 'unused', '', '[{"name":"other","version":"1.0.0","integrity":"sha512-AA=="}]', now())`,
  )
  await database.pool.query(
    `INSERT INTO action (tenant_id, name, settings, updated_at) VALUES ('main', 'Prices', '{"bundle":"used"}', now())`,
  )
  const rule = { name: 'Old', script: "() => require('lodahs')", order: 1, enabled: true }
  await database.pool.query(
    `INSERT INTO document (tenant_id, kind, id, body, created_at, updated_at) VALUES ('main', 'rule', 'rul_1', $1, now(), now())`,
    [rule],
  )
  const need = needOfRules([rule])
  if (need === null) expect.fail('it needs nothing')
  await database.pool.query(
    `INSERT INTO script_build (tenant_id, key, need, failure, created_at) VALUES ('main', $1, $2, 'The registry has no lodahs.', now())`,
    [keyOf(need), need],
  )
  const printed = await examined(database.url)
  expect(printed).toMatch(/^!! {2}packages .*leaky 1\.0\.0 .*Leaks .*Prices \(main\)/m)
  expect(printed).toMatch(/^!! {2}packages .*rules \(main\) could not be built: The registry has no lodahs\./m)
  const sent = registry.requests.filter(({ path }) => path.endsWith('/bulk'))
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ leaky: ['1.0.0'] }])
  await database.pool.query('ALTER TABLE action_bundle RENAME COLUMN packages TO unreadable')
  const without = await examined(database.url)
  expect(without).not.toContain('leaky')
  expect(without).toContain('rules (main) could not be built')
})
