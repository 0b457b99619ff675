// The texts of a form's controls, and the values that they stand for. The name of a control says how its text is read: `number:leeway`.
// The browser reads them too, to know what a person changed; so nothing here needs a schema.
// - A member of an object has a path: `duration:refresh_token.leeway`.
// - `rows:scopes` announces a list of objects, whose cells are `text:scopes.#0.value`; `list:locales` a list of texts, `text:locales.#0`;
//   `pairs:metadata` an object with names of the person's choice, `text:metadata.#0.#name` and `text:metadata.#0.#value`.
// - `json:scopes.#0.#rest` has the members of a row that no cell shows, so that a change of the others keeps them.
// - In a form of several operations a path begins with the operation's name: `switch:captcha.update/enabled`.
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../../kernel/json'

export type FieldKind =
  | 'text'
  | 'long'
  | 'secret'
  | 'number'
  | 'duration'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'objects'
  | 'lines'
  | 'list'
  | 'rows'
  | 'pairs'
  | 'json'

/** The texts of each control, by its name. */
export type Texts = Readonly<Record<string, readonly string[]>>

const SEGMENT = '(?:[\\w-]+|#\\d{1,4}|#name|#value|#off|#rest)'
const CONTROL = new RegExp(
  `^(text|long|secret|number|duration|switch|choice|choices|objects|lines|list|rows|pairs|json):((?:[\\w.]+/)?${SEGMENT}(?:\\.${SEGMENT})*)$`,
)
/** Among the values of `choices`: without another, the member has no value. */
export const UNSET = '#none'

const COMPOSITES: ReadonlySet<string> = new Set(['rows', 'list', 'pairs'])
const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

/** The text of one control; empty without it, and for a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** An argument of a server action, which may be called with anything: what is no form is an empty one. */
export const formIn = (argument: unknown): FormData => (argument instanceof FormData ? argument : new FormData())

/** Every text of the controls of members. */
export function textsOf(form: Iterable<[string, unknown]>): Record<string, string[]> {
  const texts: Record<string, string[]> = {}
  for (const [name, value] of form)
    if (CONTROL.test(name) && typeof value === 'string') texts[name] = [...(texts[name] ?? []), value]
  return texts
}

/** What a person put into the controls, without secrets: a form that is refused shows it again. */
export function sentValues(form: FormData): Record<string, string[]> {
  const typed = form.getAll('_typed').filter((value) => typeof value === 'string')
  const texts = Object.entries(textsOf(form.entries())).filter(([name]) => !name.startsWith('secret:'))
  return { ...Object.fromEntries(texts), ...(typed.length > 0 && { _typed: typed }) }
}

/** The path of a member in a form of several operations. */
export const pathIn = (part: string, path: string): string => `${part}/${path}`

/** The operation that a path begins with; empty in a form of one. */
export const partOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')))

/** The texts of one operation, with the names that they have in a form of it alone. */
export const textsOfPart = (texts: Texts, part: string): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, values]) => {
      const [kind = '', path = ''] = key.split(':')
      return partOf(path) === part ? [[`${kind}:${path.slice(part.length + 1)}`, [...values]]] : []
    }),
  )

/** Texts that came as JSON. */
export function textsFrom(json: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(objectIn(parsedOr(json, null))))
    texts[name] = [value].flat().filter((each) => typeof each === 'string')
  return texts
}

function parsedOr(json: string, otherwise: Json): Json {
  try {
    return JSON.parse(json) as Json
  } catch {
    return otherwise
  }
}

/** A text that is no JSON: the member's path, and where the text breaks off. */
export class UnreadableField extends Error {
  constructor(
    readonly field: string,
    readonly place: { line: string; column: string } | null = null,
  ) {
    super(field)
  }
}

/**
 * The body that a form states. Of a form with texts to start with, those members alone that differ, an empty one as null, and so is a name
 * that was taken out of an object with free names. Of a form for something new, those that are filled in.
 * @param unit what is sent as a whole: an object, or a control alone where the operation merges objects (whole-objects.ts).
 */
export function readForm(form: Iterable<[string, unknown]>, was: Texts | null, unit: Unit = rootOf): JsonObject {
  const now = textsOf(form)
  if (was === null) return bodyFrom(now, () => true, {})
  const changed = new Set(changedMembers(now, was, unit))
  return bodyFrom(now, (path) => changed.has(unit(path)), { other: was })
}

type Unit = (path: string) => string

/** The first names of the members whose values differ; the paths of their controls where these are the unit. */
export function changedMembers(now: Texts, was: Texts, unit: Unit = rootOf): string[] {
  const before = new Map(controlsIn(was).map((control) => [control.key, control]))
  const changed = controlsIn(now).filter((control) => {
    const earlier = before.get(control.key)
    return earlier === undefined ? isFilled(control, now) : differs(control, now, earlier, was)
  })
  return [...new Set(changed.map(({ path }) => unit(path)))]
}

/** What the changed members of a form were before, as a body; null where that is not known of one, because it is a secret. */
export function bodyBefore(now: Texts, was: Texts, unit: Unit = rootOf): JsonObject | null {
  const changed = new Set(changedMembers(now, was, unit))
  const isChanged = (path: string): boolean => changed.has(unit(path))
  const hasSecret = controlsIn(now).some(
    ({ kind, path, key }) => kind === 'secret' && isChanged(path) && (now[key] ?? []).some((text) => text !== ''),
  )
  return hasSecret ? null : bodyFrom(was, isChanged, { other: now })
}

/** `refresh_token.leeway` → `refresh_token`; `captcha.update/hcaptcha.secret` → `captcha.update/hcaptcha`. */
export const rootOf = (path: string): string => /^(?:[^/]*\/)?[^.]*/.exec(path)?.[0] ?? ''

type Control = { key: string; kind: FieldKind; path: string }

/** The controls, without the cells of lists, which belong to their list. */
function controlsIn(texts: Texts): Control[] {
  return Object.keys(texts).flatMap((key) => {
    const [, kind = '', path = ''] = CONTROL.exec(key) ?? []
    return kind === '' || isCell(path) || path.endsWith('#rest') ? [] : [{ key, kind: kind as FieldKind, path }]
  })
}

const isCell = (path: string): boolean => path.split('.').some((segment) => /^#(?:\d|name|value|off)/.test(segment))

function isFilled(control: Control, texts: Texts): boolean {
  const value = valueOr(control, texts)
  return !(value === null || value === false || (Array.isArray(value) && value.length === 0))
}

function differs(control: Control, now: Texts, earlier: Control, was: Texts): boolean {
  return JSON.stringify(valueOr(control, now)) !== JSON.stringify(valueOr(earlier, was))
}

/** What cannot be read differs from everything but the same text. */
function valueOr(control: Control, texts: Texts): Json {
  try {
    return valueIn(control, texts)
  } catch {
    return (texts[control.key] ?? []).join('\n')
  }
}

/** `other`: the texts before or after; without them the form is for something new. */
function bodyFrom(texts: Texts, includes: (path: string) => boolean, { other }: { other?: Texts }): JsonObject {
  const body: JsonObject = {}
  for (const control of controlsIn(texts)) {
    const { kind, path } = control
    if (!includes(path)) continue
    const value = valueIn(control, texts)
    if (value === null && kind === 'secret') continue
    if (other === undefined) {
      if (!isEmpty(value)) place(body, path.split('.'), value)
      continue
    }
    const otherValue = valueOr(control, other)
    // A member of an object that is empty before and after is left out of it.
    if (value === null && path.includes('.') && otherValue === null) continue
    const hasFreeNames = isJsonObject(value) && isJsonObject(otherValue)
    place(body, path.split('.'), hasFreeNames ? { ...withoutValues(otherValue, value), ...value } : value)
  }
  return body
}

/** The names of an object that another has not, as null. */
const withoutValues = (object: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(object).flatMap((name) => (Object.hasOwn(other, name) ? [] : [[name, null]])))

export const isEmpty = (value: Json): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0)

function valueIn({ key, kind, path }: Control, texts: Texts): Json {
  if (COMPOSITES.has(kind)) return compositeOf(kind, path, texts)
  return readValue(kind, texts[key] ?? [], path)
}

/** The value of a list or of an object with free names. Rows without a text are left out. */
export function compositeOf(kind: FieldKind, path: string, texts: Texts): Json {
  const rows = rowsOf(path, texts)
  if (kind === 'list') return rows.map((row) => row['']).filter((value) => value !== undefined && value !== null)
  if (kind === 'rows') return rows
  const isOfTexts = Object.keys(texts).some(
    (key) => /^(?:text|lines):/.test(key) && key.includes(`:${path}.#`) && key.endsWith('.#value'),
  )
  const pairs = rows.flatMap(({ '#name': name, '#value': value, '#off': isOff, ...members }): [string, Json][] =>
    typeof name !== 'string' || REFUSED.has(name)
      ? []
      : [[name, isOff === true ? false : isOfTexts ? oneOrSeveral(value ?? '') : members]],
  )
  return Object.fromEntries(pairs)
}

/** A line alone is a text. */
const oneOrSeveral = (value: Json): Json => (Array.isArray(value) && value.length === 1 ? (value[0] ?? '') : value)

function rowsOf(path: string, texts: Texts): JsonObject[] {
  const rows = new Map<number, JsonObject>()
  for (const [key, given] of Object.entries(texts)) {
    const [, kind = '', whole = ''] = CONTROL.exec(key) ?? []
    const [, index, within = ''] = new RegExp(`^${escaped(path)}\\.#(\\d+)(?:\\.(.+))?$`).exec(whole) ?? []
    if (index === undefined || (within !== '#rest' && /#\d/.test(within))) continue
    const row = rows.get(Number(index)) ?? {}
    rows.set(Number(index), row)
    const value = readValue(kind as FieldKind, given, whole)
    if (within === '#rest') row['#rest'] = value
    else if (!isEmpty(value) && value !== '') place(row, within === '' ? [''] : within.split('.'), value)
  }
  return [...rows].sort(([one], [other]) => one - other).flatMap(([, row]) => wholeRow(row))
}

function wholeRow({ '#rest': rest, ...row }: JsonObject): JsonObject[] {
  const hasText = Object.values(row).some((value) => value !== false)
  const own = Object.entries(objectIn(rest)).filter(([name]) => !REFUSED.has(name))
  return hasText ? [{ ...Object.fromEntries(own), ...row }] : []
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isText = (text: string): boolean => text.trim() !== ''

function readValue(kind: FieldKind, values: readonly string[], name: string): Json {
  const last = values.at(-1)?.replace(/\r\n/g, '\n') ?? ''
  if (kind === 'switch') return last === 'true'
  if (kind === 'choices') {
    const chosen = values.filter((each) => each !== '' && each !== UNSET)
    return chosen.length === 0 && values.includes(UNSET) ? null : chosen
  }
  if (kind === 'objects') return values.filter((each) => each !== '').map((each) => parsed(each, name))
  if (kind === 'lines')
    return last
      .split('\n')
      .map((each) => each.trim())
      .filter(isText)
  if (kind === 'duration') return durationOf(values)
  if (!isText(last)) return null
  if (kind === 'number') return Number(last)
  if (kind !== 'json') return last.trim()
  return parsed(last, name)
}

/** An amount, and how many units of the member one of it is. */
function durationOf([amount = '', factor = '1']: readonly string[]): Json {
  return isText(amount) ? Number((Number(amount) * Number(factor)).toPrecision(12)) : null
}

function parsed(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UnreadableField(name, placeIn(text, String(error)))
  }
}

/** Where the engine says that a text is no JSON: `position 12 (line 2 column 3)`. */
function placeIn(text: string, message: string): UnreadableField['place'] {
  const [, position] = /position (\d+)/.exec(message) ?? []
  const end = position === undefined ? text.length : Number(position)
  const lines = text.slice(0, end).split('\n')
  return { line: String(lines.length), column: String((lines.at(-1) ?? '').length + 1) }
}

function place(body: JsonObject, [name = '', ...rest]: string[], value: Json): void {
  if (REFUSED.has(name)) return
  if (rest.length === 0) body[name] = value
  else {
    const inner = isJsonObject(body[name] as Json) ? (body[name] as JsonObject) : {}
    body[name] = inner
    place(inner, rest, value)
  }
}
