// The signature of a message in a query (SAML Bindings 3.4.4.1): over the parameters exactly as they were sent, in the order of
// the specification, whatever their order in the address. Libraries that encode once to sign and again to send are supported
// too: then the values are encoded again. Unsigned content is never accepted.
import { constants, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { SIGNATURE_METHOD, type SignatureHash, verifierOf } from './algorithms'
import { encodeForAddress } from './transport'

export type MessageName = 'SAMLRequest' | 'SAMLResponse'

/** Whether `search`, the raw query, has a signature of one of `keys` over this message. */
export function isSignedQuery(search: string, message: MessageName, keys: readonly KeyObject[]): boolean {
  const sent = rawParameters(search)
  const [algorithm, signature] = [sent.get('SigAlg'), sent.get('Signature')]
  const verify = verifierOf(algorithm === undefined ? null : decoded(algorithm))
  if (!verify || signature === undefined) return false
  const value = Buffer.from(decoded(signature), 'base64')
  const isOver = (text: string): boolean => verify(text, value, keys)
  return isOver(signedText(sent, message)) || isOver(signedText(encodedAnew(sent), message))
}

const PADDING = constants.RSA_PKCS1_PADDING

/** Raw names and values, still encoded. Repeated parameters were refused before. */
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

/** For example, `@node-saml/node-saml` signs a space as `%20` and sends it as `+`. */
const encodedAnew = (sent: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(Array.from(sent, ([name, value]) => [name, encodeURIComponent(decoded(value))]))

const decoded = (value: string): string => new URLSearchParams(`v=${value}`).get('v') ?? ''

const signAsync = promisify(sign)

/** `url` with the message and a signature over it. */
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
