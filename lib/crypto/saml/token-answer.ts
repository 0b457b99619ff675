// Reads `wresult` of WS-Federation (1.2, 13.2.3; WS-Trust 1.3 and its earlier draft): from XML to the token or a fault. There
// must be one response with one token, an assertion or an encrypted assertion, wherever another reader might look.
import { isAssertion } from './dialect'
import { NS } from './names'
import { WS } from './ws-federation'
import { childrenOf, elementsOf, isNamed, malformed, textOf } from './xml'

export type TokenAnswer = {
  /** The element that contains the token. */
  requested: Element
  /** Null for an encrypted assertion. */
  assertion: Element | null
}

export function readTokenAnswer(root: Element): TokenAnswer | { fault: string } {
  const all = elementsOf(root)
  const fault = all.find((element) => isNamed(element, WS.soap, 'Fault') || isNamed(element, WS.soap11, 'Fault'))
  if (fault) return { fault: reasonsOf(fault) }
  const requested = all.filter((element) => isTrust(element, 'RequestedSecurityToken'))
  const [only] = requested
  if (!only || requested.length > 1 || !isAnswer(root, only)) throw malformed('it is no answer with one token')
  const assertions = all.filter(isAssertion)
  const [assertion] = assertions
  if (!assertion && childrenOf(only, NS.encryption, 'EncryptedData').length === 1) {
    return { requested: only, assertion: null }
  }
  if (assertion?.parentNode !== only || assertions.length > 1) throw malformed('it does not have exactly one assertion')
  return { requested: only, assertion }
}

const isTrust = (element: Element, name: string): boolean =>
  isNamed(element, WS.trust, name) || isNamed(element, WS.trust13, name)

/** The response is the root, or the only member of a collection. */
function isAnswer(root: Element, requested: Element): boolean {
  const answer = requested.parentNode as Element
  if (!isTrust(answer, 'RequestSecurityTokenResponse')) return false
  return answer === root || (answer.parentNode === root && isTrust(root, 'RequestSecurityTokenResponseCollection'))
}

/** The fault codes of SOAP 1.2 or 1.1, for the log, and to distinguish a refusal from a failure. */
function reasonsOf(fault: Element): string {
  const names = elementsOf(fault)
    .filter(({ localName }) => localName === 'Value' || localName === 'faultcode')
    .map((code) => textOf(code).split(':').at(-1) ?? '')
  return ['Fault', ...names].map((name) => name.replace(/\W/g, '').slice(0, 100)).join(' ')
}
