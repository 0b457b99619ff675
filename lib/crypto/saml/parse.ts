// Parses untrusted XML so that it has one interpretation only (threat-model.md IP1, SP3): bounded size, element count and depth;
// UTF-8; one root; no DTD, comment, processing instruction or CDATA section; no entity but the five predefined ones; no
// character that XML does not allow. XML that is not well-formed is refused, never repaired.
// parse.ts, verify.ts and sign.ts are the only importers of the XML libraries. Modules that are loaded at start import these
// three on demand.
import { DOMParser } from '@xmldom/xmldom'
import { ANSWER, checkLimits, type XmlLimits } from './limits'
import { elementsOf, malformed } from './xml'

const MAX_DEPTH = 40

/** The root element. */
export function parseXml(source: string, limits: XmlLimits = ANSWER): Element {
  checkLimits(source, limits)
  const content = withoutDeclaration(source)
  if (/<[!?]/.test(content)) throw malformed('it has a DTD, comment, CDATA section or processing instruction')
  checkCharacters(content)
  checkTags(content, limits)
  return parse(content)
}

const DECLARATION =
  /^\uFEFF?<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])utf-8\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>/i

const withoutDeclaration = (source: string): string =>
  source
    .replace(DECLARATION, '')
    .replace(/^\uFEFF/, '')
    .trim()

const ENTITY = /&(?:amp|lt|gt|quot|apos|#(\d{1,7})|#x([0-9a-f]{1,6}));|&/gi

function checkCharacters(content: string): void {
  if (!Array.from(content).every((character) => isCharacter(character.codePointAt(0) ?? 0))) {
    throw malformed('it has a character that XML does not have')
  }
  for (const [entity, decimal, hexadecimal] of content.matchAll(ENTITY)) {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : null
    if (entity === '&' || (code !== null && !isCharacter(code))) throw malformed('it has an unknown entity')
  }
}

/** XML 1.0 2.2. */
const isCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.·-]*(?::[\p{L}_][\p{L}\p{N}_.·-]*)?`
const TAG = new RegExp(String.raw`<(/?)(${NAME})(?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(/?)>[^<]*`, 'uy')

/**
 * Checks that every tag is well-formed, that elements nest properly, and that nothing follows or precedes the root: the parser
 * would repair these errors.
 */
function checkTags(content: string, limits: XmlLimits): void {
  const open: { name: string; scope: number }[] = []
  let scoped = 0
  TAG.lastIndex = 0
  while (TAG.lastIndex < content.length) {
    const before = TAG.lastIndex
    const [tag = '', end, name = '', empty] = TAG.exec(content) ?? []
    if (tag === '' || (before > 0 && open.length === 0)) throw malformed('it is not well-formed')
    if (end && (empty || open.pop()?.name !== name)) throw malformed('it is not well-formed')
    if (!end) {
      const scope = (open.at(-1)?.scope ?? 0) + (tag.match(/\sxmlns/g)?.length ?? 0)
      scoped += scope
      if (scoped > limits.scoped) throw malformed('it has too many namespaces')
      if (!empty && open.push({ name, scope }) > MAX_DEPTH) throw malformed('it is nested too deeply')
    }
    if (open.length === 0 && !tag.endsWith('>')) throw malformed('it is not well-formed')
  }
  if (open.length > 0 || content === '') throw malformed('it is not well-formed')
}

function parse(content: string): Element {
  try {
    const refuse = (message: string): never => {
      throw new Error(message)
    }
    const errorHandler = { warning: refuse, error: refuse, fatalError: refuse }
    const root = new DOMParser({ locator: {}, errorHandler }).parseFromString(content, 'text/xml').documentElement
    const named = elementsOf(root).flatMap((element) => [element, ...Array.from(element.attributes)])
    if (named.some(({ prefix, namespaceURI }) => prefix && !namespaceURI)) refuse('a prefix without a namespace')
    return root
  } catch {
    throw malformed('it is not well-formed')
  }
}
