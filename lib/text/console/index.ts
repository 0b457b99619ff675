/**
 * The texts of the console, in English alone: a file for each section, and for what all have. What is said of a member of an object, and of
 * its values, stands on the schema (lib/kernel/schema-meta.ts).
 */
import { administrators } from './administrators'
import { apis } from './apis'
import { applications } from './applications'
import { connections } from './connections'
import { entry } from './entry'
import { find } from './find'
import { forms } from './forms'
import { frame } from './frame'
import { home } from './home'
import { lists } from './lists'
import { logins } from './logins'
import { logs } from './logs'
import { organizations } from './organizations'
import { peopleImport } from './people-import'
import { preview } from './preview'
import { providers } from './providers'
import { roles } from './roles'
import { security } from './security'
import { settings } from './settings'
import { streams } from './streams'
import { users } from './users'
import { views } from './views'

const texts = {
  ...frame,
  ...entry,
  ...lists,
  ...forms,
  ...find,
  ...home,
  ...applications,
  ...apis,
  ...roles,
  ...organizations,
  ...connections,
  ...logins,
  ...logs,
  ...security,
  ...streams,
  ...preview,
  ...providers,
  ...settings,
  ...administrators,
  ...users,
  ...views,
  ...peopleImport,
}

type Texts = typeof texts
export type ConsoleKey = keyof Texts

/** The text of a key, with values in place of `{name}`. Values are text: React escapes them. */
export const say = (key: ConsoleKey, values: Readonly<Record<string, string>> = {}): string =>
  texts[key].replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')

type CountKey = {
  [Key in ConsoleKey]: Key extends `${infer Name}.other` ? (`${Name}.one` extends ConsoleKey ? Name : never) : never
}[ConsoleKey]

const PLURAL = new Intl.PluralRules('en')
const NUMBER = new Intl.NumberFormat('en')

/** The text of a key for so many: `<key>.one` or `<key>.other`, with the number in place of `{count}`. */
export const sayCount = (key: CountKey, count: number): string =>
  say(`${key}.${PLURAL.select(count) === 'one' ? 'one' : 'other'}`, { count: NUMBER.format(count) })

export const isConsoleKey = (key: string): key is ConsoleKey => Object.hasOwn(texts, key)

/** The title of a group of members, and its explanation: of the section, or of any. */
export function sayGroup(section: string, group: string): { title: string; lead: string | undefined } {
  const key = [`${section}.${group}`, `group.${group}`].find(isConsoleKey)
  if (key === undefined) throw new Error(`The group ${group} of ${section} has no title`)
  const lead = `${key}.lead`
  return { title: say(key), lead: isConsoleKey(lead) ? say(lead) : undefined }
}
