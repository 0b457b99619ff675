// An AuthnRequest, or none → the target of the response and what the login pipeline needs (SAML Core 3.4, Profiles 4.1).
// - The target is one of the client's callback URLs: an exact match, an index into the list, or the first. Until it is proven
//   every error is a page of this server (threat-model.md IP1).
// - Without a request the response is unsolicited (IdP-initiated) and goes to the first callback URL.

import type { Status } from '../../crypto/saml/messages'
import { BINDING, NAME_ID, nameIdFormat, STATUS } from '../../crypto/saml/names'
import type { AuthnRequest, RequestedConditions, RequestedContexts } from '../../crypto/saml/read'
import { malformed } from '../../crypto/saml/xml'
import type { Client } from '../../data/clients/client'
import { firstCallback, matchRedirectUri } from '../../data/clients/registered-urls'
import type { SamlSettings } from '../../data/clients/saml'
import { unregistered } from '../../data/clients/unregistered'
import { MULTI_FACTOR_ACR } from '../../identity/mfa/acr'
import type { Clock } from '../../kernel/clock'
import { untrustedRedirect } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { OidcPrompt, Wants } from '../../login/transaction'
import { needsSecondFactor } from './authn-context'
import { INVALID_NAME_ID_POLICY } from './name-id'
import { issuerOf } from './sender'

/** Stored with the login transaction: everything that the response needs. */
export type SamlRequest = {
  clientId: string
  /** The proven assertion consumer service URL. */
  acs: string
  relayState: string | null
  /** The id of the AuthnRequest; null for an unsolicited response. */
  id: string | null
  issuer: string | null
  nameIdFormat: string | null
  contexts: RequestedContexts | null
  /** The only person that the assertion may be about. */
  subject?: { nameId: string; format: string | null }
  /** What the application expects of the assertion's validity. */
  validity?: { notBefore: string | null; notOnOrAfter: string | null; oneTimeUse: boolean }
  /** No other identity provider may have signed the person in. */
  isProxyRefused?: boolean
}

/** `refusal`: the request cannot be fulfilled, so no login is needed. */
export type ParsedLogin = { request: SamlRequest; wants: Wants; refusal: Status | null }

const SCOPES = ['openid', 'profile', 'email']

/** In characters; the specification allows 80 bytes. */
const MAX_RELAY_STATE = 8192

export function parseLogin(
  authnRequest: AuthnRequest | null,
  parameters: Parameters,
  client: Client,
  settings: SamlSettings,
  deps: { clock: Clock; entityId: string },
  /** The name of the one that the request is for. */
  organization: string | null = null,
): ParsedLogin {
  const request: SamlRequest = {
    clientId: client.clientId,
    acs: chooseAcs(authnRequest, client, organization),
    relayState: relayStateOf(parameters),
    id: authnRequest?.id ?? null,
    issuer: authnRequest?.issuer ?? null,
    nameIdFormat: authnRequest?.nameIdFormat ?? null,
    contexts: authnRequest?.contexts ?? null,
    ...(authnRequest ? limitsOf(authnRequest) : {}),
  }
  const audience = settings.audience ?? request.issuer ?? request.acs
  return {
    request,
    wants: wantsOf(request, authnRequest, parameters),
    refusal:
      authnRequest &&
      refusalOf(authnRequest, settings, { now: deps.clock.now(), audience, entityId: issuerOf(settings, deps) }),
  }
}

function limitsOf({ subject, conditions, scoping }: AuthnRequest): Partial<SamlRequest> {
  const { notBefore, notOnOrAfter, oneTimeUse } = conditions ?? {}
  return {
    ...(subject?.nameId ? { subject: { nameId: subject.nameId, format: subject.format } } : {}),
    ...(conditions
      ? {
          validity: {
            notBefore: notBefore?.toISOString() ?? null,
            notOnOrAfter: notOnOrAfter?.toISOString() ?? null,
            oneTimeUse: oneTimeUse === true,
          },
        }
      : {}),
    ...(scoping?.proxyCount === 0 ? { isProxyRefused: true } : {}),
  }
}

const UNSUPPORTED: Status = { code: STATUS.requester, detail: STATUS.requestUnsupported }

type Here = { now: Date; audience: string; entityId: string }

/** The first member that cannot be honoured, by the status that Core 3.2.2.2 names for it. */
function refusalOf(request: AuthnRequest, settings: SamlSettings, here: Here): Status | null {
  if (request.isLater) return { code: STATUS.versionMismatch, detail: STATUS.versionTooHigh }
  if (request.protocolBinding !== null && request.protocolBinding !== BINDING.post) {
    return { code: STATUS.responder, detail: STATUS.unsupportedBinding }
  }
  if (!isPossiblePolicy(request, settings, here)) return INVALID_NAME_ID_POLICY
  if (request.subject?.isReadable === false) return UNSUPPORTED
  const providers = request.scoping?.identityProviders
  if (providers && !providers.includes(here.entityId)) return { code: STATUS.responder, detail: STATUS.noSupportedIdp }
  return request.conditions && refusalOfConditions(request.conditions, here)
}

/** Names are in the namespace of the application alone. */
function isPossiblePolicy(request: AuthnRequest, settings: SamlSettings, { audience }: Here): boolean {
  const formats: readonly string[] = [nameIdFormat(settings.nameIdentifierFormat), ...Object.values(NAME_ID)]
  if (request.nameIdFormat !== null && !formats.includes(request.nameIdFormat)) return false
  return request.spNameQualifier === null || [request.issuer, audience].includes(request.spNameQualifier)
}

function refusalOfConditions(
  { notBefore, notOnOrAfter, audiences, hasOther }: RequestedConditions,
  { now, audience }: Here,
): Status | null {
  if (hasOther || audiences.some((list) => !list.includes(audience))) return UNSUPPORTED
  const isEmpty = notBefore !== null && notOnOrAfter !== null && notOnOrAfter <= notBefore
  const isOver = notOnOrAfter !== null && notOnOrAfter <= now
  return isEmpty || isOver ? { code: STATUS.requester, detail: STATUS.requestDenied } : null
}

function chooseAcs(authnRequest: AuthnRequest | null, client: Client, organization: string | null): string {
  const { assertionConsumerUrl: url = null, assertionConsumerIndex: index = null } = authnRequest ?? {}
  if (url !== null && index !== null) throw malformed('it names an AssertionConsumerService twice')
  const acs = index === null ? (url ?? firstCallback(client)) : client.settings.callbacks[index]
  if (acs !== undefined && /^https?:/i.test(acs) && matchRedirectUri(client, acs, organization)) return acs
  const named = url ?? (index === null ? undefined : String(index))
  throw untrustedRedirect(
    'callback_mismatch',
    named === undefined
      ? 'The application has no callback URL'
      : 'AssertionConsumerServiceURL mismatch. It is not in the list of allowed callback URLs',
    { client_id: client.clientId, ...(named === undefined ? {} : { AssertionConsumerServiceURL: named }) },
    named === undefined
      ? { reason: 'callback_missing' }
      : unregistered('callback_not_registered', named, client.settings.callbacks),
  )
}

function relayStateOf({ RelayState }: Parameters): string | null {
  if (RelayState !== undefined && RelayState.length > MAX_RELAY_STATE) throw malformed('RelayState is too long')
  return RelayState ?? null
}

const wantsOf = (
  { clientId, acs, contexts }: SamlRequest,
  authnRequest: AuthnRequest | null,
  { connection, organization, login_hint, ui_locales }: Parameters,
): Wants => ({
  clientId,
  redirectUri: acs,
  scopes: SCOPES,
  audience: null,
  prompt: promptOf(authnRequest),
  maxAge: null,
  acrValues: needsSecondFactor(contexts) ? [MULTI_FACTOR_ACR] : [],
  connection: connection ?? null,
  loginHint: (login_hint ?? authnRequest?.subject?.nameId)?.slice(0, 320).toWellFormed() ?? null,
  subject: null,
  screenHint: null,
  uiLocales: ui_locales?.slice(0, 200).toWellFormed() ?? null,
  organization: organization ?? null,
})

const promptOf = (authnRequest: AuthnRequest | null): OidcPrompt[] => [
  ...(authnRequest?.isPassive ? (['none'] as const) : []),
  ...(authnRequest?.forceAuthn ? (['login'] as const) : []),
]
