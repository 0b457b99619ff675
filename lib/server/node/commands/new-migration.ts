// `npm run migrate -- new NAME`: writes the migration from the committed schema snapshot to prisma/schema.prisma, and updates
// the snapshot. It changes files only, never a database.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diffSchemas } from '../../../adapters/store/schema-diff'
import type { Clock } from '../../../kernel/clock'

/** Returns the path of the written migration, or null if nothing changed. */
export async function newMigration(folder: string, name: string, clock: Clock): Promise<string | null> {
  const snapshotPath = join(folder, 'schema.snapshot.prisma')
  const schema = await readFile(join(folder, '..', 'schema.prisma'), 'utf8')
  const sql = await diffSchemas(await readSnapshot(snapshotPath), schema)
  if (sql === null) return null
  const target = join(folder, migrationName(name, clock))
  await mkdir(target)
  await writeFile(join(target, 'migration.sql'), sql)
  await writeFile(snapshotPath, schema)
  return target
}

/** For example 20260102030405_add_audit: names sort by creation time. */
export function migrationName(name: string, clock: Clock): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g)
  if (!words) throw new Error('A migration needs a name, such as: npm run migrate -- new add_audit')
  const stamp = clock.now().toISOString().replace(/\D/g, '').slice(0, 14)
  return `${stamp}_${words.join('_')}`
}

async function readSnapshot(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
