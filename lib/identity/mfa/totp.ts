// Codes of authenticator apps (RFC 6238 with SHA-1, six digits, 30 seconds, which every app supports), and the address in their
// QR code (the Key URI format).
import { createHmac } from 'node:crypto'
import { addSeconds, epochSeconds, MAX_SKEW_SECONDS } from '../../kernel/clock'

export const PERIOD_SECONDS = 30
export const DIGITS = 6
/** RFC 4226 4 recommends 160 bits. */
export const SEED_BYTES = 20

/** A phone's clock may be one step slow or fast (RFC 6238 5.2). */
const DRIFT = [0, -1, 1]

/** The time step of this code, or null. */
export function matchStep(seed: Uint8Array, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = stepAt(now)
  return DRIFT.map((drift) => current + drift).find((step) => codeAt(seed, step) === code) ?? null
}

const stepAt = (time: Date): number => Math.floor(epochSeconds(time) / PERIOD_SECONDS)

/** The latest step that an instance can have accepted, unless its clock was wrong. */
export const latestStep = (now: Date): number => stepAt(addSeconds(now, MAX_SKEW_SECONDS)) + Math.max(...DRIFT)

/** RFC 4226 5.3. */
export function codeAt(seed: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', seed).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/**
 * Bytes of a name as it is written in the address. With the issuer twice, the address stays a QR code that a phone reads from a
 * screen, whatever the names are.
 */
const MAX_NAME = { issuer: 180, account: 270 }

/** The Key URI format: the label is the issuer, a colon and the account; the parameter `issuer` repeats the issuer. */
export function otpauthUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const named = nameIn(issuer, MAX_NAME.issuer)
  const parameters = [
    `secret=${secret}`,
    ...(named === '' ? [] : [`issuer=${named}`]),
    `algorithm=SHA1&digits=${DIGITS}&period=${PERIOD_SECONDS}`,
  ]
  const label = [...(named === '' ? [] : [named]), nameIn(account, MAX_NAME.account)].join(':')
  return `otpauth://totp/${label}?${parameters.join('&')}`
}

/** Apps decode the label and split it at its first colon, so a name has none, encoded or not. */
function nameIn(name: string, most: number): string {
  const plain = name
    .toWellFormed()
    .replace(/[:\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  let written = ''
  for (const character of plain) {
    const next = written + encodeURIComponent(character)
    if (next.length > most) break
    written = next
  }
  return written.replace(/(?:%20)+$/, '')
}
