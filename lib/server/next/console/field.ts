// A member of an object as a form shows it, and what its controls have. The browser works with fields too, so nothing here needs a schema.
import { isJsonObject, type Json, objectIn, valueAt } from '../../../kernel/json'
import { say } from '../../../text/console'
import { compositeOf, type FieldKind, partOf, pathIn, type Texts, UNSET } from './form-values'

/** What a text has to be, which a control checks while a person types. */
export type TextFormat = 'address' | 'origin' | 'network' | 'e-mail' | 'host' | 'certificate' | 'metadata'

/** Objects that a control looks for by name while a person types (lib/server/next/console/pickers.ts). */
export type SearchedKind = 'users' | 'applications' | 'apis' | 'roles' | 'organizations' | 'connections'

/** The id of the control of a member: of a form whose id is the name of its operation, and of a form of several, links lead to it. */
export const controlId = (formId: string, name: string): string =>
  partOf(name) === '' ? `${formId}-${name}` : name.replace('/', '-')

/** What an editor colours and checks. */
export type Syntax = 'json' | 'javascript'

export type FieldOption = { value: string; label: string }

export type Field = {
  /** The path of the member: `jwt_configuration.lifetime_in_seconds`. */
  name: string
  /** A group has members with controls of their own. */
  kind: FieldKind | 'group'
  label: string
  help: string | undefined
  options: readonly FieldOption[]
  /**
   * As the control shows it; several for `choices`, and for `objects`, whose options are values in JSON; the amount and the unit of a
   * duration; JSON for lists and objects.
   */
  value: string | readonly string[]
  required: boolean
  /** What holds where it is not set. */
  unset?: string
  /** The cells of a row, or the members of a group. */
  fields?: readonly Field[]
  format?: TextFormat
  search?: SearchedKind
  /** The unit in which a duration is stored. */
  unit?: 'seconds' | 'hours'
  /** Of a secret: whether one is stored; absent where that is not known. */
  isStored?: boolean
  /** Of a secret: a text of several lines. */
  isLong?: true
  /** Of a text of several lines: the language that it is written in. */
  syntax?: Syntax
  /** Of `choices`: none of them is no value at all. */
  isUnsetWhenEmpty?: true
  /** A form of panels folds it away. */
  isRare?: true
  /** What the present text says: the subject of a certificate, the addresses in metadata. */
  notes?: readonly string[]
}

/** How many of the stored units a unit has. */
export const UNITS = {
  seconds: [
    ['86400', 'form.unit.days'],
    ['3600', 'form.unit.hours'],
    ['60', 'form.unit.minutes'],
    ['1', 'form.unit.seconds'],
  ],
  hours: [
    ['24', 'form.unit.days'],
    ['1', 'form.unit.hours'],
  ],
} as const

/** A value as the control shows it. */
export function shownAs(
  { kind, options, unit }: Pick<Field, 'kind' | 'options' | 'unit'>,
  value: unknown,
): Field['value'] {
  if (kind === 'choices')
    return options.map((option) => option.value).filter((each) => Array.isArray(value) && value.includes(each))
  if (kind === 'objects') return Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : []
  if (kind === 'duration') return amountOf(value, unit ?? 'seconds')
  if (kind === 'secret') return ''
  if (value === undefined || value === null) return ''
  if (kind === 'lines') return Array.isArray(value) ? value.map(String).join('\n') : String(value)
  if (kind === 'json' || kind === 'rows' || kind === 'list' || kind === 'pairs') return JSON.stringify(value, null, 2)
  return String(value)
}

/** In the largest unit that needs no fraction. */
function amountOf(value: unknown, unit: 'seconds' | 'hours'): string[] {
  const units = UNITS[unit]
  if (typeof value !== 'number') return ['', units.at(-1)?.[0] ?? '1']
  const [factor = '1'] = units.find(([each]) => value !== 0 && value % Number(each) === 0) ?? units.at(-1) ?? []
  return [String(value / Number(factor)), factor]
}

export type Row = readonly Field[]

/** The rows of a list or of an object with free names, each with its cells. Names of cells are the rest of their path. */
export function rowsIn(field: Field): Row[] {
  const value = valueFrom(field)
  if (field.kind === 'pairs')
    return Object.entries(objectIn(value)).map(([name, each]) => cellsOf(field, pairCells(name, each)))
  return Array.isArray(value) ? value.map((each) => cellsOf(field, field.kind === 'list' ? { '': each } : each)) : []
}

const pairCells = (name: string, value: Json): Json =>
  isJsonObject(value) ? { '#name': name, ...value } : { '#name': name, '#value': value, '#off': value === false }

/** Cells with the values of one entry, and what they do not show of it. */
export function cellsOf({ fields = [], kind }: Field, entry: Json = {}): Row {
  const cells = fields.map((cell) => withValue(cell, valueAt(entry, cell.name === '' ? [''] : cell.name.split('.'))))
  const shown = new Set(fields.map(({ name }) => name.split('.')[0]))
  const rest = Object.entries(objectIn(entry)).filter(([name]) => !shown.has(name) && !name.startsWith('#'))
  return kind !== 'rows' || rest.length === 0 ? cells : [...cells, restOf(Object.fromEntries(rest))]
}

const restOf = (rest: Json): Field => ({
  ...{ name: '#rest', kind: 'json', label: '', help: undefined, options: [], required: false },
  value: JSON.stringify(rest),
})

const withValue = (field: Field, value: unknown): Field => ({ ...field, value: shownAs(field, value) })

function valueFrom({ value }: Field): Json {
  if (typeof value !== 'string' || value === '') return null
  try {
    return JSON.parse(value) as Json
  } catch {
    return null
  }
}

/** The texts of a field's controls. */
export function textsOfField(field: Field): Record<string, string[]> {
  const { kind, name, value, fields = [] } = field
  if (kind === 'group') return Object.assign({}, ...fields.map(textsOfField))
  const own = { [`${kind}:${name}`]: typeof value === 'string' ? [value] : [...unsetMark(field), ...value] }
  if (kind !== 'rows' && kind !== 'list' && kind !== 'pairs') return own
  const cells = rowsIn(field).flatMap((row, place) =>
    row.map((cell) => [cellKey(name, place, cell), [cell.value].flat()]),
  )
  return { [`${kind}:${name}`]: [''], ...Object.fromEntries(cells) }
}

/** What stands before the chosen values, where none of them is no value. */
export const unsetMark = ({ isUnsetWhenEmpty }: Pick<Field, 'isUnsetWhenEmpty'>): string[] =>
  isUnsetWhenEmpty ? [UNSET] : []

/** The name of the control of a cell. */
export const cellKey = (name: string, place: number, cell: Pick<Field, 'kind' | 'name'>): string =>
  `${cell.kind}:${name}.#${place}${cell.name === '' ? '' : `.${cell.name}`}`

/** What the controls showed, so that a form changes only what a person changed. */
export const shownValues = (fields: readonly Field[]): string =>
  JSON.stringify(Object.assign({}, ...fields.map(textsOfField)))

/** The field with what its controls have in these texts. */
export function withTexts(field: Field, texts: Texts): Field {
  const { kind, name, fields } = field
  if (kind === 'group') return { ...field, fields: (fields ?? []).map((each) => withTexts(each, texts)) }
  const values = texts[`${kind}:${name}`]
  if (values === undefined) return field
  if (kind === 'rows' || kind === 'list' || kind === 'pairs')
    return { ...field, value: JSON.stringify(compositeOf(kind, name, texts)) }
  if (kind === 'switch') return { ...field, value: values.at(-1) ?? 'false' }
  return { ...field, value: typeof field.value === 'string' ? (values.at(-1) ?? '') : values }
}

/** The field in a form of several operations. */
export const fieldIn = (part: string, field: Field): Field => ({
  ...field,
  name: pathIn(part, field.name),
  ...(field.kind === 'group' && { fields: (field.fields ?? []).map((each) => fieldIn(part, each)) }),
})

/** The field with a label that says where it is, too. */
export const labelledWithin = (place: string, field: Field): Field => ({
  ...field,
  label: say('form.within', { place, label: field.label }),
  ...(field.kind === 'group' && { fields: (field.fields ?? []).map((each) => labelledWithin(place, each)) }),
})

/** A group stands for its members. */
export const leavesOf = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'group' ? leavesOf(field.fields ?? []) : [field]))

/** What a field shows, as a text to read. */
export function readableOf(field: Field): string {
  const { kind, value, options, fields = [], unit = 'seconds', isStored, unset = say('value.none') } = field
  const named = (each: string): string => options.find((option) => option.value === each)?.label ?? each
  if (kind === 'group') return fields.map((each) => `${each.label}: ${readableOf(each)}`).join('\n')
  if (kind === 'switch') return say(value === 'true' ? 'value.yes' : 'value.no')
  if (kind === 'secret')
    return isStored === undefined ? say('form.secret.hidden') : say(isStored ? 'form.secret.set' : 'value.none')
  if (kind === 'rows' || kind === 'list' || kind === 'pairs')
    return rowsIn(field).map(readableRow).join('\n') || say('value.none')
  if (kind === 'duration') {
    const [amount = '', factor = '1'] = value
    const [, word = 'form.unit.seconds'] = UNITS[unit].find(([each]) => each === factor) ?? []
    return amount === '' ? unset : `${amount} ${say(word)}`
  }
  const text = typeof value === 'string' ? named(value) : value.map(named).join(', ')
  return text === '' ? unset : text
}

const readableRow = (row: Row): string =>
  row
    .filter(({ name, value, kind }) => name !== '#rest' && value !== '' && !(kind === 'switch' && value !== 'true'))
    .map((cell) => (cell.kind === 'switch' ? cell.label : readableOf(cell)))
    .join(' · ')
