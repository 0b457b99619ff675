// Writes the configuration language of Terraform (HCL 2). Every text is quoted, so nothing in a value begins an expression or ends a line.
import type { Json, JsonObject } from '../../../../kernel/json'

/** What is written as it is: a reference to a variable, or a value that Terraform encodes. */
export type Expression = { readonly expression: string }

export type Value = Json | Expression

export type Block = {
  /** `resource "auth0_client" "shop"`: the words of its head. */
  head: string
  attributes: readonly (readonly [string, Value])[]
  blocks?: readonly Block[]
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A quoted text, in which `${` and `%{` are no templates. */
export function quoted(text: string): string {
  const escaped = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
    .replace(/["\\\n\r\t]|[\u0000-\u001f\u007f]/g, (each) => ESCAPES[each] ?? unicodeOf(each))
    .replace(/([$%])\{/g, '$1$1{')
  return `"${escaped}"`
}

const unicodeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const isExpression = (value: Value): value is Expression =>
  typeof value === 'object' && value !== null && 'expression' in value && Object.keys(value).length === 1

export function literal(value: Value, depth = 0): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (isExpression(value)) return value.expression
  const inner = '  '.repeat(depth + 1)
  const outer = '  '.repeat(depth)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => `${inner}${literal(each, depth + 1)},\n`).join('')}${outer}]`
  }
  const entries = Object.entries(value as JsonObject)
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([name, each]) => `${inner}${quoted(name)} = ${literal(each as Json, depth + 1)}\n`).join('')}${outer}}`
}

/** A value that the resource wants as JSON. */
export const encoded = (value: Json): Expression => ({ expression: `jsonencode(${literal(value, 1)})` })

export function writeBlock({ head, attributes, blocks = [] }: Block, depth = 0): string {
  const inner = '  '.repeat(depth + 1)
  const width = Math.max(0, ...attributes.map(([name]) => name.length))
  const lines = attributes.map(([name, value]) => `${inner}${name.padEnd(width)} = ${literal(value, depth + 1)}\n`)
  const within = blocks.map((block, place) => (place + lines.length > 0 ? '\n' : '') + writeBlock(block, depth + 1))
  return `${'  '.repeat(depth)}${head} {\n${lines.join('')}${within.join('')}${'  '.repeat(depth)}}\n`
}

/** A name of Terraform's for an object: letters, digits and underscores. */
export function identifierOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^[a-z]/.test(plain) ? plain : `object${plain === '' ? '' : `_${plain}`}`
}
