// Short explanations of token claims, and the display form of their values.
import { asText } from './exchange-log'
import type { TokenClaims } from './jwt'

const MEANING: Record<string, string> = {
  iss: 'the server that issued it',
  sub: 'the person, for good',
  aud: 'whom it is for',
  exp: 'worthless from then on',
  iat: 'issued at',
  auth_time: 'when the person signed in',
  nonce: 'echo of this request',
  sid: 'the session at the server',
  azp: 'the app it was given to',
  scope: 'what it allows',
  at_hash: 'ties it to the access token',
  jti: 'its own id',
  amr: 'how the person proved it',
  alg: 'how it is signed',
  kid: 'the key that signed it',
  typ: 'what it is',
}

const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time'])

export type ClaimRow = { name: string; value: string; meaning: string | undefined }

export const rowsOf = (claims: TokenClaims): ClaimRow[] =>
  Object.entries(claims).map(([name, value]) => ({ name, value: readable(name, value), meaning: MEANING[name] }))

function readable(name: string, value: unknown): string {
  if (TIMES.has(name) && typeof value === 'number') return TIME.format(value * 1000)
  return Array.isArray(value) ? value.map(asText).join('\n') : asText(value)
}

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** `1:02:03` or `02:03`; zero after the end. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`
}
