// The one form of a mail address, in which it is stored, found, counted and compared (threat-model.md DB3).
// - The domain is mapped by UTS 46, so `bücher.example`, `xn--bcher-kva.example`, full-width letters and a final dot are one domain. It is
//   kept in the readable form; mails go to its ASCII form.
// - The local part belongs to its mail server: only its composed form (NFC) and its case are made alike. Look-alikes stay different, in
//   the domain too, because UTS 46 maps no letter to one of another script.
import { domainToASCII, domainToUnicode } from 'node:url'

/** Signs that the parser of URLs would interpret, and that no domain has. */
const FOREIGN = /[\s/?#@:[\]\\%|^<>]/
/** The parser of URLs takes it for an IPv4 address. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i
const EMPTY_LABEL = /^\.|\.\.|\.$|^$/
const PLAIN = /^[!-~]*$/

/** The domain in ASCII, without a final dot; null for what is not a domain. */
export function domainInAscii(text: string): string | null {
  if (FOREIGN.test(text)) return null
  const ascii = domainToASCII(text).replace(/\.$/, '')
  return EMPTY_LABEL.test(ascii) || NUMERIC.test(ascii) ? null : ascii
}

/** What is no domain stays, in lower case. */
export function readableDomain(text: string): string {
  const ascii = domainInAscii(text)
  return ascii === null ? text.toLowerCase() : domainToUnicode(ascii) || ascii
}

/** The canonical form of what people type to name an account: an address, or else a username. */
export function canonical(identifier: string): string {
  const trimmed = identifier.trim()
  // NFC leaves ASCII as it is, and most identifiers are that.
  const isPlain = PLAIN.test(trimmed)
  const text = isPlain ? trimmed.toLowerCase() : trimmed.normalize('NFC').toLowerCase().normalize('NFC')
  if ((isPlain || PLAIN.test(text)) && !text.includes('xn--') && !text.endsWith('.')) return text
  const at = text.lastIndexOf('@') + 1
  return at === 0 ? text : text.slice(0, at) + readableDomain(text.slice(at))
}

/** The address that a mail is sent to. */
export function mailboxInAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainInAscii(address.slice(at)) ?? address.slice(at))
}
