/**
 * Which texts exist and which values each one takes.
 *
 * English defines both: every catalogue is typed by its keys, so a missing or misspelt key does not compile, and `Translate` by
 * its placeholders. A test holds each text of each language to the placeholders of the English one.
 */
import type { en } from './en'
import type { Locale } from './locale'
import type { PromptScreen } from './prompts'

export type MessageKey = keyof typeof en
/** A tenant's own texts of one page, in MessageFormat. `id` is a digest of them. */
export type OwnTexts = { id: string; texts: Readonly<Partial<Record<MessageKey, string>>> }

/**
 * Finds them by the vendor's names of the screens that the page stands for; a later screen takes precedence. `range` is the language as
 * the reader asked for it.
 */
export type CustomTexts = (screens: readonly PromptScreen[], locale: Locale, range?: string) => OwnTexts | undefined

export type Catalogue = Readonly<Record<MessageKey, string>>

/** The names in `{braces}`. A text with variants (`{name, plural, …}`) is one argument from its first brace to its last. */
type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends `${infer Selector},${string}`
    ? Selector
    : Name | PlaceholdersOf<Rest>
  : never

/** The arguments after the key: a record of exactly the text's placeholders, or nothing. */
export type MessageValues<Key extends MessageKey> = Key extends MessageKey
  ? [PlaceholdersOf<(typeof en)[Key]>] extends [never]
    ? []
    : [values: Readonly<Record<PlaceholdersOf<(typeof en)[Key]>, string>>]
  : never

/** The text of a key in one language. Values are text, never markup: the caller's renderer escapes the result. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageValues<Key>) => string
