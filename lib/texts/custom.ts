/**
 * The texts that a tenant puts in place of ours, in the vendor's form: prompt and language → screen → key → text with variables
 * like `${clientName}`. They become texts of our catalogue, in MessageFormat.
 *
 * Invariant: a text without a place on a page here, or with a variable that has no value there, changes nothing.
 */
import { digest } from '../kernel/secret'
import type { CustomTexts, MessageKey, OwnTexts } from './catalogue'
import { en } from './en'
import { LOCALES, type Locale, matchLocale } from './locale'
import { COMMON, PROMPTS, type ScreenTexts } from './prompts'

/** `id` is the prompt and the language: `login/pt-BR`. */
export type CustomTextDocument = { id: string; body: unknown }

type Given = Readonly<Record<string, string>>

/** The vendor's variables → our values, the first that the text or the page has. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    clientName: ['client'],
    companyName: ['tenant'],
    tenantName: ['tenant'],
    friendlyName: ['tenant'],
    connectionName: ['provider'],
    email: ['email', 'address', 'name', 'user'],
    phoneNumber: ['address', 'name'],
    userName: ['user'],
  }),
)

/** The values that every page has. */
const PAGE_VALUES = ['client', 'tenant']

/** The vendor shows the address behind these texts; here it is part of them. */
const ENDS_WITH_NAME: ReadonlySet<MessageKey> = new Set(['mfa.lead.sms', 'mfa.lead.voice', 'mfa.lead.email'])

/** A sentence may be left out by an empty text, a title or the name of a control may not. */
const MAY_BE_EMPTY = /(?:lead|body|_account|hint\.\w+|\.or)$/

export function readCustomTexts(
  documents: readonly CustomTextDocument[],
  enabled: readonly string[] = [],
): CustomTexts | undefined {
  const screens = new Map<string, Record<string, string>>()
  for (const locale of LOCALES)
    for (const { id, body } of inLanguage(documents, locale, enabled)) {
      const known = PROMPTS.get(id.slice(0, id.indexOf('/')))
      for (const [screen, texts] of known ?? []) {
        const messages = messagesIn(textsAt(body, screen), texts)
        if (Object.keys(messages).length > 0) screens.set(`${locale} ${screen}`, messages)
      }
    }
  return screens.size === 0 ? undefined : finder(screens)
}

function finder(screens: ReadonlyMap<string, Record<string, string>>): CustomTexts {
  const found = new Map<string, OwnTexts | undefined>()
  return (names, locale) => {
    const key = `${locale} ${names.join(' ')}`
    if (!found.has(key)) found.set(key, merge(['common', ...names].map((name) => screens.get(`${locale} ${name}`))))
    return found.get(key)
  }
}

function merge(parts: readonly (Record<string, string> | undefined)[]): OwnTexts | undefined {
  const texts = Object.assign({}, ...parts) as OwnTexts['texts']
  if (Object.keys(texts).length === 0) return undefined
  return { id: digest(JSON.stringify(texts)).toString('base64url'), texts }
}

/**
 * At most one document per prompt. A language with a region (`fr-CA`) serves the whole language; of several, the one that the
 * tenant enabled first, then the one without a region.
 */
function inLanguage(
  documents: readonly CustomTextDocument[],
  locale: Locale,
  enabled: readonly string[],
): CustomTextDocument[] {
  const rank = ({ id }: CustomTextDocument): number => {
    const language = id.slice(id.indexOf('/') + 1)
    const position = enabled.findIndex((tag) => tag.toLowerCase() === language.toLowerCase())
    return position >= 0 ? position : enabled.length + (language === locale ? 0 : 1)
  }
  const spoken = documents.filter(({ id }) => matchLocale(id.slice(id.indexOf('/') + 1)) === locale)
  const ranked = spoken.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
  const chosen = new Map<string, CustomTextDocument>()
  for (const document of ranked) {
    const prompt = document.id.slice(0, document.id.indexOf('/'))
    if (!chosen.has(prompt)) chosen.set(prompt, document)
  }
  return [...chosen.values()]
}

function textsAt(body: unknown, screen: string): Given {
  const texts = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[screen] : undefined
  if (typeof texts !== 'object' || texts === null) return {}
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The title of the browser's window is customizable on each screen. */
const TITLE: ScreenTexts = { 'common.document_title': ['pageTitle'] }

function messagesIn(given: Given, screen: ScreenTexts): Record<string, string> {
  const wanted = Object.entries({ ...TITLE, ...COMMON, ...screen }) as [MessageKey, readonly string[]][]
  const messages = wanted.map(([key, names]) => {
    const name = names.find((candidate) => Object.hasOwn(given, candidate))
    return [key, name === undefined ? undefined : messageOf(key, given[name] as string, given)] as const
  })
  return Object.fromEntries(messages.filter((entry): entry is [MessageKey, string] => entry[1] !== undefined))
}

const VARIABLE = /\$\{(\w+)\}/g

function messageOf(key: MessageKey, text: string, given: Given): string | undefined {
  // A text may quote another one of its screen: `${footerText}`.
  const quoting = text.replace(VARIABLE, (found, name: string) =>
    Object.hasOwn(given, name) ? (given[name] as string) : found,
  )
  const line = quoting.replace(/\p{Cc}+/gu, ' ').trim()
  if (line === '') return MAY_BE_EMPTY.test(key) ? '' : undefined
  const values = new Set([...en[key].matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
  const parts: string[] = []
  let from = 0
  for (const { 0: found, 1: name = '', index } of line.matchAll(VARIABLE)) {
    const value = VARIABLES.get(name)?.find((candidate) => values.has(candidate) || PAGE_VALUES.includes(candidate))
    if (value === undefined) return undefined
    parts.push(quoted(line.slice(from, index)), `{${value}}`)
    from = index + found.length
  }
  const message = parts.join('') + quoted(line.slice(from))
  return ENDS_WITH_NAME.has(key) && !message.includes('{name}') ? `${message} {name}` : message
}

/** Text without a meaning in MessageFormat: braces stand in apostrophes, and an apostrophe is doubled. */
const quoted = (text: string): string =>
  text.replace(/[{}']+/g, (run) => {
    const doubled = run.replaceAll("'", "''")
    return /[{}]/.test(run) ? `'${doubled}'` : doubled
  })
