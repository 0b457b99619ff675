// What a plan of a tenant file writes.
import type { Configuration, Plan } from '../management/tenant-file/model'

type RowOf<Name extends keyof Configuration> = Configuration[Name] extends readonly (infer Row)[]
  ? Omit<Row, 'permissions' | 'newest' | 'connections' | 'clientGrants'>
  : NonNullable<Configuration[Name]>

/** The rows of a member of the configuration. A row is written without what is read with it, such as the permissions of a role. */
export const writtenRows = <Name extends keyof Configuration>({ changes }: Plan, name: Name): RowOf<Name>[] =>
  changes.flatMap(({ writes }) => writes).flatMap(({ table, row }) => (table === name ? [row as RowOf<Name>] : []))
