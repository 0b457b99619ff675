// Proof that the owner of a custom domain gives it to a tenant: the challenge of its row, published in DNS or below the domain.
// - The challenge is random and new for every row, so it proves nothing for another tenant, nor after the row was deleted.
// - The document is at an address that this server never answers: pointing a domain here proves nothing for any tenant.
import { type CallOut, CallOutError } from '../../kernel/call-out'
import { missingProof, type TextLookup } from '../../kernel/domain'

export type ProofDeps = { findTexts: TextLookup; callOut: CallOut }

const DOCUMENT = '/.well-known/latchkey-domain-verification.txt'
const MAX_DOCUMENT = 4096

export const challengeText = (challenge: string): string => `latchkey-domain-verification=${challenge}`

/** Null if the domain is proven, else why it is not. */
export async function proofMissing(domain: string, challenge: string, deps: ProofDeps): Promise<string | null> {
  const expected = challengeText(challenge)
  const inDns = await missingProof(domain, expected, deps.findTexts)
  if (inDns === null) return null
  const below = await missingBelow(`https://${domain}${DOCUMENT}`, expected, deps)
  return below === null ? null : `${inDns}; ${below}`
}

async function missingBelow(address: string, expected: string, { callOut }: ProofDeps): Promise<string | null> {
  try {
    const { status, body } = await callOut(address, { method: 'GET', headers: { accept: 'text/plain' } })
    const lines = Buffer.from(body.subarray(0, MAX_DOCUMENT)).toString('utf8').split(/\r?\n/)
    return status === 200 && lines.includes(expected) ? null : `${address} does not have it`
  } catch (error) {
    if (!(error instanceof CallOutError)) throw error
    return `${address} could not be read: ${error.message}`
  }
}
