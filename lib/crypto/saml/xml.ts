// Access to XML that parse.ts has read, and the error for a malformed message.
import { invalidRequest } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'

export const malformed = (what: string, reason: Reason = 'saml_message_invalid'): Error =>
  invalidRequest(`Invalid SAML message: ${what}`, { reason, redirectable: false })

/** The page that explains a message that is no forgery and cannot be accepted. */
export const UNFIT_PAGE = 'upstream_unfit'

/**
 * The message is what the partner meant to send, and cannot be accepted: its settings or its clock differ from what is expected
 * here.
 */
export const unfit = (what: string, reason: Reason = 'saml_message_invalid'): Error =>
  invalidRequest(`Invalid SAML message: ${what}`, {
    reason,
    redirectable: false,
    page: { code: UNFIT_PAGE },
  })

/** A value of a message, for a description. */
export const quoted = (value: string): string => `"${value.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}"`

const ELEMENT = 1
export const childElements = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeType === ELEMENT)

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name

export const childrenOf = (element: Element, namespace: string, name: string): Element[] =>
  childElements(element).filter((child) => isNamed(child, namespace, name))

/** The only child of that name; undefined for none. Several are refused, because readers differ in which one they use. */
export function childOf(element: Element, namespace: string, name: string): Element | undefined {
  const [child, ...more] = childrenOf(element, namespace, name)
  if (more.length > 0) throw malformed(`it has several ${name}`)
  return child
}

/** `root` and all elements below it, in document order. */
export const elementsOf = (root: Element): Element[] => [root, ...childElements(root).flatMap(elementsOf)]

export const textOf = (element: Element): string => {
  if (childElements(element).length > 0) throw malformed(`${element.localName} holds elements`)
  return (element.textContent ?? '').trim()
}

/** The value of an attribute that is present, possibly empty. */
export const attributeOf = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? '') : undefined
