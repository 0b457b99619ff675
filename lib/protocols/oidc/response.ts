// The answer to /authorize: a code, or an error, in the response mode that was asked for (OAuth 2.0 Multiple Response
// Types; Form Post Response Mode; RFC 9207 `iss` in both; `state` byte for byte).
// Only a ReturnTo that request.ts proved comes in here.

import { autoPostForm, webMessage } from '../../http/html'
import { type HttpResponse, redirect } from '../../http/message'
import { type Clock, epochSeconds } from '../../kernel/clock'
import type { DomainError } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import type { LoginOutcome, LoginProtocol } from '../../login/transaction'
import type { CodePort } from '../../tokens/authorization-code'
import { mintCode } from '../../tokens/authorization-code'
import type { AuthorizeRequest, ReturnTo } from './request'

export type OidcDeps = { issuer: string; baseUrl: string; clock: Clock; random: Random; codes: CodePort }

export const oidcProtocol = (deps: OidcDeps): LoginProtocol => ({
  respond: (request, outcome) => respondWithCode(request as AuthorizeRequest, outcome, deps),
  refuse: (request, error) => refuse(request as AuthorizeRequest, error, deps),
  restartUrl: (request) => `${deps.baseUrl}/authorize?${new URLSearchParams((request as AuthorizeRequest).parameters)}`,
})

async function respondWithCode(
  request: AuthorizeRequest,
  outcome: LoginOutcome,
  deps: OidcDeps,
): Promise<HttpResponse> {
  const { plain, code } = mintCode(
    {
      clientId: outcome.client.clientId,
      userId: outcome.user.id,
      redirectUri: request.parameters.redirect_uri ?? null,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      scopes: outcome.scopes,
      audience: outcome.audience,
      sid: outcome.sid,
      authentication: {
        time: epochSeconds(outcome.authTime),
        methods: outcome.evidence.map((proof) => proof.method),
        tell: request.tellAuthTime,
      },
    },
    deps.clock.now(),
    deps.random,
  )
  await deps.codes.insert(code)
  return deliver(request, { code: plain }, deps)
}

export function refuse(returnTo: ReturnTo, error: DomainError, deps: OidcDeps): HttpResponse {
  return deliver(returnTo, { error: error.code, error_description: error.description }, deps)
}

function deliver(
  { redirectUri, responseMode, state }: ReturnTo,
  answer: Record<string, string>,
  deps: OidcDeps,
): HttpResponse {
  const fields = { ...answer, ...(state === null ? {} : { state }), iss: deps.issuer }
  switch (responseMode) {
    case 'query':
      return redirect(appendQuery(redirectUri, fields))
    case 'fragment':
      return redirect(`${redirectUri}#${encode(fields)}`)
    case 'form_post':
      return autoPostForm(redirectUri, fields, { title: 'Signing in', button: 'Continue' }, deps.random.token(16))
    case 'web_message':
      return webMessage(fields, new URL(redirectUri).origin, deps.random.token(16))
  }
}

const appendQuery = (uri: string, fields: Record<string, string>): string =>
  `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${encode(fields)}`

/** `%20`, not `+`: a fragment is not form data, and every client decodes this one. */
const encode = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
