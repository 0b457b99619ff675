// The request in an event. Parameters whose names indicate secrets are left out, regardless of the sender (threat-model.md RU3),
// because an action can print everything in its event.

import type { JsonObject } from '../../kernel/json'
import type { Parameters } from '../../kernel/parameters'
import type { EventRequest } from './event'

export type SourceRequest = {
  /** The configured base URL: a client may put any name into `Host` (threat-model.md HT3). */
  baseUrl?: string
  ip: string
  method: string
  headers: Readonly<Record<string, string | undefined>>
}

const SECRET =
  /pass|secret|token|otp|(^|_)code($|_)|pin$|ticket|assertion|verifier|^saml|^w?result$|captcha|cookie|authorization|signature|authn|auth_session/i

/** Allow-list: these match the names of secrets, but hold no secret. */
const HARMLESS = new Set(['token_endpoint_auth_method', 'code_challenge', 'code_challenge_method'])

const MAX_PARAMETERS = 50
const MAX_VALUE_LENGTH = 2000
const MAX_BROUGHT_LENGTH = 16_384

/** `select` chooses the parameters that the event contains. */
export const eventRequest = (
  { baseUrl, ip, method, headers }: SourceRequest,
  query: Parameters,
  body: Parameters = {},
  select: (sent: Parameters) => JsonObject = withoutSecrets,
): EventRequest => ({
  ip,
  method,
  ...named('hostname', baseUrl && new URL(baseUrl).hostname),
  ...named('language', languageOf(headers['accept-language'])),
  ...named('user_agent', headers['user-agent']?.slice(0, 500)),
  query: select(query),
  body: select(body),
  geoip: {},
})

export const withoutSecrets = (sent: Parameters): JsonObject =>
  bounded(
    Object.entries(sent).filter(([name]) => isHarmless(name)),
    MAX_VALUE_LENGTH,
  )

/**
 * Parameters from another site after a redirect, unfiltered: the action that redirected there needs them, above all the signed
 * token.
 */
export const asBrought = (sent: Parameters): JsonObject => bounded(Object.entries(sent), MAX_BROUGHT_LENGTH)

const bounded = (sent: [string, string | undefined][], longest: number): JsonObject =>
  Object.fromEntries(
    sent
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
      .slice(0, MAX_PARAMETERS)
      .map(([name, value]) => [name.slice(0, 200), value.slice(0, longest)]),
  )

const isHarmless = (name: string): boolean => HARMLESS.has(name) || !SECRET.test(name)

const languageOf = (header: string | undefined): string | undefined => /^[\w-]{1,20}/.exec(header?.trim() ?? '')?.[0]

const named = (name: string, value: string | undefined) =>
  value === undefined || value === '' ? {} : { [name]: value }
