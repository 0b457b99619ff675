// A message as it is, for people who look at it: its parts by their names, and its XML with a line for each element. Nothing of it is
// verified, and nothing may be decided by it.
import { ANSWER } from './limits'
import { parseXml } from './parse'
import { decodeMessage } from './transport'
import { childElements, elementsOf } from './xml'

export type XmlOutline = { name: string; facts: [string, string][]; xml: string }

/** The XML itself, or its base64, deflated or not. */
export type OutlinedMessage = { source: string } | { encoded: string }

export function outlineXml(sent: OutlinedMessage): XmlOutline {
  const root = parseXml('source' in sent ? sent.source : decodeMessage(sent.encoded), ANSWER)
  const facts = elementsOf(root).flatMap(factsIn)
  return { name: root.localName ?? '', facts: facts.slice(0, MAX_FACTS), xml: linesOf(root, '').join('\n') }
}

const MAX_FACTS = 40

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  AuthnRequest: ['ID', 'IssueInstant', 'Destination', 'AssertionConsumerServiceURL'],
  Response: ['ID', 'IssueInstant', 'Destination', 'InResponseTo'],
  LogoutRequest: ['ID', 'IssueInstant', 'Destination', 'NotOnOrAfter'],
  LogoutResponse: ['ID', 'IssueInstant', 'Destination', 'InResponseTo'],
  Conditions: ['NotBefore', 'NotOnOrAfter'],
  SubjectConfirmationData: ['Recipient', 'NotOnOrAfter', 'InResponseTo'],
  StatusCode: ['Value'],
  SignatureMethod: ['Algorithm'],
  DigestMethod: ['Algorithm'],
}

const TEXTS = new Set(['Issuer', 'NameID', 'NameIdentifier', 'Audience', 'StatusMessage', 'SessionIndex'])

function factsIn(element: Element): [string, string][] {
  const name = element.localName ?? ''
  const attributes = (ATTRIBUTES[name] ?? []).flatMap((attribute): [string, string][] => {
    const value = element.getAttribute(attribute)
    return value ? [[`${name} ${attribute}`, value]] : []
  })
  return TEXTS.has(name) ? [...attributes, [name, (element.textContent ?? '').trim()]] : attributes
}

function linesOf(element: Element, indent: string): string[] {
  const attributes = Array.from(element.attributes).map(({ name, value }) => ` ${name}="${value}"`)
  const children = childElements(element)
  const open = `${indent}<${element.nodeName}${attributes.join('')}`
  if (children.length > 0)
    return [
      `${open}>`,
      ...children.flatMap((child) => linesOf(child, `${indent}  `)),
      `${indent}</${element.nodeName}>`,
    ]
  const text = (element.textContent ?? '').trim()
  return [text === '' ? `${open}/>` : `${open}>${text}</${element.nodeName}>`]
}
