// What a plan of a tenant file writes.
import type { Configuration, Plan, UserWrite, Write } from '../management/tenant-file/model'

/** A row is written without what is read with it, such as the permissions of a role. */
type RowOf<Table> = Table extends 'user'
  ? UserWrite
  : Table extends keyof Configuration
    ? Configuration[Table] extends readonly (infer Row)[]
      ? Omit<Row, 'permissions' | 'newest' | 'connections' | 'clientGrants'>
      : NonNullable<Configuration[Table]>
    : object

export const writtenRows = <Table extends Write['table']>({ changes }: Plan, name: Table): RowOf<Table>[] =>
  changes.flatMap(({ writes }) => writes).flatMap(({ table, row }) => (table === name ? [row as RowOf<Table>] : []))
