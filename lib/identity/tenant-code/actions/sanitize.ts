// Converts output of a sandbox to data that is safe for the rest of the server: JSON of bounded depth, without the names that
// would reach an object's prototype by assignment, and with text that can be stored (threat-model.md AC4, HT1).
import type { Json } from '../../../kernel/json'

const DEEPEST = 20
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws if the text is no JSON, is too deep, or contains text that the database cannot store. */
export const parseSanitized = (text: string): Json => sanitize(JSON.parse(text), 0)

export const isSafeName = (name: string): boolean => !FORBIDDEN.has(name)

function sanitize(value: Json, depth: number): Json {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return value.map((item) => sanitize(item, depth + 1))
  const entries = Object.entries(value).filter(([name]) => isSafeName(name))
  return Object.fromEntries(entries.map(([name, item]) => [storable(name), sanitize(item, depth + 1)]))
}

function storable(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw new RangeError('text holds a NUL or half a character')
  return text
}
