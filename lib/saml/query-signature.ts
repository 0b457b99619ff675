// The signature of a message in an address (SAML Bindings 3.4.4.1): over the parameters exactly as they were sent, in the
// order that the specification gives them, whatever their order in the address.
import { constants, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { believedSignature, SIGNATURE_METHOD, type SignatureHash } from './algorithms'
import { encodeForAddress } from './transport'

export type MessageName = 'SAMLRequest' | 'SAMLResponse'

/** Whether `search`, the query as it was sent, carries a signature of one of `keys` over this message. */
export function isSignedQuery(search: string, message: MessageName, keys: readonly KeyObject[]): boolean {
  const sent = rawParameters(search)
  const [algorithm, signature] = [sent.get('SigAlg'), sent.get('Signature')]
  const hash = believedSignature(algorithm === undefined ? null : decoded(algorithm))
  if (!hash || signature === undefined) return false
  const signed = Buffer.from(signedText(sent, message))
  const value = Buffer.from(decoded(signature), 'base64')
  return keys.some((key) => key.asymmetricKeyType === 'rsa' && verify(hash, signed, { key, padding: PADDING }, value))
}

const PADDING = constants.RSA_PKCS1_PADDING

/** Names as they are; values still encoded. A repeated one was refused before. */
const rawParameters = (search: string): Map<string, string> =>
  new Map(
    search.split('&').map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

const signedText = (sent: ReadonlyMap<string, string>, message: MessageName): string =>
  [message, 'RelayState', 'SigAlg']
    .filter((name) => sent.has(name))
    .map((name) => `${name}=${sent.get(name)}`)
    .join('&')

const decoded = (value: string): string => new URLSearchParams(`v=${value}`).get('v') ?? ''

const signAsync = promisify(sign)

/** `url` with the message, and a signature over it. */
export async function signedAddress(
  url: string,
  message: { name: MessageName; xml: string; relayState: string | null },
  { key, hash }: { key: KeyObject; hash: SignatureHash },
): Promise<string> {
  const signed = [
    [message.name, encodeForAddress(message.xml)],
    ...(message.relayState === null ? [] : [['RelayState', message.relayState]]),
    ['SigAlg', SIGNATURE_METHOD[hash]],
  ]
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const signature = await signAsync(hash, Buffer.from(signed), { key, padding: PADDING })
  return `${url}${url.includes('?') ? '&' : '?'}${signed}&Signature=${encodeURIComponent(signature.toString('base64'))}`
}
