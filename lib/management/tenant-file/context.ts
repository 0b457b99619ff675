// The planning of one file: the stored configuration, overlaid with the decisions of earlier sections, and the collected outcome.
// Sections run in a fixed order, so a grant finds the client that the same file creates.

import type * as z from 'zod'
import type { SigningAlgorithm } from '../../crypto/keys/algorithms'
import type { Built } from '../../identity/tenant-code/packages/bundle'
import { isFilePath } from '../../kernel/file-path'
import { isJsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { split } from '../../kernel/schema'
import type { Vault } from '../../kernel/secret'
import { type Elsewhere, setAside } from './elsewhere'
import { memberPath } from './fields'
import type {
  Change,
  ChangeRecord,
  Configuration,
  Copied,
  FileStores,
  Json,
  JsonObject,
  MadeSecret,
  Problem,
  StoredUser,
  Write,
} from './model'
import { unsetVariable } from './variables'

export type PlanContext = {
  tenantId: string
  /** The tenant's public origin. */
  baseUrl: string
  /** A working copy: sections add their rows to it. */
  stored: Configuration
  /** Of all sections, since an operation may read what another section brings. */
  copies: readonly Copy[]
  users: readonly StoredUser[]
  vault: Vault
  random: Random
  /** What is wrong with a source in Liquid; null if nothing. */
  templateFault(source: string): string | null
  /** The paths of the texts of a prompt that no page shows. */
  unusedTexts(prompt: string, language: string, texts: JsonObject): string[]
  /** What came of building packages, by the key of what is needed (lib/identity/tenant-code/actions/need.ts). */
  built(key: string): Built
  now: Date
  changes: Change[]
  notApplied: string[]
  problems: Problem[]
  secrets: MadeSecret[]
  /** What the entry that is being planned has written and recorded so far. */
  writes: Write[]
  records: ChangeRecord[]
  /** Of the clients and APIs that change: each needs a signing key. */
  algorithms: SigningAlgorithm[]
}

type Collected = 'changes' | 'notApplied' | 'problems' | 'secrets' | 'writes' | 'records' | 'algorithms'

/** What a plan begins with. `built` is left out for a file without packages, `now` for one without modules. */
type Optional = 'built' | 'now'
export type PlanBasis = Omit<PlanContext, Collected | Optional> & Partial<Pick<PlanContext, Optional>>

export const contextOf = ({ stored, ...basis }: PlanBasis): PlanContext => ({
  ...{ built: () => ({ failure: 'nothing was built' }), now: new Date(0) },
  ...basis,
  stored: { ...stored },
  ...{ changes: [], notApplied: [], problems: [], secrets: [], writes: [], records: [], algorithms: [] },
})

/** A member of the configuration that a section copies. */
export type Copy = {
  name: keyof Copied
  /** Of a tenant without anything. */
  none: [] | null
  /** From the stores on the database. Without it, the database port reads the member together with what belongs to it. */
  read?(stores: FileStores): Promise<Configuration[keyof Copied]>
  /** The stores of its operations over the working copy. */
  stores(context: PlanContext): Partial<FileStores>
}

export type Section = {
  /** The section's key in the file. */
  name: string
  copy?: Copy
  plan(given: Json, context: PlanContext): void | Promise<void>
  /** The section of the exported file; undefined omits it. */
  export(stored: Configuration, users: readonly StoredUser[], vault: Vault): Json | undefined
}

export type Item = { value: JsonObject; path: string; index: number }

/**
 * The entries of a list section, each with a path that names it. An entry that is no map, or a section that is no list, is a
 * problem.
 */
export function itemsOf(given: Json, section: string, nameField: string, context: PlanContext): Item[] {
  if (!Array.isArray(given)) {
    context.problems.push({ path: section, reason: 'must be a list' })
    return []
  }
  return given.flatMap((value, index) => {
    if (isJsonObject(value)) return [{ value, index, path: `${section}[${labelOf(value[nameField], index)}]` }]
    context.problems.push({ path: `${section}[${index}]`, reason: 'must be a map of fields' })
    return []
  })
}

const labelOf = (name: Json | undefined, index: number): string =>
  typeof name === 'string' && name !== '' && unsetVariable(name) === undefined ? JSON.stringify(name) : String(index)

/**
 * The part of `value` that the schema defines, and its validated form; null if a known field is invalid. Unknown fields and the
 * vendor's other values are reported, invalid ones become problems.
 */
export function readFields<T>(
  schema: z.ZodType<T>,
  value: JsonObject,
  path: string,
  context: PlanContext,
  elsewhere: Elsewhere = {},
): { known: JsonObject; parsed: T } | null {
  const { known, unknown } = split(schema, value, path)
  context.notApplied.push(...unknown)
  const unset = unsetProblems(known, path)
  context.problems.push(...unset)
  return unset.length > 0 ? null : validated(schema, known, path, context, elsewhere)
}

function validated<T>(
  schema: z.ZodType<T>,
  known: JsonObject,
  path: string,
  context: PlanContext,
  elsewhere: Elsewhere,
): { known: JsonObject; parsed: T } | null {
  const result = schema.safeParse(known)
  if (result.success) return { known, parsed: result.data }
  const foreign = setAside(known, result.error.issues, path, elsewhere)
  if (foreign) {
    context.notApplied.push(...foreign.reports)
    return validated(schema, foreign.rest, path, context, elsewhere)
  }
  context.problems.push(...problemsOf(result.error, path))
  return null
}

export const problemsOf = ({ issues }: z.ZodError, path: string): Problem[] =>
  issues.map(({ path: inner, message }) => ({ path: memberPath(path, inner), reason: reasonOf(message) }))

const reasonOf = (message: string): string =>
  message.endsWith('received undefined') ? 'is missing' : message.charAt(0).toLowerCase() + message.slice(1)

/** A text that is there: neither the mark of an unset variable nor a path, which its schema refuses. */
export const isWritten = (value: unknown): value is string =>
  typeof value === 'string' && unsetVariable(value) === undefined && !isFilePath(value)

/** Whether the value needs a variable that is not set; it is a problem then. */
export function reportUnset(value: Json | undefined, path: string, { problems }: PlanContext): boolean {
  const unset = unsetProblems(value, path)
  problems.push(...unset)
  return unset.length > 0
}

/** Of what would be stored, in case a section looked at a value before its schema did. */
export const unsetInChanges = ({ changes }: PlanContext): Problem[] =>
  changes.flatMap(({ section, name, writes }) =>
    writes.flatMap(({ row }) => unsetProblems(row, `${section}[${JSON.stringify(name)}]`)),
  )

function unsetProblems(value: unknown, path: string): Problem[] {
  if (typeof value === 'string') {
    const name = unsetVariable(value)
    return name === undefined ? [] : [{ path, reason: `needs the environment variable ${name}, which is not set` }]
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Array.isArray(value)
    ? value.flatMap((item, index) => unsetProblems(item, `${path}[${index}]`))
    : Object.entries(value).flatMap(([name, field]) => unsetProblems(field, `${path}.${name}`))
}
