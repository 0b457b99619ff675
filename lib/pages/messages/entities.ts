// Character references of HTML (13.5 of its standard) as the characters that they stand for.
import { HTML_ENTITIES } from '@xmldom/xmldom/lib/entities.js'

const REFERENCE = /&(?:#(\d{1,9})|#x([\da-f]{1,8})|([a-z][a-z\d]{1,31}));/gi

/** What is no reference stays. */
export const decodeEntities = (text: string): string =>
  text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(HTML_ENTITIES, name) ? (HTML_ENTITIES[name] ?? reference) : reference
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
  })

const REPLACEMENT = '\ufffd'
/** The numbers from 128 to 159 mean windows-1252 (HTML 13.2.5.80). */
const FROM_128 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function characterOf(code: number): string {
  if (code >= 128 && code <= 159) return FROM_128.charAt(code - 128)
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT
  return String.fromCodePoint(code)
}
