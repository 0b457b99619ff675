// Applies prisma/migrations to a database, in order, once each.
// - One migrator at a time: each migration holds the advisory lock that `prisma migrate` takes, for its own transaction,
//   and looks again what is missing once it has it; so it works behind a pooler too.
// - The table is Prisma's own `_prisma_migrations`, checksum = SHA-256 of migration.sql, so its tools stay usable.
// - A migration that failed, was edited after it was applied, or is unknown here stops everything with a sentence.
// - A migration and the note that it was applied are one transaction: a crash between them leaves neither. It may take as
//   long as it takes: the time-outs of the pool's connections do not hold in it.
// - Beside servers that go on serving it never waits long for a lock: whoever comes later would wait behind it, and where two
//   wait for each other PostgreSQL might end the server's statement. It lets go of everything instead, and tries again.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientBase, Pool } from 'pg'
import type { Random } from '../kernel/random'
import { IN_TIME } from './database'

export type Migration = { name: string; sql: string; checksum: string }
export type Applied = { name: string; checksum: string; finished: boolean }

export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationError'
  }
}

type Deps = { random: Random; note?: (line: string) => void }

/** The key of the advisory lock that Prisma's own migrator takes. */
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

/** Applies what is missing and answers the names of what it applied. */
export async function migrate(pool: Pool, folder: string, deps: Deps): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
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

/** Where migrations are left to a command. */
export async function assertMigrated(pool: Pool, folder: string): Promise<void> {
  if (await isServable(pool, folder)) return
  throw new MigrationError(
    'The database lacks migrations of this version, and LATCHKEY_MIGRATE=0 leaves them to a command: run `npm run migrate`, then start again.',
  )
}

/** What the database still lacks; throws where `migrate` would. For readiness checks and `migrate status`. */
export async function pendingMigrations(db: Pool | Client, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return decidePending(migrations, await loadApplied(db)).map((migration) => migration.name)
}

/** Whether this version has what it needs; a newer one may have added to it (rolling upgrades). */
export async function isServable(db: Pool, folder: string): Promise<boolean> {
  const migrations = await readMigrations(folder)
  const names = new Set(migrations.map((migration) => migration.name))
  const ours = (await loadApplied(db)).filter((row) => names.has(row.name))
  return decidePending(migrations, ours).length === 0
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Pure: which migrations are still to be applied, or why none may be. */
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

/** The usual case at start costs one query and no lock. */
async function isUpToDate(client: ClientBase, migrations: readonly Migration[]): Promise<boolean> {
  return decidePending(migrations, await loadApplied(client)).length === 0
}

/** One snapshot: a migrator that is quicker commits its tables together with the note that it made them. */
const FOREIGN_TABLES = `SELECT relname AS name FROM pg_class
  WHERE to_regclass('_prisma_migrations') IS NULL
    AND relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname`

/** Tables of extensions may be there; anybody else's would be mixed with ours, or clash with them. */
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

/** Well below the second after which PostgreSQL looks who waits for whom. */
const PATIENCE = "SET LOCAL lock_timeout = '300ms'"
const MAX_PAUSE_MS = 5_000

/** A lock that was not to be had in time; or two waited for each other all the same. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof MigrationError && /^(55P03|40P01)$/.test(String((error.cause as { code?: string } | null)?.code))

/** The first that is missing, or null when none is. */
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
