// Against PostgreSQL: the messages on the wire, the equality of values and rows with pg's own, and the state kept for a
// connection.
import { createRequire } from 'node:module'
import pg, { type PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { columns } from './columns'
import { run, runChange } from './database'
import { inTransaction } from './transaction'

let database: TestDatabase
let client: PoolClient

beforeAll(async () => {
  database = await testDatabase({ empty: true })
})
afterAll(() => database?.drop())
beforeEach(async () => {
  client = await database.pool.connect()
})
afterEach(() => client.release(true))

const ONE = { name: 'one', text: 'SELECT $1::int AS one' }

/** The version in which each inner part below was read; a newer one needs a look at `client.js`, `query.js` and `utils.js`. */
const READ_IN = '8.23.1'

describe('the parts of pg that its types do not declare', () => {
  it(`are those of pg ${READ_IN}`, () => {
    expect(createRequire(import.meta.url)('pg/package.json').version).toBe(READ_IN)
    expect(Reflect.get(pg, 'utils').prepareValue(null)).toBeNull()
    const { connection } = client as PoolClient & { connection: Record<string, unknown> }
    expect(connection.parsedStatements).toEqual({})
    for (const name of ['parse', 'close']) expect(connection[name], name).toBeTypeOf('function')
  })
})

/** Records the type letters of the messages in each write. */
function tap({ connection }: PoolClient): string[] {
  const writes: string[] = []
  const { stream } = connection
  const write = stream.write.bind(stream)
  stream.write = ((bytes: Buffer) => {
    writes.push(lettersOf(bytes))
    return write(bytes)
  }) as typeof stream.write
  return writes
}

function lettersOf(bytes: Buffer): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    letters += String.fromCharCode(bytes[at] ?? 0)
  return letters
}

const keptBy = ({ connection }: PoolClient) => (connection as unknown as { parsedStatements: object }).parsedStatements

describe('what is sent', () => {
  it('is parsed and described the first time, and one write of Bind, Execute and Sync from then on', async () => {
    const writes = tap(client)
    expect(await run(client, ONE, [1])).toEqual([{ one: 1 }])
    expect(await run(client, ONE, [2])).toEqual([{ one: 2 }])
    expect(await run(client, ONE, [null])).toEqual([{ one: null }])
    expect(writes).toEqual(['P', 'BDES', 'BES', 'BES'])
  })

  it('is one write also for what answers no rows', async () => {
    await client.query('CREATE TEMP TABLE thing (id int)')
    const writes = tap(client)
    const add = { name: 'add', text: 'INSERT INTO thing SELECT generate_series(1, $1::int)' }
    expect([await runChange(client, add, [2]), await runChange(client, add, [0])]).toEqual([2, 0])
    expect(writes).toEqual(['P', 'BDES', 'BES'])
  })

  it('knows what pg’s own way has prepared on the connection, and the other way round', async () => {
    const two = { name: 'two', text: 'SELECT 2 AS two' }
    await client.query(two)
    const writes = tap(client)
    expect(await run(client, two, [])).toEqual([{ two: 2 }])
    await run(client, ONE, [1])
    expect((await client.query({ ...ONE, values: [1] })).rows).toEqual([{ one: 1 }])
    expect(writes.join('')).toBe('BDES' + 'PBDES' + 'BDES')
    expect(keptBy(client)).toEqual({ one: ONE.text, two: two.text })
  })

  it('refuses two statements of one name', async () => {
    await run(client, ONE, [1])
    await expect(run(client, { ...ONE, text: 'SELECT 1' }, [])).rejects.toThrow('Two statements are called one')
    expect(await run(client, ONE, [2])).toEqual([{ one: 2 }])
  })
})

const VALUES: [type: string, value: unknown][] = [
  ['text', ''],
  ['text', 'Zoë 👋 \\ "quoted"'],
  ['text', null],
  ['text', undefined],
  ['int8', 9007199254740993n],
  ['numeric', -1.5],
  ['bool', false],
  ['timestamptz', new Date('2026-11-22T02:14:03.007Z')],
  ['timestamptz', new Date('1969-12-31T23:59:59.999Z')],
  ['timestamptz', new Date('0044-03-15T00:00:00Z')],
  ['timestamptz', new Date('+012345-01-01T00:00:00Z')],
  ['timestamptz[]', [new Date('2026-11-22T02:14:03Z'), null]],
  ['bytea', Buffer.from([0, 255, 92])],
  ['bytea', new Uint8Array([1, 2, 3]).subarray(1)],
  ['bytea', Buffer.alloc(0)],
  ['bytea[]', [Buffer.from([0, 1]), new Uint8Array([2])]],
  ['text[]', ['a', 'b "c" \\', null, '']],
  ['text[]', []],
  ['jsonb', { a: [1, { b: 'ü' }], when: new Date(0) }],
]

describe('values and rows', () => {
  it.each(VALUES)('are those of pg itself: %s %s', async (type, value) => {
    const text = `SELECT $1::${type} AS value, ($1::${type})::text AS said`
    const { rows } = await client.query(text, [value])
    const statement = { name: `value-${type}`, text }
    expect(await run(client, statement, [value])).toEqual(rows)
    expect(await run(client, statement, [value])).toEqual(rows)
  })

  it('are parsed as configured on the connection', async () => {
    client.setTypeParser(20, (digits) => BigInt(digits))
    expect(await run(client, { name: 'big', text: 'SELECT 1::int8 AS big' }, [])).toEqual([{ big: 1n }])
  })

  it('are many, and long', async () => {
    const text = `SELECT n, repeat('ä', n) AS long FROM generate_series(1, $1::int) n`
    const row = columns<{ n: number; long: string }>({ n: 'number', long: 'text' })
    const rows = await run(client, { name: 'many', text, row }, [900])
    expect(rows.every(({ n, long }, index) => n === index + 1 && long.length === n)).toBe(true)
  })
})

describe('a failure', () => {
  it('is reported once, with PostgreSQL’s details, and the connection remains usable', async () => {
    await client.query('CREATE TEMP TABLE single (id int CONSTRAINT single_once PRIMARY KEY)')
    const add = { name: 'single-add', text: 'INSERT INTO single VALUES ($1)' }
    await run(client, add, [1])
    const error = await run(client, add, [1]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(pg.DatabaseError)
    expect(error).toMatchObject({
      code: '23505',
      constraint: 'single_once',
      stack: expect.stringContaining('prepared.test'),
    })
    await expect(run(client, add, ['x'])).rejects.toMatchObject({ code: '22P02' })
    expect(await runChange(client, add, [2])).toBe(1)
  })

  it('a failure to parse leaves nothing behind', async () => {
    const later = { name: 'later', text: 'SELECT id FROM later' }
    await expect(run(client, later, [])).rejects.toMatchObject({ code: '42P01' })
    expect(keptBy(client)).toEqual({})
    await client.query('CREATE TEMP TABLE later AS SELECT 3 AS id')
    expect(await run(client, later, [])).toEqual([{ id: 3 }])
  })

  it('a failure to encode a value sends nothing', async () => {
    const circle: unknown[] = []
    circle.push({ circle })
    const json = { name: 'json', text: 'SELECT $1::jsonb AS json' }
    await expect(run(client, json, [{ circle }])).rejects.toThrow('circular')
    expect(await run(client, json, [{ a: 1 }])).toEqual([{ json: { a: 1 } }])
  })

  it('a failure to read a row is reported when all rows have arrived', async () => {
    client.setTypeParser(20, () => {
      throw new Error('not a number of this query')
    })
    const big = { name: 'big', text: 'SELECT n FROM generate_series(1::int8, 3) n' }
    await expect(run(client, big, [])).rejects.toThrow('not a number of this query')
    expect(await run(client, ONE, [1])).toEqual([{ one: 1 }])
  })

  it('of the connection reaches the waiting callers', async () => {
    const row = columns<{ pid: number }>({ pid: 'number' })
    const parameters = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid', row }
    const [{ pid } = { pid: 0 }] = await run(client, parameters, [])
    const waiting = run(client, { name: 'sleep', text: 'SELECT pg_sleep(60)' }, [])
    const ended = expect(waiting).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid])
    await ended
    await expect(run(client, ONE, [1])).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })

  it('takes its connection out of the pool, which opens another', async () => {
    await expect(run(database.pool, ONE, ['x'])).rejects.toMatchObject({ code: '22P02' })
    expect(await run(database.pool, ONE, [1])).toEqual([{ one: 1 }])
  })
})

describe('a statement whose result became another', () => {
  const ALL = { name: 'all', text: 'SELECT * FROM item' }
  beforeEach(() => client.query('DROP TABLE IF EXISTS item; CREATE TABLE item AS SELECT 1 AS id'))

  it('is prepared anew, once, and gives rows of the new shape', async () => {
    expect(await run(client, ALL, [])).toEqual([{ id: 1 }])
    const writes = tap(client)
    await database.pool.query(`ALTER TABLE item ADD name text DEFAULT 'a'; ALTER TABLE item ALTER id TYPE text`)
    expect(await run(client, ALL, [])).toEqual([{ id: '1', name: 'a' }])
    expect(await run(client, ALL, [])).toEqual([{ id: '1', name: 'a' }])
    expect(writes).toEqual(['BES', 'C', 'P', 'BDES', 'BES'])
    expect((await client.query(ALL)).rows).toEqual([{ id: '1', name: 'a' }])
  })

  it('is so on whichever connection of the pool', async () => {
    const everywhere = () => Promise.all(Array.from({ length: 5 }, () => run(database.pool, ALL, [])))
    await everywhere()
    await client.query('ALTER TABLE item RENAME id TO key')
    expect(await everywhere()).toEqual(Array.from({ length: 5 }, () => [{ key: 1 }]))
  })

  it('fails the transaction it is in, and none after that', async () => {
    await run(client, ALL, [])
    await client.query('ALTER TABLE item ADD name text')
    await client.query('BEGIN')
    await expect(run(client, ALL, [])).rejects.toMatchObject({ code: '0A000' })
    await expect(run(client, ONE, [1])).rejects.toMatchObject({ code: '25P02' })
    await client.query('ROLLBACK')
    expect(await run(client, ALL, [])).toEqual([{ id: 1, name: null }])
  })

  it('a statement that was deallocated is prepared anew', async () => {
    await run(client, ALL, [])
    await client.query('DEALLOCATE ALL')
    expect(await run(client, ALL, [])).toEqual([{ id: 1 }])
  })

  it('behind its back gives an error, and then rows of the new shape', async () => {
    await run(client, ALL, [])
    await client.query('DEALLOCATE "all"; PREPARE "all" AS SELECT 1 AS a, 2 AS b')
    await expect(run(client, ALL, [])).rejects.toThrow('not as its statement was described')
    expect(await run(client, ALL, [])).toEqual([{ id: 1 }])
  })

  it('a statement that PostgreSQL cannot run fails once and is not repeated', async () => {
    const writes = tap(client)
    const never = { name: 'never', text: 'SELECT 1 FOR UPDATE OF nothing' }
    await expect(run(client, never, [])).rejects.toBeInstanceOf(Error)
    expect(writes).toEqual(['P', 'BDES'])
  })
})

it('runs in a transaction as on its own', async () => {
  const rows = await inTransaction(database.pool, async (own) => [
    ...(await run(own, ONE, [1])),
    ...(await run(own, ONE, [2])),
  ])
  expect(rows).toEqual([{ one: 1 }, { one: 2 }])
})
