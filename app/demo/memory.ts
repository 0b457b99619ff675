// The state that survives redirects and reloads. It is in sessionStorage, so it belongs to this tab and ends with it. A real app
// keeps refresh tokens in memory, or on its own server.
import type { LoggedExchange } from './exchange-log'
import type { PendingSignIn } from './pkce'

export type HeldTokens = {
  /** The client that the tokens were issued to. */
  clientId: string
  idToken: string
  accessToken: string
  refreshToken: string | null
  scope: string
  /** How often the refresh token was rotated. */
  rotations: number
  nonce: string
}

const REQUEST = 'latchkey.demo.request.'
const TOKENS = 'latchkey.demo.tokens'
const LOG = 'latchkey.demo.log'
const LOG_LENGTH = 12

export const saveRequest = (request: PendingSignIn): void => write(REQUEST + request.state, request)

/** Returns the request of this tab with `state`, once; a second response for it is rejected. */
export function takeRequest(state: string): PendingSignIn | null {
  const request = read<PendingSignIn>(REQUEST + state)
  sessionStorage.removeItem(REQUEST + state)
  return request
}

export const loadTokens = (): HeldTokens | null => read<HeldTokens>(TOKENS)
export const saveTokens = (tokens: HeldTokens): void => write(TOKENS, tokens)
export const forgetTokens = (): void => sessionStorage.removeItem(TOKENS)

export const loadLog = (): LoggedExchange[] => read<LoggedExchange[]>(LOG) ?? []
export const startLog = (): void => sessionStorage.removeItem(LOG)
export const note = (exchange: LoggedExchange): void => write(LOG, [...loadLog(), exchange].slice(-LOG_LENGTH))

const write = (key: string, value: unknown): void => sessionStorage.setItem(key, JSON.stringify(value))

function read<T>(key: string): T | null {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as T)
}
