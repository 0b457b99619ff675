// Forms derive from the schema of their operation: what kind of control a member has. How its text becomes a value again, form-values.ts
// says. The schema judges the value afterwards, so what a form claims about a member cannot widen anything.
import * as z from 'zod'
import { keysOf, objectIn, valueAt } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { groupsIn, labelOf, memberAt, metaOf, type SchemaMeta, standardOf } from '../../../kernel/schema-meta'
import type { Reference } from '../../../management/console-call'
import { say, sayGroup } from '../../../text/console'
import { type Field, readableOf, shownAs } from './field'
import { textNotes } from './text-notes'

/** The fields of these members of the operation's body, with the values of an object. */
export function fieldsOf(
  operation: Reference,
  names: readonly string[],
  value?: unknown,
  schema: z.ZodType | undefined = bodyOf(operation),
): Field[] {
  return names.map((name) => {
    const member = memberAt(schema, name)
    const isNew = value === undefined
    if (!member) return unknownField(name)
    const field = fieldOf(member, name, valueAt(value, keysOf(name)), isNew)
    return !isNew && isWithinUnset(schema, name, value) ? notRequired(field) : field
  })
}

/** An object that is absent, or may be made so, needs none of its members. */
function isWithinUnset(schema: z.ZodType | undefined, name: string, value: unknown): boolean {
  const keys = name.split('.')
  const objects = keys.slice(1).map((_, place) => keys.slice(0, place + 1).join('.'))
  return objects.some((path) => isUnset(memberAt(schema, path), valueAt(value, keysOf(path))))
}

const isUnset = (object: z.ZodType | undefined, present: unknown): boolean =>
  object !== undefined && ((!isNeeded(object) && (present === undefined || present === null)) || accepts(object, null))

const notRequired = (field: Field): Field => ({
  ...field,
  required: false,
  ...(field.kind === 'group' && { fields: (field.fields ?? []).map(notRequired) }),
})

const unknownField = (name: string): Field => ({
  ...{ name, kind: 'text', label: name, help: undefined, options: [], value: '', required: false },
})

/** The control of a member, with its present value. */
function fieldOf(member: z.ZodType, name: string, present: unknown, isNew: boolean, label = name): Field {
  const meta = metaOf(member)
  const { kind, values = [], ...more } = controlOf(member, meta, name, present, isNew)
  const options = offered(kind, values, meta, present)
  const field = { name, kind, options, label: meta.title ?? label, help: meta.help, ...more }
  const unset = unsetText(field, member)
  return {
    ...field,
    ...(unset !== undefined && { unset }),
    value: shownAs(field, kind === 'switch' && present === undefined ? standardOf(member) : present),
    // A stored secret is not shown, and an empty control keeps it.
    required: !(kind === 'secret' && !isNew) && isNeeded(member),
    ...(!isNew && kind === 'group' && isUnset(member, present) && { fields: (more.fields ?? []).map(notRequired) }),
    ...(kind === 'secret' && present !== undefined && present !== null && present !== '' && { isStored: true }),
    ...(kind === 'json' && { syntax: 'json' as const }),
    ...(kind === 'long' && meta.syntax && { syntax: meta.syntax }),
    ...(kind === 'secret' && meta.multiline && { isLong: true as const }),
    ...(kind === 'choices' && !accepts(member, []) && { isUnsetWhenEmpty: true as const }),
    ...(meta.rare && { isRare: true as const }),
    ...(meta.format && { format: meta.format, notes: textNotes(meta.format, present) }),
  }
}

/** What holds where the control is left empty. */
function unsetText(field: Omit<Field, 'value' | 'required'>, member: z.ZodType): string | undefined {
  if (!SAYS_UNSET.has(field.kind)) return undefined
  const { unset, options: labels = {} } = metaOf(member)
  if (unset !== undefined) return say('form.unset', { unset })
  const standard = standardOf(member)
  if (typeof standard !== 'string' && typeof standard !== 'number') return undefined
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  const value = readableOf({ ...field, options, value: shownAs(field, standard), required: false })
  return standard === '' ? undefined : say('form.default', { value })
}

const SAYS_UNSET: ReadonlySet<Field['kind']> = new Set(['choice', 'number', 'duration', 'text', 'long', 'lines'])

/** The body as the reference describes it. */
export function bodyOf(operation: Reference): z.ZodType | undefined {
  const { body, describedBody = body } = operation
  return describedBody
}

/** The label of a value of a member of the operation's body. */
export function valueLabel(operation: Reference, name: string, value: string): string {
  const member = memberAt(bodyOf(operation), name)
  return member ? labelOf(member, value) : value
}

/** What a control offers. Values without a label, beside others that have one, are for the vendor's tools: a choice shows them where they are set. */
function offered(
  kind: Field['kind'],
  values: readonly string[],
  { options: labels }: SchemaMeta,
  present: unknown,
): Field['options'] {
  const isOffered = (value: string): boolean =>
    labels === undefined || Object.hasOwn(labels, value) || (kind === 'choice' && value === present)
  return values.filter(isOffered).map((value) => ({ value, label: labels?.[value] ?? value }))
}

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success

const isNeeded = (schema: z.ZodType): boolean => !accepts(schema, undefined) && !accepts(schema, null)

/** The members of an object within a body, as paths in the order of a form; what can have one value only is no question. */
export function membersWithin(path: string, body: z.ZodType | undefined): string[] {
  const found = memberAt(body, path)
  const whole = found && unwrapped(found)
  if (!(whole instanceof z.ZodObject)) return []
  const placeOf = ([, schema]: [string, z.ZodType]): number => metaOf(schema).order ?? 0
  return Object.entries(whole.shape as Record<string, z.ZodType>)
    .filter(([, schema]) => !(unwrapped(schema) instanceof z.ZodLiteral))
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map(([name]) => `${path}.${name}`)
}

export type FormGroup = { group: string; title: string; lead: string | undefined; members: readonly string[] }

/** The panels of a page about an object: the groups that the body's schema gives its members, with the texts of a section. */
export const formGroups = (operation: Reference, section: string, schema = bodyOf(operation)): FormGroup[] =>
  schema ? groupsIn(schema).map((each) => ({ ...each, ...sayGroup(section, each.group) })) : []

type Control = Pick<Field, 'kind' | 'fields' | 'unit'> & { values?: string[] }

function controlOf(schema: z.ZodType, meta: SchemaMeta, name: string, present: unknown, isNew: boolean): Control {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodBoolean) return { kind: 'switch' }
  if (inner instanceof z.ZodNumber) return meta.unit ? { kind: 'duration', unit: meta.unit } : { kind: 'number' }
  // A control has an empty choice of its own.
  if (inner instanceof z.ZodEnum)
    return { kind: 'choice', values: inner.options.map(String).filter((option) => option !== '') }
  if (inner instanceof z.ZodArray) return listControl(unwrapped(inner.element as z.ZodType), meta, present)
  if (inner instanceof z.ZodObject) return groupControl(inner, name, present, isNew)
  if (inner instanceof z.ZodRecord) return recordControl(inner)
  if (inner instanceof z.ZodUnion) return { kind: unionKind(inner, present) }
  return { kind: meta.secret ? 'secret' : meta.multiline ? 'long' : 'text' }
}

function listControl(item: z.ZodType, { picker }: SchemaMeta, present: unknown): Control {
  if (item instanceof z.ZodEnum) return { kind: 'choices', values: item.options.map(String) }
  if (item instanceof z.ZodObject) {
    const cells = cellsFor(item, [present ?? []].flat())
    return cells === null ? { kind: 'json' } : { kind: 'rows', fields: cells }
  }
  if (picker === 'languages') return { kind: 'list', fields: [cell('')] }
  return { kind: 'lines' }
}

const cell = (name: string, label = ''): Field => ({ ...unknownField(name), label })

/** A text, or several as lines; what has another shape, or may have one and does, is JSON. */
function unionKind({ options }: z.ZodUnion, present: unknown): 'text' | 'lines' | 'json' {
  const shapes = (options as z.ZodType[]).map(unwrapped)
  if (!shapes.some((each) => each instanceof z.ZodString)) return 'json'
  if (present === undefined || present === null || typeof present === 'string') return 'text'
  const isOfTexts = shapes.some(
    (each) => each instanceof z.ZodArray && unwrapped(each.element as z.ZodType) instanceof z.ZodString,
  )
  return isOfTexts && Array.isArray(present) ? 'lines' : 'json'
}

/** The cells of a row; null of an object that no row of texts can show, or of which one of the present entries has more. */
function cellsFor(item: z.ZodObject, present: readonly unknown[] = []): Field[] | null {
  const members = Object.entries(item.shape as Record<string, z.ZodType>)
  const cells = members.map(([name, member]) => {
    const values = present.map((entry) => objectIn(entry)[name])
    return fieldOf(
      member,
      name,
      values.find((value) => typeof value === 'object'),
      true,
      labelFor(name),
    )
  })
  return members.length > 0 && cells.every(({ kind }) => CELLS.has(kind)) ? cells : null
}

const CELLS: ReadonlySet<Field['kind']> = new Set(['text', 'long', 'number', 'duration', 'switch', 'choice', 'lines'])

/** An object with members of its own: each has a control, and what the schema does not know stays (whole-objects.ts). */
function groupControl(schema: z.ZodObject, name: string, present: unknown, isNew: boolean): Control {
  const shape = schema.shape as Record<string, z.ZodType>
  if (Object.keys(shape).length === 0) return { kind: 'json' }
  const within = objectIn(present)
  const fields = Object.entries(shape).map(([member, each]) =>
    fieldOf(each, `${name}.${member}`, within[member], isNew, labelFor(member)),
  )
  return { kind: 'group', fields }
}

/** Names and values, where a value is a text or one of some shapes without lists. */
function recordControl(record: z.ZodRecord): Control {
  const names = unwrapped(record.keyType as z.ZodType)
  const nameCell: Field =
    names instanceof z.ZodEnum
      ? {
          ...cell('#name', say('form.pairs.name')),
          kind: 'choice',
          options: names.options.map(String).map((each) => ({ value: each, label: labelFor(each) })),
        }
      : cell('#name', say('form.pairs.name'))
  const value = unwrapped(record.valueType as z.ZodType)
  if (value instanceof z.ZodString)
    return { kind: 'pairs', fields: [nameCell, cell('#value', say('form.pairs.value'))] }
  const shapes = value instanceof z.ZodUnion ? (value.options as z.ZodType[]).map(unwrapped) : []
  if (shapes.some((each) => each instanceof z.ZodString) && shapes.some((each) => each instanceof z.ZodArray))
    return { kind: 'pairs', fields: [nameCell, { ...cell('#value', say('form.pairs.value')), kind: 'lines' }] }
  const objects = shapes.filter((each) => each instanceof z.ZodObject)
  if (objects.length > 1 && objects.length === shapes.length) {
    const cells = objects.map((each) => cellsFor(each))
    return cells.includes(null)
      ? { kind: 'json' }
      : { kind: 'pairs', fields: [nameCell, ...cells.flatMap((each) => each ?? [])] }
  }
  const whole = shapes.find((each) => each instanceof z.ZodObject)
  const canBeOff = shapes.some((each) => each instanceof z.ZodLiteral && each.value === false)
  const cells = whole && canBeOff && shapes.length === 2 ? cellsFor(whole) : null
  return cells === null
    ? { kind: 'json' }
    : { kind: 'pairs', fields: [nameCell, { ...cell('#off', say('form.off')), kind: 'switch' }, ...cells] }
}

/** `domain_aliases` → `Domain aliases`: of what has no title. */
const labelFor = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
