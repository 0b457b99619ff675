// One execution of a named statement, as a "submittable" of pg's client (ADR 25): the first on a connection parses and
// describes it, every other is one write of Bind, Execute and Sync, and reads its rows by the shape that was described.
// - PostgreSQL keeps to the shape for as long as the statement is prepared: where a migration changed it, it refuses
//   before anything is executed. Statement and shape are forgotten together then, and prepared anew once.
// - A row that is not of the remembered shape is an error, never a row.
// - What is parsed on a connection pg itself notes, by `name` and `text`, for this way and for its own.
// - Whoever waits is told once, also of a lost connection and of an answer that takes too long (`query_timeout`).
import type { Connection, PoolClient, QueryResultRow, Submittable } from 'pg'
import { bindMessage } from './bind'

export type Statement = { name: string; text: string }

/** What came of it: the rows it answered, and how many it found or changed. */
export type Answer<Row> = { rows: Row[]; rowCount: number | null }
export type Done<Row> = (error: Error | null | undefined, answer?: Answer<Row>) => void

/** What pg's client has, and its types do not mention. */
type Wire = Connection & { parsedStatements: Record<string, string | undefined> }
type Described = { fields: { name: string; dataTypeID: number }[] }

type Shape = readonly { name: string; parse(text: string): unknown }[]
const shapesOf = new WeakMap<PoolClient, Map<string, Shape>>()

/** Refused for what a connection has kept: its result is another by now (0A000), or it is not there (26000). */
const OUTDATED = /^(0A000|26000)$/

/** Runs it on a connection; pg's client sees to the time-out. What a transaction has lost is not tried again. */
export function execute<Row extends QueryResultRow>(client: PoolClient, asked: Execution, done: Done<Row>): void {
  const first = new Prepared<Row>(client, asked)
  void client.query<Row>(first, (error: Error | null | undefined, answer?: Answer<Row>) => {
    const again = first.outdated && client.getTransactionStatus() === 'I'
    if (again) void client.query<Row>(new Prepared<Row>(client, asked), done)
    else done(error, answer)
  })
}

export type Execution = Statement & { values: unknown[]; query_timeout: number }

class Prepared<Row> implements Submittable {
  /** Set by pg's client. */
  declare callback: Done<Row>
  /** Refused, nothing executed, and forgotten: another try prepares it anew. */
  outdated = false
  readonly name: string
  readonly text: string
  readonly values: unknown[]
  readonly query_timeout: number
  readonly #client: PoolClient
  readonly #answer: Answer<Row> = { rows: [], rowCount: null }
  #shape: Shape | undefined
  #kept = false
  #failure: Error | undefined

  constructor(client: PoolClient, { name, text, values, query_timeout }: Execution) {
    this.#client = client
    this.name = name
    this.text = text
    this.values = values
    this.query_timeout = query_timeout
  }

  submit(connection: Connection): Error | undefined {
    const { parsedStatements } = connection as Wire
    const kept = parsedStatements[this.name]
    if (kept !== undefined && kept !== this.text) return new Error(`Two statements are called ${this.name}`)
    this.#kept = kept !== undefined
    this.#shape = this.#kept ? shapesOf.get(this.#client)?.get(this.name) : undefined
    try {
      this.#send(connection, bindMessage(this.name, this.values, { describe: this.#shape === undefined }))
    } catch (error) {
      return error as Error
    }
    return undefined
  }

  #send(connection: Connection, message: Buffer): void {
    const { stream } = connection
    if (!stream.writable) return
    if (this.#kept) return void stream.write(message)
    stream.cork()
    connection.parse({ name: this.name, text: this.text, types: [] }, true)
    stream.write(message)
    stream.uncork()
  }

  handleRowDescription({ fields }: Described): void {
    this.#remember(
      fields.map(({ name, dataTypeID }) => ({ name, parse: this.#client.getTypeParser(dataTypeID, 'text') })),
    )
  }

  #remember(shape: Shape): void {
    this.#shape = shape
    const shapes = shapesOf.get(this.#client)
    if (shapes) shapes.set(this.name, shape)
    else shapesOf.set(this.#client, new Map([[this.name, shape]]))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#answer.rows.push(readRow(this.#shape, fields) as Row)
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1))
    this.#answer.rowCount = Number.isNaN(count) ? null : count
    // It has no rows to describe.
    if (!this.#shape) this.#remember([])
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.#failure) this.#forget(connection)
    this.callback(this.#failure, this.#answer)
  }

  handleError(error: Error & { code?: string }, connection: Connection): void {
    this.outdated = this.#kept && OUTDATED.test(error.code ?? '')
    if (this.outdated) this.#forget(connection)
    this.callback(error)
  }

  /** Closed at PostgreSQL too, so that the name is free for another Parse. */
  #forget(connection: Connection): void {
    shapesOf.get(this.#client)?.delete(this.name)
    delete (connection as Wire).parsedStatements[this.name]
    connection.close({ type: 'S', name: this.name }, true)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** Filled name by name, in one order: rows of a statement are alike to the engine too. */
function readRow(shape: Shape | undefined, fields: (string | null)[]): Record<string, unknown> {
  if (shape?.length !== fields.length) throw new Error('A row is not as its statement was described')
  const row: Record<string, unknown> = {}
  for (let index = 0; index < fields.length; index++) {
    const { name, parse } = shape[index] as Shape[number]
    const text = fields[index] as string | null
    row[name] = text === null ? null : parse(text)
  }
  return row
}
