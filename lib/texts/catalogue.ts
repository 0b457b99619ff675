/**
 * Which texts exist and which values each one takes.
 *
 * English defines both: every catalogue is typed by its keys, so a missing or misspelt key does not compile, and `Translate` by
 * its placeholders. A test holds each text of each language to the placeholders of the English one.
 */
import type { en } from './en'

export type MessageKey = keyof typeof en
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
