// The rows of a named statement: `columns<Row>({ … })` states the kind of every column. The compiler holds it equal to `Row`, and
// columns.test.ts holds it equal to what PostgreSQL describes, so a row type is never just asserted.

/** How a value is read by pg's type parsers (lib/adapters/store/prepared.ts); `int8` is read as text, and `?` permits NULL. */
export type Kind = PlainKind | `${PlainKind}?`
export type PlainKind = 'text' | 'int8' | 'number' | 'boolean' | 'date' | 'bytes' | 'text[]' | 'number[]' | 'json'

declare const ROW: unique symbol

/** The columns of the rows `Row`. */
export type Columns<Row> = Readonly<Record<string, Kind>> & { readonly [ROW]?: Row }

/** Every column of `Row` with a kind that fits. A column that only some members of a union have may be NULL. */
export type KindsOf<Row> = { readonly [K in KeyOf<Row>]: KindOf<ValueOf<Row, K>> }

type KeyOf<Row> = Row extends unknown ? keyof Row : never
type ValueOf<Row, K extends PropertyKey> = Row extends unknown ? (K extends keyof Row ? Row[K] : undefined) : never

type KindOf<V> = unknown extends V
  ? 'json' | 'json?'
  : null extends V
    ? `${PlainKindOf<NonNullable<V>>}?`
    : undefined extends V
      ? PlainKindOf<NonNullable<V>> | `${PlainKindOf<NonNullable<V>>}?`
      : PlainKindOf<V>

type PlainKindOf<V> = [V] extends [string]
  ? 'text' | 'int8'
  : [V] extends [number]
    ? 'number'
    : [V] extends [boolean]
      ? 'boolean'
      : [V] extends [Date]
        ? 'date'
        : [V] extends [Uint8Array]
          ? 'bytes'
          : [V] extends [readonly string[]]
            ? 'text[]' | 'json'
            : [V] extends [readonly number[]]
              ? 'number[]' | 'json'
              : 'json'

export const columns = <Row>(kinds: KindsOf<Row>): Columns<Row> => kinds as Columns<Row>

type Nullable<Kinds> = {
  readonly [K in keyof Kinds]: Kinds[K] extends PlainKind ? `${Kinds[K]}?` : Kinds[K]
}

/** The same columns where a join may find no row. */
export const nullable = <Kinds extends Readonly<Record<string, Kind>>>(kinds: Kinds): Nullable<Kinds> =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, kind.endsWith('?') ? kind : `${kind}?`]),
  ) as Nullable<Kinds>
