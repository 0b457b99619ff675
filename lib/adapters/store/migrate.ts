// Applies prisma/migrations to a database, in order, once each.
// - One migrator at a time: each migration holds the advisory lock of `prisma migrate` for its own transaction, and checks again
//   which migrations are missing once it has the lock. This also works behind a pooler.
// - The table is Prisma's own `_prisma_migrations`, with checksum = SHA-256 of migration.sql, so Prisma's tools remain usable.
// - A migration that failed, was edited after it was applied, or is unknown here aborts with an error that says what to do.
// - A migration and its row are one transaction: a crash leaves neither. It has no time limit: the timeouts of the pool's
//   connections do not apply.
// - It runs beside serving instances, so it never waits long for a lock: later statements would queue behind it, and PostgreSQL
//   might resolve a deadlock by ending a server's statement. Instead it rolls back and retries.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientBase, Pool } from 'pg'
import type { Random } from '../../kernel/random'
import { IN_TIME } from './database'
import { type DatabaseShape, SHAPE, shapeProblem } from './database-shape'

export type Migration = { name: string; sql: string; checksum: string }
export type Applied = { name: string; checksum: string; finished: boolean }

export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationError'
  }
}

type Deps = { random: Random; note?: (line: string) => void }

/** The key of the advisory lock of Prisma's own migrator. */
const LOCK_KEY = 72707369

const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/** Applies the missing migrations and returns their names. */
export async function migrate(pool: Pool, folder: string, deps: Deps): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = await pool.connect()
  try {
    await refuseUnusable(client)
    if (await isUpToDate(client, migrations)) return []
    await refuseForeignTables(client)
    const names: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations, deps)
      if (name === null) return names
      names.push(name)
    }
  } finally {
    client.release()
  }
}

/** For deployments where a separate command applies migrations. */
export async function assertMigrated(pool: Pool, folder: string): Promise<void> {
  await refuseUnusable(pool)
  if (await isServable(pool, readMigrations(folder))) return
  throw new MigrationError(
    'The database lacks migrations of this version, and LATCHKEY_MIGRATE=0 leaves them to a command: run `npm run migrate`, then start again.',
  )
}

/** The names of the missing migrations; throws where `migrate` would. For readiness checks and `migrate status`. */
export async function pendingMigrations(db: Pool | Client, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder)
  return decidePending(migrations, await loadApplied(db)).map((migration) => migration.name)
}

/** Whether the database has all migrations of this version. It may have more from a newer version (rolling upgrades). */
export async function isServable(db: Pool, migrations: readonly Migration[]): Promise<boolean> {
  const names = new Set(migrations.map((migration) => migration.name))
  const ours = (await loadApplied(db)).filter((row) => names.has(row.name))
  return decidePending(migrations, ours).length === 0
}

/** At once: reading many small files by promises takes ten times as long, and a start waits for it. */
export function readMigrations(folder: string): Migration[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

/** Pure: the migrations to apply. Throws if none may be applied. */
export function decidePending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  if (applied.length > 0 && !applied.some((row) => known.has(row.name))) throw foreignDatabase('migrations', applied)
  for (const row of applied) {
    const migration = known.get(row.name)
    if (!row.finished)
      throw new MigrationError(
        `The migration ${row.name} failed half-way on this database: repair what it left behind, then delete its row from _prisma_migrations and start again.`,
      )
    if (!migration)
      throw new MigrationError(
        `The database has the migration ${row.name}, which this version does not know: run the version that made it, or a newer one.`,
      )
    if (migration.checksum !== row.checksum)
      throw new MigrationError(
        `The migration ${row.name} was edited after it was applied to this database: restore the file and put the change into a new migration.`,
      )
  }
  const done = new Set(applied.map((row) => row.name))
  return migrations.filter((migration) => !done.has(migration.name))
}

/** The common case at a start: one query and no lock. */
async function isUpToDate(client: ClientBase, migrations: readonly Migration[]): Promise<boolean> {
  return decidePending(migrations, await loadApplied(client)).length === 0
}

/** One snapshot: a concurrent migrator commits its tables together with their migration rows. */
const FOREIGN_TABLES = `SELECT relname AS name FROM pg_class
  WHERE to_regclass('_prisma_migrations') IS NULL
    AND relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname`

/** Before anything is written. */
async function refuseUnusable(db: Queryable): Promise<void> {
  const { rows } = await db.query<DatabaseShape>(SHAPE)
  const problem = rows[0] && shapeProblem(rows[0])
  if (problem) throw new MigrationError(problem)
}

/** Tables of extensions are allowed. Other tables would be mixed with ours or conflict with them. */
async function refuseForeignTables(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(FOREIGN_TABLES)
  if (rows.length > 0) throw foreignDatabase('tables', rows)
}

const MAX_NAMED = 3

function foreignDatabase(what: 'tables' | 'migrations', found: readonly { name: string }[]): MigrationError {
  const names = found.slice(0, MAX_NAMED).map(({ name }) => name)
  const list = [...names, ...(found.length > MAX_NAMED ? ['…'] : [])].join(', ')
  return new MigrationError(
    `The database belongs to another application: it holds ${what} that are not Latchkey's (${list}). Make a database for Latchkey alone, and name it in DATABASE_URL.`,
  )
}

const BEGIN = `BEGIN;
SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
SELECT pg_advisory_xact_lock(${LOCK_KEY});
${TABLE}`

/** Far below the one second after which PostgreSQL checks for deadlocks. */
const PATIENCE = "SET LOCAL lock_timeout = '300ms'"
const MAX_PAUSE_MS = 5_000

/** A lock timeout, or a deadlock despite it. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof MigrationError && /^(55P03|40P01)$/.test(String((error.cause as { code?: string } | null)?.code))

/** Applies the first missing migration. Returns its name, or null if none is missing. */
async function applyNext(client: ClientBase, migrations: readonly Migration[], deps: Deps): Promise<string | null> {
  for (let pause = 100; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await tryNext(client, migrations, deps)
    } catch (error) {
      if (!isInTheWay(error)) throw error
      await sleep(pause)
    }
  }
}

async function tryNext(client: ClientBase, migrations: readonly Migration[], deps: Deps): Promise<string | null> {
  await client.query(BEGIN)
  try {
    const [migration] = decidePending(migrations, await loadApplied(client))
    if (migration) await apply(client, migration, deps)
    await client.query('COMMIT')
    return migration?.name ?? null
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function apply(client: ClientBase, migration: Migration, { random, note }: Deps): Promise<void> {
  note?.(`applying migration ${migration.name}`)
  try {
    await client.query(PATIENCE)
    await client.query(migration.sql)
    await client.query(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
       VALUES ($1, $2, now(), $3, 1)`,
      [random.uuid(), migration.checksum, migration.name],
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(`The migration ${migration.name} could not be applied, and was undone: ${reason}.`, {
      cause: error,
    })
  }
}

type Queryable = Pick<Pool, 'query'> | Pick<ClientBase, 'query'>

async function loadApplied(db: Queryable): Promise<Applied[]> {
  const table = await db.query<{ found: boolean }>({
    text: `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
    ...IN_TIME,
  })
  if (!table.rows[0]?.found) return []
  const { rows } = await db.query<Applied>({
    text: `SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`,
    ...IN_TIME,
  })
  return rows
}
