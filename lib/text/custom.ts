/**
 * The texts that a tenant puts in place of the built-in ones, in the vendor's form: prompt and language → screen → key → text with variables
 * like `${clientName}`. They become texts of our catalogue, in MessageFormat.
 *
 * Invariant: a text without a place on a page here, or with a variable that has no value there, changes nothing, and
 * `unusedTexts` names it.
 */
import { digest } from '../kernel/secret'
import type { CustomTexts, MessageKey, OwnTexts } from './catalogue'
import { en } from './en'
import { LOCALES, matchLocale } from './locale'
import { ADDRESS_FOLLOWS, PROMPTS, SCREEN_VALUES, type ScreenTexts } from './prompts'

/** `id` is the prompt and the language: `login/pt-BR`. */
export type CustomTextDocument = { id: string; body: unknown }

type Given = Readonly<Record<string, string>>

/** The vendor's variables → our values, the first that the text or the page has. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    clientName: ['client'],
    companyName: ['company'],
    organizationName: ['organization'],
    tenantName: ['tenant'],
    friendlyName: ['tenant'],
    connectionName: ['provider'],
    inviterName: ['inviter'],
    email: ['email', 'address', 'name', 'user'],
    phoneNumber: ['address', 'name'],
    userName: ['user'],
  }),
)

/** The values that every page has. */
const PAGE_VALUES = ['client', 'tenant', 'company', 'organization']

/** A sentence may be left out by an empty text, a title or the name of a control may not. */
const MAY_BE_EMPTY = /(?:lead|lead_\w+|body|_account|signed_in_as|hint\.\w+|\.or)$/

/** `range` is the language as the reader asked for it, which may name a region. */
export function readCustomTexts(
  documents: readonly CustomTextDocument[],
  enabled: readonly string[] = [],
): CustomTexts | undefined {
  const screens = new Map<string, Record<string, string>>()
  const regions = new Set<string>()
  for (const locale of LOCALES) {
    const spoken = documents.filter(({ id }) => matchLocale(languageOf(id)) === locale)
    const tags = new Set(spoken.map(({ id }) => languageOf(id).toLowerCase()))
    const offered = [...tags].filter(
      (tag) => enabled.length === 0 || enabled.some((each) => each.toLowerCase() === tag),
    )
    for (const tag of tags.size > 1 ? [locale, ...offered] : [locale]) {
      regions.add(tag)
      for (const { id, body } of inLanguage(spoken, tag, enabled))
        for (const [screen, texts] of PROMPTS.get(promptOf(id)) ?? []) {
          const { messages } = messagesIn(textsAt(body, screen), screen, texts)
          if (Object.keys(messages).length > 0) screens.set(`${tag} ${screen}`, messages)
        }
    }
  }
  return screens.size === 0 ? undefined : finder(screens, regions)
}

/** The paths of the texts of a prompt that no page shows: `login.captchaCodePlaceholder`, or `mfa-push-list` with all its texts. */
export function unusedTexts(prompt: string, language: string, body: unknown): string[] {
  const known = matchLocale(language) === undefined ? undefined : PROMPTS.get(prompt)
  return Object.entries(isRecord(body) ? body : {}).flatMap(([screen, texts]) => {
    const own = known?.get(screen)
    if (!own) return [screen]
    const { used } = messagesIn(textsAt(body, screen), screen, own)
    return Object.keys(isRecord(texts) ? texts : {})
      .filter((key) => !used.has(key))
      .map((key) => `${screen}.${key}`)
  })
}

const promptOf = (id: string): string => id.slice(0, id.indexOf('/'))
const languageOf = (id: string): string => id.slice(id.indexOf('/') + 1)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function finder(screens: ReadonlyMap<string, Record<string, string>>, regions: ReadonlySet<string>): CustomTexts {
  const found = new Map<string, OwnTexts | undefined>()
  return (names, locale, range = locale) => {
    const language = regions.has(range.toLowerCase()) ? range.toLowerCase() : locale
    const key = `${language} ${names.join(' ')}`
    if (!found.has(key)) found.set(key, merge(['common', ...names].map((name) => screens.get(`${language} ${name}`))))
    return found.get(key)
  }
}

function merge(parts: readonly (Record<string, string> | undefined)[]): OwnTexts | undefined {
  const texts = Object.assign({}, ...parts) as OwnTexts['texts']
  if (Object.keys(texts).length === 0) return undefined
  return { id: digest(JSON.stringify(texts)).toString('base64url'), texts }
}

/**
 * At most one document per prompt: that of the language as the reader wishes; else the one that the tenant enabled first, then the one
 * without a region.
 */
function inLanguage(
  spoken: readonly CustomTextDocument[],
  wished: string,
  enabled: readonly string[],
): CustomTextDocument[] {
  const rank = ({ id }: CustomTextDocument): number => {
    const language = languageOf(id).toLowerCase()
    if (language === wished && language.includes('-')) return -1
    const position = enabled.findIndex((tag) => tag.toLowerCase() === language)
    return position >= 0 ? position : enabled.length + (language.includes('-') ? 1 : 0)
  }
  const ranked = spoken.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
  const chosen = new Map<string, CustomTextDocument>()
  for (const document of ranked) {
    const prompt = promptOf(document.id)
    if (!chosen.has(prompt)) chosen.set(prompt, document)
  }
  return [...chosen.values()]
}

function textsAt(body: unknown, screen: string): Given {
  const texts = isRecord(body) && Object.hasOwn(body, screen) ? body[screen] : undefined
  if (!isRecord(texts)) return {}
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

type Messages = {
  messages: Record<string, string>
  /** The vendor's keys that they were made of. */
  used: ReadonlySet<string>
}

function messagesIn(given: Given, screen: string, texts: ScreenTexts): Messages {
  const used = new Set<string>()
  const messages: Record<string, string> = {}
  for (const [key, names] of Object.entries(texts) as [MessageKey, readonly string[]][]) {
    const name = names.find((candidate) => Object.hasOwn(given, candidate))
    const made = name === undefined ? null : messageOf(key, name, given, screen)
    if (made === null) continue
    messages[key] = made.message
    for (const each of made.used) used.add(each)
  }
  return { messages, used }
}

const VARIABLE = /\$\{(\w+)\}/g

/** Null where it would change nothing. */
function messageOf(
  key: MessageKey,
  name: string,
  given: Given,
  screen: string,
): { message: string; used: string[] } | null {
  const used = [name]
  // A text may quote another one of its screen: `${footerText}`.
  const quoting = (given[name] as string).replace(VARIABLE, (found, other: string) => {
    if (!Object.hasOwn(given, other)) return found
    used.push(other)
    return given[other] as string
  })
  const line = quoting.replace(/\p{Cc}+/gu, ' ').trim()
  if (line === '') return MAY_BE_EMPTY.test(key) ? { message: '', used } : null
  const own = [...en[key].matchAll(/\{(\w+)\}/g)].map(([, value]) => value ?? '')
  const ofPage = [...PAGE_VALUES, ...(SCREEN_VALUES.get(screen) ?? [])]
  const parts: string[] = []
  let from = 0
  for (const { 0: found, 1: variable = '', index } of line.matchAll(VARIABLE)) {
    const names = VARIABLES.get(variable)
    const value = names?.find((each) => own.includes(each)) ?? names?.find((each) => ofPage.includes(each))
    if (value === undefined) return null
    parts.push(quoted(line.slice(from, index)), `{${value}}`)
    from = index + found.length
  }
  const message = parts.join('') + quoted(line.slice(from))
  const address = ADDRESS_FOLLOWS.has(screen) ? own.find((value) => value === 'name' || value === 'address') : undefined
  const follows = address !== undefined && !message.includes(`{${address}}`)
  return { message: follows ? `${message} {${address}}` : message, used }
}

/** Text without a meaning in MessageFormat: braces stand in apostrophes, and an apostrophe is doubled. */
const quoted = (text: string): string =>
  text.replace(/[{}']+/g, (run) => {
    const doubled = run.replaceAll("'", "''")
    return /[{}]/.test(run) ? `'${doubled}'` : doubled
  })
