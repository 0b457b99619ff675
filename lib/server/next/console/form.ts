// Forms derive from the schema of their operation: what kind of control a member has, and how its text becomes a value again. The schema
// judges the value afterwards, so what a form claims about a member cannot widen anything.
import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject, keysOf, valueAt } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { groupsIn, labelOf, memberAt, metaOf, type SchemaMeta } from '../../../kernel/schema-meta'
import type { Reference } from '../../../management/console-call'
import { say, sayGroup } from '../../../text/console'

export type FieldKind =
  | 'text'
  | 'long'
  | 'secret'
  | 'number'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'objects'
  | 'lines'
  | 'json'

export type Field = {
  /** The path of the member: `jwt_configuration.lifetime_in_seconds`. */
  name: string
  kind: FieldKind
  label: string
  help: string | undefined
  options: readonly { value: string; label: string }[]
  /** As the control shows it; several for `choices`, and for `objects`, whose options are values in JSON. */
  value: string | readonly string[]
  required: boolean
}

/** The fields of these members of the operation's body, with the values of an object. */
export function fieldsOf(
  operation: Reference,
  names: readonly string[],
  value?: unknown,
  schema: z.ZodType | undefined = bodyOf(operation),
): Field[] {
  return names.map((name) => {
    const member = memberAt(schema, name)
    const meta = member ? metaOf(member) : {}
    const present = valueAt(value, keysOf(name))
    const { kind, values } = member ? controlOf(member, meta) : { kind: 'text' as const, values: [] }
    const options = offered(kind, values, meta, present)
    return {
      name,
      kind,
      options,
      label: meta.title ?? name,
      help: helpOf(meta),
      value: shownAs(kind, present, options),
      // A stored secret is not shown, and an empty control keeps it.
      required: member !== undefined && !(kind === 'secret' && value !== undefined) && isNeeded(member),
    }
  })
}

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

const helpOf = ({ unit, help }: SchemaMeta): string | undefined =>
  [unit && say(`form.unit.${unit}`), help].filter((text) => text !== undefined).join(' ') || undefined

/** What a control offers. Values without a label, beside others that have one, are for the vendor's tools: a choice shows them where they are set. */
function offered(
  kind: FieldKind,
  values: readonly string[],
  { options: labels }: SchemaMeta,
  present: unknown,
): Field['options'] {
  const isOffered = (value: string): boolean =>
    labels === undefined || Object.hasOwn(labels, value) || (kind === 'choice' && value === present)
  return values.filter(isOffered).map((value) => ({ value, label: labels?.[value] ?? value }))
}

const isNeeded = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success && !schema.safeParse(null).success

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

function controlOf(schema: z.ZodType, { secret, multiline }: SchemaMeta): { kind: FieldKind; values: string[] } {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodBoolean) return { kind: 'switch', values: [] }
  if (inner instanceof z.ZodNumber) return { kind: 'number', values: [] }
  // A control has an empty choice of its own.
  if (inner instanceof z.ZodEnum)
    return { kind: 'choice', values: inner.options.map(String).filter((option) => option !== '') }
  if (inner instanceof z.ZodArray) {
    const item = unwrapped(inner.element as z.ZodType)
    if (item instanceof z.ZodEnum) return { kind: 'choices', values: item.options.map(String) }
    return { kind: item instanceof z.ZodObject ? 'json' : 'lines', values: [] }
  }
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord || inner instanceof z.ZodUnion)
    return { kind: 'json', values: [] }
  return { kind: secret ? 'secret' : multiline ? 'long' : 'text', values: [] }
}

function shownAs(kind: FieldKind, value: unknown, options: Field['options']): string | readonly string[] {
  if (kind === 'choices')
    return options.map((option) => option.value).filter((each) => Array.isArray(value) && value.includes(each))
  if (value === undefined || value === null || kind === 'secret') return ''
  if (kind === 'lines') return Array.isArray(value) ? value.map(String).join('\n') : String(value)
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return String(value)
}

/** A value that is no JSON: the member's name. */
export class UnreadableField extends Error {
  constructor(readonly field: string) {
    super(field)
  }
}

const FIELD = /^(text|long|secret|number|switch|choice|choices|objects|lines|json):([\w-]+(?:\.[\w-]+)*)$/

/** The text of one control; empty without it, and for a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** An argument of a server action, which may be called with anything: what is no form is an empty one. */
export const formIn = (argument: unknown): FormData => (argument instanceof FormData ? argument : new FormData())

/** What a person put into the controls, without secrets: a form that is refused shows it again. */
export function sentValues(form: FormData): Record<string, string[]> {
  const names = [...new Set(form.keys())].filter((name) => FIELD.test(name) && !name.startsWith('secret:'))
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).filter((value) => typeof value === 'string')]))
}

/** What the controls showed, so that a form changes only what a person changed. */
export const shownValues = (fields: readonly Field[]): string =>
  JSON.stringify(Object.fromEntries(fields.map(({ kind, name, value }) => [`${kind}:${name}`, value])))

/**
 * The body that a form states. Of a form with values to start with, those alone that differ, an empty one as null; an object is one
 * value. Of a form for something new, those that are filled in.
 */
export function readForm(form: Iterable<[string, unknown]>, was: JsonObject | null): JsonObject {
  const sent = new Map<string, string[]>()
  for (const [name, value] of form)
    if (FIELD.test(name) && typeof value === 'string') sent.set(name, [...(sent.get(name) ?? []), value])
  const omitsEmpty = was === null
  const changed = new Set([...sent].filter(([key, values]) => differs(key, values, was)).map(([key]) => rootOf(key)))
  const body: JsonObject = {}
  for (const [key, values] of sent) {
    if (!changed.has(rootOf(key))) continue
    const [, kind = '', path = ''] = FIELD.exec(key) ?? []
    const value = readValue(kind as FieldKind, values, path)
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    if ((isEmpty && omitsEmpty) || (value === null && kind === 'secret')) continue
    place(body, path.split('.'), value)
  }
  return body
}

/** `number:refresh_token.leeway` → `refresh_token`. */
const rootOf = (key: string): string => key.replace(/^\w+:/, '').split('.')[0] ?? ''

function differs(key: string, values: readonly string[], was: JsonObject | null): boolean {
  if (was === null || !Object.hasOwn(was, key)) return true
  const before = was[key]
  if (Array.isArray(before)) return JSON.stringify(before) !== JSON.stringify(values.filter((each) => each !== ''))
  return values.at(-1)?.replace(/\r\n/g, '\n') !== (key.startsWith('switch:') && before === '' ? 'false' : before)
}

function readValue(kind: FieldKind, values: readonly string[], name: string): Json {
  const last = values.at(-1)?.replace(/\r\n/g, '\n') ?? ''
  if (kind === 'switch') return last === 'true'
  if (kind === 'choices') return values.filter((each) => each !== '')
  if (kind === 'objects') return values.filter((each) => each !== '').map((each) => parsed(each, name))
  if (kind === 'lines')
    return last
      .split('\n')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  if (last.trim() === '') return null
  if (kind === 'number') return Number(last)
  if (kind !== 'json') return last.trim()
  return parsed(last, name)
}

function parsed(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new UnreadableField(name)
  }
}

const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

function place(body: JsonObject, [name = '', ...rest]: string[], value: Json): void {
  if (REFUSED.has(name)) return
  if (rest.length === 0) body[name] = value
  else {
    const inner = isJsonObject(body[name] as Json) ? (body[name] as JsonObject) : {}
    body[name] = inner
    place(inner, rest, value)
  }
}
