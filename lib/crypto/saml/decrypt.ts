// Decrypts an assertion (XML Encryption 1.1 5): AES for the content, RSA-OAEP under a key of this server for the content key.
// PKCS#1 v1.5 is not supported, because it is a padding oracle. Decryption proves nothing about the author; response-checks.ts requires a
// signature.
import { constants, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto'
import { NS } from './names'
import { attributeOf, childOf, elementsOf, isNamed, malformed, textOf } from './xml'

type Content = { cipher: string; iv: number; tag: number; key: number }

const gcm = (bits: number): Content => ({ cipher: `aes-${bits}-gcm`, iv: 12, tag: 16, key: bits / 8 })
const cbc = (bits: number): Content => ({ cipher: `aes-${bits}-cbc`, iv: 16, tag: 0, key: bits / 8 })

const CONTENTS: ReadonlyMap<string, Content> = new Map(
  [128, 192, 256].flatMap((bits) => [
    [`${NS.encryption11}aes${bits}-gcm`, gcm(bits)],
    [`${NS.encryption}aes${bits}-cbc`, cbc(bits)],
  ]),
)

const OAEP = `${NS.encryption}rsa-oaep-mgf1p`
const OAEP_11 = `${NS.encryption11}rsa-oaep`
const SHA1 = `${NS.signature}sha1`

/** Digest and mask use the same hash, because the platform supports nothing else. */
const HASHES: Readonly<Record<string, string>> = {
  [`${SHA1} ${NS.encryption11}mgf1sha1`]: 'sha1',
  [`${NS.encryption}sha256 ${NS.encryption11}mgf1sha256`]: 'sha256',
  [`${NS.encryption}sha512 ${NS.encryption11}mgf1sha512`]: 'sha512',
}

/** One error for every failure, so that the answer is no oracle. */
const sealed = (): Error => malformed('its assertion cannot be decrypted', 'upstream_undecryptable')

/** Tries each of `keys`. */
export function decryptElement(encrypted: Element, keys: readonly KeyObject[]): string {
  try {
    const data = only(encrypted, 'EncryptedData')
    const [encryptedKey, ...more] = elementsOf(encrypted).filter((each) => isNamed(each, NS.encryption, 'EncryptedKey'))
    const content = CONTENTS.get(methodOf(data))
    if (!encryptedKey || more.length > 0 || !content) throw sealed()
    return new TextDecoder('utf-8', { fatal: true }).decode(
      opened(bytesOf(data), contentKey(encryptedKey, keys), content),
    )
  } catch {
    throw sealed()
  }
}

function contentKey(encryptedKey: Element, keys: readonly KeyObject[]): Buffer {
  const oaepHash = hashOf(only(encryptedKey, 'EncryptionMethod'))
  const bytes = bytesOf(encryptedKey)
  for (const key of keys) {
    try {
      return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, bytes)
    } catch {}
  }
  throw sealed()
}

function hashOf(method: Element): string {
  const algorithm = attributeOf(method, 'Algorithm')
  if (algorithm !== OAEP && algorithm !== OAEP_11) throw sealed()
  const digest = childOf(method, NS.signature, 'DigestMethod')
  const mask = algorithm === OAEP ? undefined : childOf(method, NS.encryption11, 'MGF')
  const named = [
    (digest && attributeOf(digest, 'Algorithm')) ?? SHA1,
    (mask && attributeOf(mask, 'Algorithm')) ?? `${NS.encryption11}mgf1sha1`,
  ]
  const hash = HASHES[named.join(' ')]
  if (hash === undefined) throw sealed()
  return hash
}

function opened(bytes: Buffer, key: Buffer, { cipher, iv, tag, key: length }: Content): Buffer {
  if (key.length !== length || bytes.length <= iv + tag) throw sealed()
  const [start, body, end] = [bytes.subarray(0, iv), bytes.subarray(iv, bytes.length - tag), bytes.subarray(-tag)]
  if (tag > 0) {
    const decipher = createDecipheriv(cipher as 'aes-256-gcm', key, start, { authTagLength: tag }).setAuthTag(end)
    return Buffer.concat([decipher.update(body), decipher.final()])
  }
  const decipher = createDecipheriv(cipher, key, start).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(body), decipher.final()])
  return padded.subarray(0, padded.length - paddingOf(padded))
}

/** Only the last byte of the padding has a meaning (XML Encryption 5.2.1). */
function paddingOf(padded: Buffer): number {
  const length = padded.at(-1) ?? 0
  if (length < 1 || length > 16) throw sealed()
  return length
}

const methodOf = (element: Element): string => attributeOf(only(element, 'EncryptionMethod'), 'Algorithm') ?? ''

const bytesOf = (element: Element): Buffer =>
  Buffer.from(textOf(only(only(element, 'CipherData'), 'CipherValue')), 'base64')

function only(parent: Element, name: string): Element {
  const child = childOf(parent, NS.encryption, name)
  if (!child) throw sealed()
  return child
}
