// The sender of a mail: that of the process or of the tenant's provider, unless the message asks for another one. It is read here, and
// written here in the forms that channels take.
import { mailboxInAscii } from '../../kernel/mail-address'
import { isMailAddress } from './message'

/** The domain of the address is in its ASCII form. */
export type MailSender = { email: string; name?: string }

/**
 * The domains of addresses that a message may ask for. The process's mail server answers for its `own` domain alone; a tenant's
 * provider decides by itself.
 */
export type SenderDomains = 'own' | 'any'

/** Reads `Example, Inc. <login@example.com>`, whether or not the name is quoted (RFC 5322 3.2.4) or encoded (RFC 2047). */
export function senderOf(from: string): MailSender {
  const [, phrase = '', email = from] = /^(.*)<([^<>]+)>\s*$/s.exec(from) ?? []
  const name = decoded(unquoted(phrase.trim())).replace(UNSHOWN, ' ').replace(/\s+/g, ' ').trim()
  return { email: mailboxInAscii(email.trim()), ...(name !== '' && { name }) }
}

/** What shows nothing could reorder what is shown, or end the header. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

const unquoted = (phrase: string): string =>
  /^"(?:[^"\\]|\\.)*"$/s.test(phrase) ? phrase.slice(1, -1).replace(/\\(.)/gs, '$1') : phrase

const ENCODED_WORD = /=\?([\w-]+)\?([bq])\?([!->@-~]*)\?=(?:\s+(?==\?))?/gi

/** What cannot be decoded stays. */
const decoded = (phrase: string): string =>
  phrase.replace(ENCODED_WORD, (word, charset: string, encoding: string, text: string) => {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytesOf(text, encoding))
    } catch {
      return word
    }
  })

const bytesOf = (text: string, encoding: string): Buffer =>
  encoding.toLowerCase() === 'b'
    ? Buffer.from(text, 'base64')
    : Buffer.from(
        text
          .replaceAll('_', ' ')
          .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )

/** One mailbox, as interfaces take it that write the header themselves. */
export const mailboxOf = ({ email, name }: MailSender): string =>
  name === undefined ? email : `${PHRASE.test(name) ? name : quoted(name)} <${email}>`

/** The same in ASCII, as it is in a header. */
export const asciiMailboxOf = ({ email, name }: MailSender): string =>
  name === undefined || ASCII.test(name)
    ? mailboxOf({ email, ...(name !== undefined && { name }) })
    : `${encoded(name)} <${email}>`

const ASCII = /^[ -~]*$/
/** Words of RFC 5322 3.2.3, and of RFC 6532 3.2 beyond ASCII; without what could begin an encoded word. */
const PHRASE = /^[\w!#$%&'*+/^`{|}~\u0080-\u{10ffff}-]+(?: [\w!#$%&'*+/^`{|}~\u0080-\u{10ffff}-]+)*$/u

const quoted = (name: string): string => `"${name.replace(/["\\]/g, '\\$&')}"`

/** Bytes of a word, which has at most 75 characters (RFC 2047 2). */
const WORD_BYTES = 45

function encoded(name: string): string {
  const words: string[] = []
  for (const character of name) {
    const longer = (words.at(-1) ?? '') + character
    if (words.length > 0 && Buffer.byteLength(longer) <= WORD_BYTES) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The name that a message asks for, and the address if it may be used. */
export function chosenSender(wanted: string | undefined, own: string, domains: SenderDomains): MailSender {
  const sender = senderOf(own)
  if (wanted === undefined) return sender
  const { email, name } = senderOf(wanted)
  const isUsable = isMailAddress(email) && (domains === 'any' || domainOf(email) === domainOf(sender.email))
  return { email: isUsable ? email : sender.email, ...(name !== undefined && { name }) }
}
