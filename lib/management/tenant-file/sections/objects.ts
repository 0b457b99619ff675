// Sections whose entries are objects of the Management API. The definition of the resource makes the row of an entry, so both
// accept the same; this file only compares and reports.
// - Secrets are compared in clear, but neither shown nor exported. An absent secret keeps the stored one; a new object without one
//   that it requires is reported and left out.
import type * as z from 'zod'
import { DomainError } from '../../../kernel/errors'
import { isJsonObject, keysOf, valueAt } from '../../../kernel/json'
import { split } from '../../../kernel/schema'
import type { Vault } from '../../../kernel/secret'
import { type Copy, itemsOf, type PlanContext, readFields, type Section } from '../context'
import { type Elsewhere, setAside } from '../elsewhere'
import { differences, same, sorted } from '../fields'
import type { Configuration, JsonObject } from '../model'

/** By member; undefined for a kind that does not exist here. */
type Parts = Readonly<Record<string, z.ZodType | undefined>>

export type ObjectKind<Row> = {
  section: string
  /** Of the section that brings its objects. */
  copy?: Copy
  /** The members of an entry; others are reported. */
  fields: z.ZodType
  elsewhere?: Elsewhere
  /** The members of a part that depends on the kind of the entry, such as the settings of a sink. */
  parts?(entry: JsonObject, before: Row | undefined): Parts
  /** Of the vendor alone: reported and left out. */
  isForeign?(given: JsonObject): boolean
  /** The path of the member that protects and cannot be applied, by which the entry is left out. */
  unprotected?(given: JsonObject): string | undefined
  all(stored: Configuration): readonly Row[]
  /** Whether a row is the object of an entry. */
  isNamed(entry: JsonObject, context: PlanContext): (row: Row) => boolean
  /**
   * Makes or changes the object, or reports why it does not. Throws a DomainError where the entry is invalid. What changes nothing that is
   * shown is taken back.
   */
  operate(entry: JsonObject, before: Row | undefined, path: string, context: PlanContext): unknown
  name(row: Row): string
  /** For the diff and the export: without secrets. */
  shown(row: Row, stored: Configuration, vault: Vault): JsonObject
  /** Where the export says more, or in another order. */
  exported?(row: Row, stored: Configuration): JsonObject
  secrets?(row: Row, vault: Vault): JsonObject
  /** Whether its secret is made by this plan. */
  isMade?(row: Row, context: PlanContext): boolean
}

/** A list of objects that are known by a member. @param most of a tenant */
export const objectsSection = <Row>(
  kind: ObjectKind<Row>,
  nameField: string,
  most = Number.POSITIVE_INFINITY,
): Section => ({
  name: kind.section,
  ...(kind.copy && { copy: kind.copy }),
  async plan(given, context) {
    const items = itemsOf(given, kind.section, nameField, context)
    if (items.length > most)
      context.problems.push({
        path: kind.section,
        reason: `has more than ${most} ${kind.section}, the most of a tenant`,
      })
    for (const { value, path } of items) await planObject(kind, value, path, context)
  },
  export(stored, _users, vault) {
    const rows = kind.all(stored)
    if (rows.length === 0) return undefined
    return rows.map((row) => kind.exported?.(row, stored) ?? sorted(kind.shown(row, stored, vault)))
  },
})

export async function planObject<Row>(
  kind: ObjectKind<Row>,
  value: JsonObject,
  path: string,
  context: PlanContext,
): Promise<void> {
  if (kind.isForeign?.(value)) {
    context.notApplied.push(path)
    return
  }
  const unprotected = kind.unprotected?.(value)
  if (unprotected !== undefined) {
    context.notApplied.push(`${path}.${unprotected}: ${JSON.stringify(valueAt(value, keysOf(unprotected)))}`)
    return
  }
  const read = readFields(kind.fields, value, path, context, kind.elsewhere)
  if (!read) return
  const before = kind.all(context.stored).find(kind.isNamed(read.known, context))
  const entry = withKnownParts(read.known, kind.parts?.(read.known, before) ?? {}, path, context, kind.elsewhere)
  await change(kind, entry, before, path, context)
}

/** The rest of what is wrong with a part is for the operation to say. */
function withKnownParts(
  entry: JsonObject,
  parts: Parts,
  path: string,
  { notApplied }: PlanContext,
  elsewhere: Elsewhere = {},
): JsonObject {
  let known = entry
  for (const [name, schema] of Object.entries(parts)) {
    const part = entry[name]
    if (!schema || !isJsonObject(part)) continue
    const read = split(schema, part, `${path}.${name}`)
    known = { ...known, [name]: read.known }
    const issues = schema
      .safeParse(read.known)
      .error?.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }))
    const foreign = setAside(known, issues ?? [], path, elsewhere)
    known = foreign?.rest ?? known
    notApplied.push(...read.unknown, ...(foreign?.reports ?? []))
  }
  return known
}

async function change<Row>(
  kind: ObjectKind<Row>,
  entry: JsonObject,
  before: Row | undefined,
  path: string,
  context: PlanContext,
): Promise<void> {
  const { vault, stored } = context
  const saved = { ...stored }
  const algorithms = context.algorithms.length
  const old = before && { shown: kind.shown(before, stored, vault), secrets: kind.secrets?.(before, vault) ?? {} }
  try {
    await kind.operate(entry, before, path, context)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    context.problems.push({ path, reason: reasonOf(error) })
  }
  const row = kind.all(stored).find(kind.isNamed(entry, context))
  const details = row && detailsOf(kind, old, row, context)
  const [writes, records] = [context.writes.splice(0), context.records.splice(0)]
  if (!row || (old && details?.length === 0)) {
    Object.assign(stored, saved)
    context.algorithms.length = algorithms
  } else
    context.changes.push({
      section: kind.section,
      action: old ? 'update' : 'create',
      name: kind.name(row),
      details: details ?? [],
      writes,
      records,
    })
}

function detailsOf<Row>(
  kind: ObjectKind<Row>,
  old: { shown: JsonObject; secrets: JsonObject } = { shown: {}, secrets: {} },
  row: Row,
  context: PlanContext,
): string[] {
  const { stored, vault } = context
  const secrets = kind.secrets?.(row, vault) ?? {}
  return [
    ...differences(old.shown, kind.shown(row, stored, vault)),
    ...Object.keys(secrets).flatMap((name) =>
      same(old.secrets[name], secrets[name]) ? [] : [`${name}: ${kind.isMade?.(row, context) ? 'made' : 'set'}`],
    ),
  ]
}

/** The problem of the API as a file reports it. */
export function reasonOf({ problem, description }: DomainError): string {
  const { path = null, message = description, isMissing, within } = problem ?? {}
  const sentence = isMissing
    ? `missing required property: ${path}`
    : path === null
      ? message
      : `${message} on property ${path}`
  return sentence.charAt(0).toLowerCase() + sentence.slice(1) + (within === undefined ? '' : ` in ${within}`)
}

/** The members that are required and absent. */
export const absentIn = (schema: z.ZodType, value: unknown): string[] =>
  schema
    .safeParse(value, { reportInput: true })
    .error?.issues.flatMap(({ path, input }) => (input === undefined ? [path.map(String).join('.')] : [])) ?? []
