// The response of a SAML or WS-Federation login, read for display: SAML 2.0 and SAML 1.1 tokens have the same parts under
// different names. Nothing is verified here; an application verifies the signature, the audience and the times.

export type ShownAssertion = { facts: Record<string, string | string[]>; xml: string }

/** The assertion in a response, which is base64; null if there is none. */
export function readAssertion(response: string): ShownAssertion | null {
  const xml = textOf(response)
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  const [assertion] = document.getElementsByTagNameNS('*', 'Assertion')
  return assertion ? { facts: { ...described(assertion), ...attributesOf(assertion) }, xml } : null
}

function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

const elements = (within: Element, name: string): Element[] => [...within.getElementsByTagNameNS('*', name)]

function described(assertion: Element): Record<string, string> {
  const text = (name: string): string | undefined => elements(assertion, name)[0]?.textContent ?? undefined
  const attribute = (element: string, name: string): string | null | undefined =>
    elements(assertion, element)[0]?.getAttribute(name)
  const facts = {
    Issuer: text('Issuer') ?? assertion.getAttribute('Issuer'),
    NameID: text('NameID') ?? text('NameIdentifier'),
    Audience: text('Audience'),
    NotBefore: attribute('Conditions', 'NotBefore'),
    NotOnOrAfter: attribute('Conditions', 'NotOnOrAfter'),
    SignatureMethod: attribute('SignatureMethod', 'Algorithm'),
  }
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === 'string'),
  )
}

const attributesOf = (assertion: Element): Record<string, string[]> =>
  Object.fromEntries(
    elements(assertion, 'Attribute').map((attribute) => [
      attribute.getAttribute('Name') ?? attribute.getAttribute('AttributeName') ?? '',
      elements(attribute, 'AttributeValue').map(({ textContent }) => textContent ?? ''),
    ]),
  )
