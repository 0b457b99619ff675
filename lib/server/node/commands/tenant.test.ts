import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import type { CommandContext } from './command'
import { tenant } from './tenant'

let database: TestDatabase
let folder: string
let context: CommandContext
const lines: string[] = []

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-tenant-'))
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters', NAME: 'Acme' }
  context = { root: folder, source, say: (line) => lines.push(line) }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('npm run tenant', () => {
  it('plans, applies and exports', async () => {
    const [source, target] = [join(folder, 'in.yaml'), join(folder, 'out.yaml')]
    await writeFile(
      source,
      'tenant: { friendly_name: ##NAME##, support_url: ##APP_URL##/help }\nforms: [{ name: x }]\n',
    )
    await tenant(['plan', source], context)
    await tenant(['apply', source], context)
    expect(lines).toContain('      friendly_name: "Acme"')
    expect(lines).toContain('  not applied: forms')
    await tenant(['export', target], context)
    expect(await readFile(target, 'utf8')).toBe(
      'tenant:\n  friendly_name: Acme\n  support_url: http://localhost:3000/help\n',
    )
    expect((await stat(target)).mode & 0o777).toBe(0o600)
    await expect(tenant(['export', target], context)).rejects.toThrow('name a file that is not there yet')
  })

  it.each([
    [[], /plan FILE/],
    [['plan'], /plan FILE/],
    [['drop', 'x'], /plan FILE/],
    [['apply', '/no/such/file.yaml'], /cannot be read \(ENOENT\)/],
    [['export', '/no/such/folder/out.yaml'], /cannot be written \(ENOENT\)/],
  ])('%j says what to do', async (args, reason) => {
    await expect(tenant(args, context)).rejects.toThrow(reason)
  })
})
