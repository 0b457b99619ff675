// The declared columns of every named statement are those that PostgreSQL describes on a migrated database: their names, their
// types, and NOT NULL where a value is declared that the table may lack.
import type { Connection, PoolClient, Submittable } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { everyStatement, storeSources } from '../../testing/statements'
import { type Columns, columns, type Kind, nullable, type PlainKind } from './columns'
import type { Statement } from './prepared'

/** How pg's type parsers read a type of PostgreSQL. */
const KIND_OF: Readonly<Record<string, PlainKind>> = {
  bool: 'boolean',
  bytea: 'bytes',
  float8: 'number',
  int4: 'number',
  int8: 'int8',
  json: 'json',
  jsonb: 'json',
  text: 'text',
  timestamptz: 'date',
  uuid: 'text',
  varchar: 'text',
  _int4: 'number[]',
  _text: 'text[]',
}

/** Prisma makes arrays without NOT NULL; every statement that writes one writes an array. */
const ARRAYS = [
  'client_grant.scopes',
  'consent.scopes',
  'device_authorization.scopes',
  'log_stream.filters',
  'session.participants',
  'token_family.scopes',
  'webauthn_credential.transports',
]

/** Columns of tables that may hold NULL, but not in the rows that the statement selects. */
const SELECTED_AS_PRESENT: Readonly<Record<string, string>> = {
  'account-deletion-requests.requestedAt': 'selected by deletion_requested_at IS NOT NULL',
  'identity-connect.connectedAt': 'the statement sets it',
  'login-link-answer.answer': 'the statement sets it',
  'login-link-find.number': 'what has a digest of a login has a number',
  'outbox-list.sealedContent': 'selected by sealed_content IS NOT NULL',
}

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number }

let database: TestDatabase
let client: PoolClient
let statements: Statement[]
let typeNames: Map<number, string>
/** `table.column`, by the numbers of both, of every column that may hold NULL. */
let mayLack: Map<string, string>

beforeAll(async () => {
  database = await testDatabase()
  client = await database.pool.connect()
  statements = await everyStatement()
  const types = await client.query<{ oid: number; typname: string }>('SELECT oid, typname FROM pg_type')
  typeNames = new Map(types.rows.map(({ oid, typname }) => [oid, typname]))
  const lacking = await client.query<{ place: string; name: string }>(
    `SELECT attrelid::oid || '.' || attnum AS place, attrelid::regclass || '.' || attname AS name FROM pg_attribute
WHERE attnum > 0 AND NOT attnotnull`,
  )
  mayLack = new Map(lacking.rows.map(({ place, name }) => [place, name]))
})
afterAll(async () => {
  client.release()
  await database.drop()
})

/** Parses and describes the statement, and does not execute it. */
const describeStatement = (text: string): Promise<Field[]> =>
  new Promise((resolve, reject) => {
    const found: { fields: Field[] } = { fields: [] }
    const description: Submittable & Record<string, unknown> = {
      text,
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      callback: () => {},
      handleRowDescription: ({ fields }: { fields: Field[] }) => {
        found.fields = fields
      },
      handleReadyForQuery: () => resolve(found.fields),
      handleError: reject,
    }
    client.query(description)
  })

async function faultsOf({ name, text, row }: Statement): Promise<string[]> {
  const fields = await describeStatement(text).catch((error: unknown) => {
    throw new Error(`${name}: ${String(error)}`)
  })
  const declared = Object.entries<Kind>(row ?? {})
  const unknown = declared.filter(([column]) => !fields.some((field) => field.name === column))
  return [
    ...unknown.map(([column]) => `${name} has no column ${column}`),
    ...fields.flatMap((field) => {
      const column = `${name}.${field.name}`
      return faultsOfColumn(field, row?.[field.name], column in SELECTED_AS_PRESENT).map(
        (fault) => `${column} ${fault}`,
      )
    }),
  ]
}

function faultsOfColumn(field: Field, declared: Kind | undefined, isPresent: boolean): string[] {
  if (declared === undefined) return ['is not declared']
  const type = typeNames.get(field.dataTypeID) ?? String(field.dataTypeID)
  const source = mayLack.get(`${field.tableID}.${field.columnID}`)
  const lacks = source !== undefined && !declared.endsWith('?') && !isPresent && !ARRAYS.includes(source)
  return [
    ...(declared.replace('?', '') === KIND_OF[type] ? [] : [`is declared as ${declared} and described as ${type}`]),
    ...(lacks ? [`is declared as ${declared}, and ${source} may be null`] : []),
  ]
}

const inTurn = async (all: readonly Statement[]): Promise<string[]> => {
  const faults: string[] = []
  for (const statement of all) faults.push(...(await faultsOf(statement)))
  return faults
}

describe('the columns of every statement', () => {
  it('are checked wherever they are declared', () => {
    const written = storeSources().flatMap((source) =>
      Array.from(source.matchAll(/\bname: '([a-z-]+)',\s+text:\s+(?:`[^`]*`|'[^'\n]*'),\s+row: /g), ([, name]) => name),
    )
    const checked = new Set(statements.flatMap(({ name, row }) => (row ? [name] : [])))
    expect(written.filter((name) => !checked.has(name ?? ''))).toEqual([])
    expect(written.length).toBeGreaterThan(50)
  })

  it('are those that PostgreSQL describes', async () => {
    expect(await inTurn(statements.filter(({ row }) => row))).toEqual([])
  })

  const FOUND = { name: 'found', text: 'SELECT id, name, created_at AS "createdAt", settings FROM tenant' }
  const TENANT = { id: 'text', name: 'text', createdAt: 'date', settings: 'json' } as const
  const of = (row: Readonly<Record<string, Kind>>): Statement => ({ ...FOUND, row: row as Columns<unknown> })

  it('pass where all are declared', async () => {
    expect(await faultsOf(of(TENANT))).toEqual([])
    expect(await faultsOf(of(nullable(TENANT)))).toEqual([])
  })

  it.each([
    ['a wrong name', { ...TENANT, title: 'text' }, 'found has no column title'],
    ['a column that is left out', { id: 'text', name: 'text', settings: 'json' }, 'found.createdAt is not declared'],
    [
      'a wrong kind',
      { ...TENANT, createdAt: 'text' },
      'found.createdAt is declared as text and described as timestamptz',
    ],
  ] as const)('fail by %s', async (_what, row, fault) => {
    expect(await faultsOf(of(row))).toEqual([fault])
  })

  it('fail where a value is declared that the table may lack', async () => {
    const statement = { name: 'base', text: 'SELECT base_url AS "baseUrl" FROM tenant' }
    const wrong = { ...statement, row: columns<{ baseUrl: string }>({ baseUrl: 'text' }) }
    expect(await faultsOf(wrong)).toEqual(['base.baseUrl is declared as text, and tenant.base_url may be null'])
  })

  it('fail where the declaration of a real statement is changed', async () => {
    const real = statements.filter(({ row }) => row)
    const renamed = real.map(({ row, ...statement }) => ({
      ...statement,
      row: Object.fromEntries(Object.entries(row ?? {}).map(([name, kind]) => [`${name}_`, kind])) as Columns<unknown>,
    }))
    const retyped = real.map(({ row, ...statement }) => ({
      ...statement,
      row: Object.fromEntries(
        Object.entries<Kind>(row ?? {}).map(([name, kind]) => [name, kind.startsWith('bytes') ? 'date?' : 'bytes?']),
      ) as Columns<unknown>,
    }))
    for (const wrong of [...renamed, ...retyped]) expect(await faultsOf(wrong)).not.toEqual([])
  })
})
