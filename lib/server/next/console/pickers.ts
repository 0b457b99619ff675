// What a form offers of a member whose values name other objects, by the picker of its schema.
import { STRATEGIES } from '../../../data/connections/connection'
import { memberAt, metaOf, type SchemaMeta } from '../../../kernel/schema-meta'
import type { Reference } from '../../../management/console-call'
import { connections } from '../../../management/resources/connections'
import { LOCALES } from '../../../text/locale'
import { applicationChoices } from './enabled-connections'
import type { Field } from './field'
import { bodyOf } from './form'
import type { Console } from './page'

export type PickerOptions = Readonly<Record<string, Field['options']>>

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
  body = bodyOf(operation),
): Promise<PickerOptions> {
  const found = await Promise.all(
    members.map(async (name) => {
      const member = memberAt(body, name)
      const picker = member && metaOf(member).picker
      return [name, picker && (await PICKERS[picker]?.(console))] as const
    }),
  )
  return Object.fromEntries(found.flatMap(([name, options]) => (options ? [[name, options]] : [])))
}
