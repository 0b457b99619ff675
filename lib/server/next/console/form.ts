// Forms derive from the schema of their operation: what kind of control a member has, and how its text becomes a value again. The schema
// judges the value afterwards, so what a form claims about a member cannot widen anything.
import * as z from 'zod'
import { APP_TYPES } from '../../../data/clients/client'
import { isJsonObject, type Json, type JsonObject, keysOf, valueAt } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { operationNamed } from '../../../management/console-call'
import { isSecretName } from '../../../management/operations/mask'
import { describeMember, describeOptions } from '../../../text/console-members'

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
  operation: string,
  names: readonly string[],
  value?: unknown,
  schema: z.ZodType | undefined = describedBody(operation),
): Field[] {
  const resource = operation.split('.')[0] ?? ''
  return names.map((name) => {
    const member = memberOf(schema, name)
    const { kind, options } = member ? kindOf(member, name) : { kind: 'text' as const, options: [] }
    const meta = member?.meta()
    const described = describeMember(resource, name)
    return {
      name,
      kind,
      options: describeOptions(name, offered(name, options, valueAt(value, keysOf(name)))),
      label: meta?.title ?? described.label,
      help: meta?.description ?? described.help,
      value: shownAs(kind, valueAt(value, keysOf(name))),
      // A stored secret is not shown, and an empty control keeps it.
      required: member !== undefined && !(kind === 'secret' && value !== undefined) && isNeeded(member),
    }
  })
}

/** Values that are for the vendor's tools are offered where an object has them. */
const OFFERED: Readonly<Record<string, readonly string[]>> = { app_type: APP_TYPES }

const offered = (name: string, options: readonly string[], present: unknown): readonly string[] =>
  options.filter((option) => option === present || (OFFERED[name]?.includes(option) ?? true))

function describedBody(operation: string): z.ZodType | undefined {
  const { body, describedBody = body } = operationNamed(operation)
  return describedBody
}

const isNeeded = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success && !schema.safeParse(null).success

/** The members of an object within a body, as paths; what can have one value only is no question. */
export function membersWithin(path: string, body: z.ZodType): string[] {
  const found = memberOf(body, path)
  const whole = found && unwrapped(found)
  if (!(whole instanceof z.ZodObject)) return []
  return Object.entries(whole.shape)
    .filter(([, schema]) => !(unwrapped(schema as z.ZodType) instanceof z.ZodLiteral))
    .map(([name]) => `${path}.${name}`)
}

function memberOf(schema: z.ZodType | undefined, path: string): z.ZodType | undefined {
  let found = schema
  for (const name of path.split('.')) {
    const whole = found && unwrapped(found)
    found =
      whole instanceof z.ZodObject && Object.hasOwn(whole.shape, name) ? (whole.shape[name] as z.ZodType) : undefined
  }
  return found
}

/** Of a provider of messages: the name says that it is a secret, which it is not. */
const ACCOUNT_ID = 'configuration.sid'

function kindOf(schema: z.ZodType, name: string): { kind: FieldKind; options: readonly string[] } {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodBoolean) return { kind: 'switch', options: [] }
  if (inner instanceof z.ZodNumber) return { kind: 'number', options: [] }
  // A control has an empty choice of its own.
  if (inner instanceof z.ZodEnum)
    return { kind: 'choice', options: inner.options.map(String).filter((option) => option !== '') }
  if (inner instanceof z.ZodArray) {
    const item = unwrapped(inner.element as z.ZodType)
    if (item instanceof z.ZodEnum) return { kind: 'choices', options: item.options.map(String) }
    return { kind: item instanceof z.ZodObject ? 'json' : 'lines', options: [] }
  }
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord || inner instanceof z.ZodUnion)
    return { kind: 'json', options: [] }
  if (name !== ACCOUNT_ID && isSecretName(name.split('.').at(-1) ?? '')) return { kind: 'secret', options: [] }
  return { kind: name.endsWith('description') ? 'long' : 'text', options: [] }
}

function shownAs(kind: FieldKind, value: unknown): string | readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
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
