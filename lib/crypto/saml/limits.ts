// Size limits of a document. The time of parsing, canonicalization and digests is proportional to these numbers, so the numbers
// are checked first: a thread must not be made to work until its time limit (threat-model.md SP3, BF13).
import { malformed } from './xml'

export type XmlLimits = {
  characters: number
  elements: number
  attributes: number
  namespaces: number
  /** The namespace declarations in scope, summed over all elements: the parser copies them. */
  scoped: number
}

/** Requests and logout messages, which unauthenticated parties can send. */
export const REQUEST: XmlLimits = {
  characters: 32_000,
  elements: 300,
  attributes: 1000,
  namespaces: 100,
  scoped: 6000,
}

/** Responses of identity providers, with attributes of several hundred values. */
export const ANSWER: XmlLimits = {
  characters: 200_000,
  elements: 1500,
  attributes: 4000,
  namespaces: 800,
  scoped: 30_000,
}

/** Documents that the operator supplied or this server wrote, such as metadata. */
export const OPERATOR: XmlLimits = {
  characters: 200_000,
  elements: 4000,
  attributes: 10_000,
  namespaces: 2000,
  scoped: 100_000,
}

/** Throws for a document over a limit; it counts characters and does not parse. */
export function checkLimits(content: string, limits: XmlLimits): void {
  if (content.length > limits.characters) throw malformed('it is too large')
  if (occurrences(content, '<') - occurrences(content, '</') > limits.elements)
    throw malformed('it has too many elements')
  if (occurrences(content, '="') + occurrences(content, "='") > limits.attributes) {
    throw malformed('it has too many attributes')
  }
  if (occurrences(content, 'xmlns') > limits.namespaces) throw malformed('it has too many namespaces')
}

/** Counts without copying substrings. */
function occurrences(content: string, part: string): number {
  let count = 0
  for (let at = content.indexOf(part); at >= 0; at = content.indexOf(part, at + part.length)) count += 1
  return count
}
