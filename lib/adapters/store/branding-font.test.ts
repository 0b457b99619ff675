// The migration that gives the font of a branding an effect.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tenantSettings } from '../../data/tenants/settings'
import { type TestDatabase, testDatabase } from '../../testing/database'

const FILE = new URL('../../../prisma/migrations/20261125204000_branding_font/migration.sql', import.meta.url)

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const URL_OF_FONT = 'https://cdn.acme.test:8443/inter.woff2?v=1'

it.each([
  ['a font', { url: URL_OF_FONT }, { url: URL_OF_FONT }],
  ['a font of http', { url: 'http://cdn.acme.test/f.woff2' }, undefined],
  ['another text', { url: 'https://cdn.acme.test/"){}' }, undefined],
  ['an address of no host', { url: 'https://999.999.999.999/f' }, undefined],
  ['a name that cannot be read', { url: 'https://cdn.xn--a.test/f' }, undefined],
  ['an invalid port', { url: 'https://cdn.acme.test:99999/f' }, undefined],
  ['something else', 'Inter', undefined],
])('makes a setting of %s, or removes it', async (_case, font, setting) => {
  const { pool } = database
  const [settings, kept] = [
    { branding: { logo_url: 'https://a.test/l.png' } },
    { branding: { font, other: 1 }, tenant: { x: 1 } },
  ]
  await pool.query(
    `INSERT INTO tenant (id, name, settings, kept, updated_at) VALUES ('t', 'T', $1, $2, now())
    ON CONFLICT (id) DO UPDATE SET settings = $1, kept = $2`,
    [settings, kept],
  )
  await pool.query(await readFile(FILE, 'utf8'))
  const { rows } = await pool.query(`SELECT settings, kept FROM tenant WHERE id = 't'`)
  expect(rows).toEqual([
    {
      settings: { branding: { ...settings.branding, ...(setting && { font: setting }) } },
      kept: { branding: { other: 1 }, tenant: { x: 1 } },
    },
  ])
  expect(tenantSettings.safeParse(rows[0].settings).success).toBe(true)
})

it('changes no tenant without a font', async () => {
  const { pool } = database
  await pool.query(`INSERT INTO tenant (id, name, settings, updated_at) VALUES ('plain', 'P', '{}', now())`)
  await pool.query(await readFile(FILE, 'utf8'))
  const { rows } = await pool.query(`SELECT settings, kept FROM tenant WHERE id = 'plain'`)
  expect(rows).toEqual([{ settings: {}, kept: {} }])
})
