// One execution of a named statement, as a "submittable" of pg's client (ADR 25). The first execution on a connection parses and
// describes the statement. Every later execution is one write of Bind, Execute and Sync, and reads rows by the remembered shape.
// - PostgreSQL keeps the result shape while the statement is prepared. If a migration changed it, PostgreSQL refuses before it
//   executes anything. Then the statement and its shape are discarded, and the statement is prepared again once.
// - A row that does not have the remembered shape is an error.
// - pg records the statements parsed on a connection by `name` and `text`, both for this code and for its own.
// - The caller is notified exactly once, also of a lost connection and of a timeout (`query_timeout`).
import type { Connection, PoolClient, QueryResultRow, Submittable } from 'pg'
import { bindMessage } from './bind'
import type { Columns } from './columns'

/** `row`: the columns of its rows (columns.ts). */
export type Statement = { name: string; text: string; row?: Columns<unknown> }

/** The result: the rows, and the number of rows found or changed. */
export type StatementResult<Row> = { rows: Row[]; rowCount: number | null }
export type Done<Row> = (error: Error | null | undefined, answer?: StatementResult<Row>) => void

/** Members of pg's client that its types do not declare. */
type Wire = Connection & { parsedStatements: Record<string, string | undefined> }
type Described = { fields: { name: string; dataTypeID: number }[] }

type Shape = readonly { name: string; parse(text: string): unknown }[]
const shapesOf = new WeakMap<PoolClient, Map<string, Shape>>()

/** Refused because the connection's statement is outdated (0A000) or missing (26000). */
const OUTDATED = /^(0A000|26000)$/

/** Runs the statement on a connection; pg's client enforces the timeout. Inside a transaction there is no second attempt. */
export function execute<Row extends QueryResultRow>(client: PoolClient, execution: Execution, done: Done<Row>): void {
  const first = new Prepared<Row>(client, execution)
  void client.query<Row>(first, (error: Error | null | undefined, answer?: StatementResult<Row>) => {
    const again = first.outdated && client.getTransactionStatus() === 'I'
    if (again) void client.query<Row>(new Prepared<Row>(client, execution), done)
    else done(error, answer)
  })
}

export type Execution = Statement & { values: unknown[]; query_timeout: number }

class Prepared<Row> implements Submittable {
  /** Set by pg's client. */
  declare callback: Done<Row>
  /** Refused before execution and discarded: a second attempt prepares the statement again. */
  outdated = false
  readonly name: string
  readonly text: string
  readonly row: Columns<unknown> | undefined
  readonly values: unknown[]
  readonly query_timeout: number
  readonly #client: PoolClient
  readonly #answer: StatementResult<Row> = { rows: [], rowCount: null }
  #shape: Shape | undefined
  #kept = false
  #failure: Error | undefined

  constructor(client: PoolClient, { name, text, row, values, query_timeout }: Execution) {
    this.#client = client
    this.name = name
    this.text = text
    this.row = row
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
    // A statement without rows has an empty shape.
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

  /** Also closes the statement in PostgreSQL, so that its name is free for another Parse. */
  #forget(connection: Connection): void {
    shapesOf.get(this.#client)?.delete(this.name)
    delete (connection as Wire).parsedStatements[this.name]
    connection.close({ type: 'S', name: this.name }, true)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** Assigns the columns in a fixed order, so that all rows of a statement share one hidden class. */
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
