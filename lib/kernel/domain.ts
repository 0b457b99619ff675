// A domain of e-mail addresses that leads its people to an organization. Its owner proves it by a TXT record, which only the owner
// can publish.
import { domainInAscii } from './mail-address'
import { inWords } from './network-failure'
import type { Vault } from './secret'

/** Looks up the TXT records of a name, each as the concatenation of its parts. Rejects with a `TextLookupError`. */
export type TextLookup = (name: string) => Promise<readonly string[]>

/** `reason` is a code of DNS such as ETIMEOUT; null where the name has no such record. */
export class TextLookupError extends Error {
  constructor(
    readonly reason: string | null,
    cause?: unknown,
  ) {
    super(reason ?? 'no record', { cause })
    this.name = 'TextLookupError'
  }
}

const MAX_LENGTH = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** In lower case and punycode, as DNS and the store have it; null for what is no domain, such as an address or a single label. */
export function toDomain(text: string): string | null {
  const trimmed = text.trim()
  const name = domainInAscii(trimmed)
  if (name === null || /[.\u3002\uff0e\uff61]$/.test(trimmed)) return null
  const labels = name.split('.')
  const isDomain = name.length <= MAX_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isDomain ? name : null
}

export const proofHost = (domain: string): string => `_latchkey-challenge.${domain}`

/** The same for each claim of a domain by an organization, so that a record which is published stays valid. */
export const proofText = (tenantId: string, organizationId: string, domain: string, vault: Vault): string =>
  `latchkey-domain-verification=${vault.mac('organization-domain', JSON.stringify([tenantId, organizationId, domain])).toString('base64url')}`

/** Whether the record is published; otherwise why not. */
export async function missingProof(domain: string, text: string, findTexts: TextLookup): Promise<string | null> {
  const host = proofHost(domain)
  try {
    return (await findTexts(host)).includes(text) ? null : `${host} has no TXT record ${text}`
  } catch (error) {
    if (!(error instanceof TextLookupError)) throw error
    return error.reason === null
      ? `${host} has no TXT record ${text}`
      : `${host} could not be looked up: ${inWords(error.reason)}`
  }
}
