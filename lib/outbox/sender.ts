// The sender of a mail: that of the process or of the tenant's provider, unless the message asks for another one.
import { isMailAddress } from './message'

/**
 * The domains of addresses that a message may ask for. The process's mail server answers for its `own` domain alone; a tenant's
 * provider decides by itself.
 */
export type SenderDomains = 'own' | 'any'

/** The address and the name of `Example <login@example.com>`. */
export function senderOf(from: string): { email: string; name?: string } {
  const [, name = '', email] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? []
  if (email === undefined) return { email: from.trim() }
  const plain = name.trim().replace(/^"(.*)"$/, '$1')
  return plain === '' ? { email } : { email, name: plain }
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** What could end a name or begin another address in a header. */
const STRUCTURE = /["\\<>@,;:()[\]]+/g

/** The name that a message asks for, and the address if it may be used; in the form of `from`. */
export function chosenSender(wanted: string | undefined, own: string, domains: SenderDomains): string {
  if (wanted === undefined) return own
  const { email: sender } = senderOf(own)
  const { email, name = '' } = senderOf(wanted)
  const isUsable = isMailAddress(email) && (domains === 'any' || domainOf(email) === domainOf(sender))
  const address = isUsable ? email : sender
  const plain = name.replace(STRUCTURE, ' ').replace(/\s+/g, ' ').trim()
  return plain === '' ? address : `${plain} <${address}>`
}
