import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { diffSchemas } from './schema-diff'

const read = (path: string): Promise<string> => readFile(new URL(`../../../prisma/${path}`, import.meta.url), 'utf8')

const schema = (fields: string): string => `datasource db {
  provider = "postgresql"
}
model Thing {
  id String @id
  ${fields}
}`

describe('the SQL between two schemas', () => {
  it('is the whole schema for an empty database', async () => {
    expect(await diffSchemas(null, schema(''))).toContain('CREATE TABLE "Thing"')
  })

  it('is the difference alone for a known one', async () => {
    const sql = await diffSchemas(schema(''), schema('name String @unique'))
    expect(sql).toContain('ADD COLUMN')
    expect(sql).toContain('CREATE UNIQUE INDEX')
    expect(sql).not.toContain('CREATE TABLE')
  })

  it('is nothing when both describe the same database', async () => {
    expect(await diffSchemas(schema('name String'), schema('name String // a name'))).toBeNull()
  })
})

describe('the committed migrations', () => {
  it('have kept up with prisma/schema.prisma (else: npm run migrate -- new NAME)', async () => {
    expect(await diffSchemas(await read('migrations/schema.snapshot.prisma'), await read('schema.prisma'))).toBeNull()
  })

  it('are named so that they sort in the order they were written', async () => {
    const entries = await readdir(new URL('../../../prisma/migrations', import.meta.url), { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/)
  })
})
