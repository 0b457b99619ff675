// What a plan of a tenant file writes.
import type { Configuration, Plan } from '../management/tenant-file/model'

type RowOf<Name extends keyof Configuration> = Configuration[Name] extends readonly (infer Row)[]
  ? Row
  : NonNullable<Configuration[Name]>

/** The rows of a member of the configuration. */
export const writtenRows = <Name extends keyof Configuration>({ changes }: Plan, name: Name): RowOf<Name>[] =>
  changes.flatMap(({ writes }) => writes).flatMap(({ table, row }) => (table === name ? [row as RowOf<Name>] : []))
