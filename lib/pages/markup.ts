/**
 * Renders React elements to HTML, for pages of pure components (no hooks, handlers, refs or context).
 *
 * Reason to avoid react-dom/server: it refuses to run in Next's route handlers, which also answer these pages (docs/adr/0008),
 * and it takes about twice the processor time (a login page: 200 against 90 µs).
 *
 * Invariants: every text and every attribute value is escaped here, and an element that cannot be rendered faithfully throws.
 * markup.test.ts holds the result equal to react-dom's for every screen.
 */
import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'

type Props = Readonly<Record<string, unknown>>

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** React properties whose HTML attribute has another name. */
const ATTRIBUTE_NAMES: Readonly<Record<string, string>> = {
  autoCapitalize: 'autocapitalize',
  autoComplete: 'autocomplete',
  autoCorrect: 'autocorrect',
  autoFocus: 'autofocus',
  charSet: 'charset',
  className: 'class',
  defaultChecked: 'checked',
  defaultValue: 'value',
  fillRule: 'fill-rule',
  formNoValidate: 'formnovalidate',
  htmlFor: 'for',
  inputMode: 'inputmode',
  maxLength: 'maxlength',
  readOnly: 'readonly',
  referrerPolicy: 'referrerpolicy',
  spellCheck: 'spellcheck',
}

const VOID = new Set(['input', 'img', 'meta', 'link', 'br', 'hr'])
/** HTML parses these as raw text, in which escaping has no effect, so their content must not contain an end tag. */
const RAW_TEXT = new Set(['style', 'script'])
/** The value of a textarea would be written as its children, which no page here needs. */
const isFilled = ({ value, defaultValue, children }: Props): boolean =>
  [value, defaultValue, children].some((each) => each !== undefined)

const SKIPPED = new Set(['children', 'key'])
/** Attributes whose values are the words `true` and `false`. */
const isWorded = (name: string): boolean =>
  name === 'spellCheck' || name.startsWith('aria-') || name.startsWith('data-')

function refuse(what: string): never {
  throw new TypeError(`a hosted page cannot render ${what}`)
}

function renderAttribute(name: string, value: unknown): string {
  if (SKIPPED.has(name) || value === undefined || value === null) return ''
  const attribute = ATTRIBUTE_NAMES[name] ?? name
  if (typeof value === 'string') return ` ${attribute}="${escapeText(value)}"`
  if (typeof value === 'number') return ` ${attribute}="${value}"`
  if (typeof value !== 'boolean') return refuse(`the property ${name}`)
  if (isWorded(name)) return ` ${attribute}="${value}"`
  return value ? ` ${attribute}=""` : ''
}

function renderRawText(tag: string, children: unknown): string {
  if (children === undefined) return ''
  if (typeof children !== 'string' || children.includes('<')) return refuse(`this inside ${tag}`)
  return children
}

/** Its value is written as an attribute of the option that has it. */
function renderSelect({ defaultValue, children, ...props }: Props): string {
  let open = '<select'
  for (const name in props) open += renderAttribute(name, props[name])
  return `${open}>${renderMarkup(children as ReactNode, defaultValue)}</select>`
}

/** `chosen` is the value of the select around it. */
function renderTag(tag: string, props: Props, chosen: unknown): string {
  if (tag === 'textarea' && isFilled(props)) return refuse(tag)
  if (tag === 'select') return renderSelect(props)
  let open = `<${tag}`
  for (const name in props) open += renderAttribute(name, props[name])
  if (VOID.has(tag)) return `${open}/>`
  if (tag === 'option' && props.value === chosen) open += ' selected=""'
  const inner = RAW_TEXT.has(tag)
    ? renderRawText(tag, props.children)
    : renderMarkup(props.children as ReactNode, chosen)
  return `${open}>${inner}</${tag}>`
}

function renderElement({ type, props }: ReactElement<Props>, chosen: unknown): string {
  if (typeof type === 'string') return renderTag(type, props, chosen)
  if (type === (Fragment as unknown)) return renderMarkup(props.children as ReactNode, chosen)
  if (typeof type !== 'function' || type.prototype?.isReactComponent) return refuse('this kind of component')
  return renderMarkup((type as (props: Props) => ReactNode)(props), chosen)
}

export function renderMarkup(node: ReactNode, chosen?: unknown): string {
  if (typeof node === 'string') return escapeText(node)
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (typeof node === 'number') return String(node)
  if (Array.isArray(node)) {
    let markup = ''
    for (const child of node as ReactNode[]) markup += renderMarkup(child, chosen)
    return markup
  }
  return isValidElement<Props>(node) ? renderElement(node, chosen) : refuse(`a ${typeof node}`)
}
