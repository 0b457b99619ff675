// How much of what a document may have. It is parsed, canonicalized and digested on the event loop, and that takes time in
// proportion to these, so they are counted before (threat-model.md SP3, BF13).
import { malformed } from './xml'

export type XmlLimits = {
  characters: number
  elements: number
  attributes: number
  namespaces: number
  /** Namespace declarations in the scope of each element, added up: the parser copies them. */
  scoped: number
}

/** Requests and logout messages, which anybody may send. */
export const REQUEST: XmlLimits = {
  characters: 32_000,
  elements: 300,
  attributes: 1000,
  namespaces: 100,
  scoped: 6000,
}

/** Answers of identity providers, with attributes of several hundred values. */
export const ANSWER: XmlLimits = {
  characters: 200_000,
  elements: 1500,
  attributes: 4000,
  namespaces: 800,
  scoped: 30_000,
}

/** What the operator chose, or we wrote: metadata, for one. */
export const OPERATOR: XmlLimits = {
  characters: 200_000,
  elements: 4000,
  attributes: 10_000,
  namespaces: 2000,
  scoped: 100_000,
}

/** Throws for a text with more than it may have; by counting characters alone. */
export function checkLimits(content: string, limits: XmlLimits): void {
  if (content.length > limits.characters) throw malformed('it is too large')
  if (occurrences(content, '<') - occurrences(content, '</') > limits.elements)
    throw malformed('it has too many elements')
  if (occurrences(content, '="') + occurrences(content, "='") > limits.attributes) {
    throw malformed('it has too many attributes')
  }
  if (occurrences(content, 'xmlns') > limits.namespaces) throw malformed('it has too many namespaces')
}

/** Without a copy of its parts. */
function occurrences(content: string, part: string): number {
  let count = 0
  for (let at = content.indexOf(part); at >= 0; at = content.indexOf(part, at + part.length)) count += 1
  return count
}
