// A service provider's key and messages, created for each test file, and helpers to read a response.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { makeSigningKey, SEALED_FOR } from '../crypto/keys/key'
import { pemOf } from '../crypto/saml/certificate'
import { fixedClock } from '../kernel/clock'
import { systemRandom } from '../kernel/random'
import { createVault } from '../kernel/secret'
import { TEST_SECRET } from './database'

export type Partner = {
  privateKey: KeyObject
  privatePem: string
  /** Base64 of the DER. */
  certificate: string
  certificatePem: string
}

export async function makePartner(): Promise<Partner> {
  const vault = createVault(TEST_SECRET)
  const made = await makeSigningKey('sp.test', 'RS256', { clock: fixedClock(), random: systemRandom, vault })
  const der = vault.open(SEALED_FOR, made.sealedPrivate)
  if (!der) throw new Error('the key was sealed just now')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const [certificate] = made.publicJwk.x5c
  return {
    privateKey,
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate,
    certificatePem: pemOf(certificate),
  }
}

/** The fields and the target of a self-posting form. */
export function formOf(html: string): { action: string; fields: Record<string, string> } {
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [unescapeHtml(name), unescapeHtml(value)] as const,
  )
  return { action: unescapeHtml(/ action="([^"]*)"/.exec(html)?.[1] ?? ''), fields: Object.fromEntries(fields) }
}

const CHARACTERS: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp);/g, (found) => CHARACTERS[found] ?? '')
