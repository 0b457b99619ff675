// Writes XML from elements as data, in one pass, with every value escaped. A value cannot become markup, and no value is
// processed twice, so text that looks like a placeholder stays text.
export type Xml = { readonly xml: string }

type Attributes = Readonly<Record<string, string | null | undefined>>
type Child = Xml | string | null | undefined

const TEXT_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const ATTRIBUTE_ENTITIES: Record<string, string> = {
  ...TEXT_ENTITIES,
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
}

/** Characters that XML does not allow are omitted: they can be neither written nor escaped (XML 1.0 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const writable = (value: string): string => value.toWellFormed().replace(UNWRITABLE, '')
const escapeText = (value: string): string => writable(value).replace(/[&<>\r]/g, (found) => TEXT_ENTITIES[found] ?? '')
const escapeAttribute = (value: string): string =>
  writable(value).replace(/[&<>"\t\r\n]/g, (found) => ATTRIBUTE_ENTITIES[found] ?? '')

/** Attributes and children that are null or undefined are omitted. */
export function element(name: string, attributes: Attributes, ...children: Child[]): Xml {
  const written = Object.entries(attributes)
    .map(([key, value]) => (value === null || value === undefined ? '' : ` ${key}="${escapeAttribute(value)}"`))
    .join('')
  const content = children.map((child) => (typeof child === 'string' ? escapeText(child) : (child?.xml ?? ''))).join('')
  return { xml: `<${name}${written}>${content}</${name}>` }
}

/** Existing XML, such as a signed element, inserted without escaping. */
export const written = (xml: string): Xml => ({ xml })
