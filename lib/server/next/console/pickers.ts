// What a form offers of a member whose values name other objects, by the picker of its schema.
import * as z from 'zod'
import { STRATEGIES } from '../../../data/connections/connection'
import { keysOf, textsIn, valueAt } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { memberAt, metaOf, type SchemaMeta } from '../../../kernel/schema-meta'
import type { Reference } from '../../../management/console-call'
import { connections } from '../../../management/resources/connections'
import { LOCALES } from '../../../text/locale'
import { applicationChoices } from './enabled-connections'
import type { Field, SearchedKind } from './field'
import { mayPick, pickedObject } from './find'
import { bodyOf } from './form'
import type { Console } from './page'
import { searchedKind } from './references'

/** The names of the present values, where others are looked for while a person types. */
export type Searched = { search: SearchedKind; names: Field['options'] }

export type MemberChoice = Field['options'] | Searched

export type PickerOptions = Readonly<Record<string, MemberChoice>>

/** Present values beyond these are shown as they are. */
const NAMED = 50

/** Undefined where the values are too many to offer, or the person may not read them: then they are typed. */
type Picker = (console: Console) => Promise<Field['options'] | undefined>

const PICKERS: Readonly<Partial<Record<NonNullable<SchemaMeta['picker']>, Picker>>> = {
  languages: async () => LOCALES.map((locale) => ({ value: locale, label: languageName(locale) })),
  applications: applicationChoices,
  async databases(console) {
    if (!console.may(connections.list)) return []
    const found = await console.read(connections.list, {
      query: { strategy: 'auth0', per_page: '100' },
    })
    return found.map(({ name }) => ({ value: name, label: name }))
  },
  strategies: async () => STRATEGIES.map((strategy) => ({ value: strategy, label: strategy })),
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

const languageName = (locale: string): string => names.of(locale) ?? locale

/** The choices of those members that have a picker. */
export async function choicesOf(
  operation: Reference,
  members: readonly string[],
  console: Console,
  { schema: body = bodyOf(operation), value }: { schema?: z.ZodType | undefined; value?: unknown } = {},
): Promise<PickerOptions> {
  const found = await Promise.all(
    members.map(async (name) => {
      const member = memberAt(body, name)
      if (!member) return []
      const picker = metaOf(member).picker
      const options = picker && (await PICKERS[picker]?.(console))
      const choice = options ?? (await searchedFor(member, valueAt(value, keysOf(name)), console))
      return [[name, choice] as const, ...(await cellsOf(name, member, console))]
    }),
  )
  return Object.fromEntries(found.flat().flatMap(([name, choice]) => (choice ? [[name, choice]] : [])))
}

/** The same for the cells of rows: `permissions.resource_server_identifier`. */
async function cellsOf(
  name: string,
  member: z.ZodType,
  console: Console,
): Promise<[string, MemberChoice | undefined][]> {
  const list = unwrapped(member)
  const item = list instanceof z.ZodArray ? unwrapped(list.element as z.ZodType) : undefined
  if (!(item instanceof z.ZodObject)) return []
  return Promise.all(
    Object.entries(item.shape as Record<string, z.ZodType>).map(
      async ([cell, schema]): Promise<[string, MemberChoice | undefined]> => [
        `${name}.${cell}`,
        await searchedFor(schema, undefined, console),
      ],
    ),
  )
}

/** Undefined where the member names no objects, or the person may not look for them. */
async function searchedFor(member: z.ZodType, present: unknown, console: Console): Promise<Searched | undefined> {
  const kind = searchedKind(member)
  if (kind === undefined || !mayPick(kind, console)) return undefined
  const values = textsIn([present ?? []].flat()).slice(0, NAMED)
  const found = await Promise.all(values.map((value) => pickedObject(kind, value, console)))
  return { search: kind, names: found.flatMap((each) => (each ? [{ value: each.value, label: each.label }] : [])) }
}
