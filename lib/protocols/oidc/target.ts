// The target of an /authorize response: client, redirect URI and response mode. Until they are proven every error is a page of
// this server (threat-model.md AZ1, AZ2). The server redirects and posts to targets proven here only.

import type { Client } from '../../data/clients/client'
import { matchRedirectUri } from '../../data/clients/registered-urls'
import { unregistered } from '../../data/clients/unregistered'
import { admits, isPattern } from '../../data/clients/url-patterns'
import { type DomainError, type Explained, untrustedRedirect } from '../../kernel/errors'
import { originOf } from '../../kernel/origin'
import type { Parameters } from '../../kernel/parameters'
import { modeFor, RESPONSE_MODES, type ResponseMode } from './response-type'

/** A proven target. */
export type ReturnTo = { clientId: string; redirectUri: string; responseMode: ResponseMode; state: string | null }

/**
 * `organization` is the name of the one that the request is for. `isTest`: the request is that of a test, whose address is this server's own
 * (lib/data/login-tests/login-test.ts).
 */
export function parseAuthorizationTarget(
  parameters: Parameters,
  client: Client | null,
  organization: string | null,
  isTest = false,
): { client: Client; returnTo: ReturnTo } {
  if (parameters.client_id === undefined)
    throw untrusted('unknown_client', 'Missing required parameter: client_id', {}, { reason: 'missing_client_id' })
  if (!client) {
    const description = `Unknown client: ${parameters.client_id}`
    throw untrusted('unknown_client', description, parameters, { reason: 'unknown_client' })
  }
  const redirectUri =
    isTest && parameters.redirect_uri !== undefined
      ? parameters.redirect_uri
      : chooseRedirectUri(client, organization, parameters)
  return {
    client,
    returnTo: {
      clientId: client.clientId,
      redirectUri,
      responseMode: chooseMode(parameters, client, redirectUri),
      state: parameters.state ?? null,
    },
  }
}

function chooseRedirectUri(client: Client, organization: string | null, parameters: Parameters): string {
  const { redirect_uri: sent } = parameters
  const only = client.settings.callbacks.length === 1 ? client.settings.callbacks[0] : undefined
  if (sent === undefined) {
    if (only !== undefined && !isPattern(only)) return only
    throw untrusted('callback_mismatch', 'Missing required parameter: redirect_uri', parameters, {
      reason: 'callback_missing',
    })
  }
  if (matchRedirectUri(client, sent, organization)) return sent
  throw untrusted(
    'callback_mismatch',
    `Callback URL mismatch. ${sent} is not in the list of allowed callback URLs`,
    parameters,
    unregistered('callback_not_registered', sent, client.settings.callbacks),
  )
}

/** web_message uses postMessage, so the target origin must be a registered web origin (threat-model.md AZ4). */
function chooseMode(
  { response_mode: mode, response_type: type = '' }: Parameters,
  client: Client,
  redirectUri: string,
): ResponseMode {
  if (mode === undefined) return modeFor(type, undefined)
  const known = RESPONSE_MODES.find((candidate) => candidate === mode)
  if (!known) throw untrusted('invalid_request', 'Unsupported response_mode', { response_mode: mode }, UNSUPPORTED_MODE)
  if (known === 'web_message' && !isWebOrigin(client, redirectUri)) {
    throw untrusted(
      'invalid_request',
      'web_message needs the origin of redirect_uri among the allowed web origins',
      { redirect_uri: redirectUri },
      unregistered('web_origin_missing', originOf(redirectUri) ?? redirectUri, client.settings.web_origins),
    )
  }
  return modeFor(type, known)
}

const isWebOrigin = (client: Client, redirectUri: string): boolean => {
  const origin = originOf(redirectUri)
  return origin !== null && client.settings.web_origins.some((allowed) => admits(originOf(allowed) ?? '', origin))
}

const UNSUPPORTED_MODE = { reason: 'response_mode_unsupported' } as const

function untrusted(page: string, description: string, sent: Parameters, why: Explained): DomainError {
  const { client_id, redirect_uri, response_mode } = sent
  return untrustedRedirect(page, description, defined({ client_id, redirect_uri, response_mode }), why)
}

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
