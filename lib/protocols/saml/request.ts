// An AuthnRequest, or none → the target of the response and what the login pipeline needs (SAML Core 3.4, Profiles 4.1).
// - The target is one of the client's callback URLs: an exact match, an index into the list, or the first. Until it is proven
//   every error is a page of this server (threat-model.md IP1).
// - Without a request the response is unsolicited (IdP-initiated) and goes to the first callback URL.
import { type Client, firstCallback, matchRedirectUri } from '../../clients/client'
import type { SamlSettings } from '../../clients/saml'
import { untrustedRedirect } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { Prompt, Wants } from '../../login/transaction'
import { MULTI_FACTOR_ACR } from '../../mfa/acr'
import type { Status } from '../../saml/messages'
import { BINDING, NAME_ID, STATUS } from '../../saml/names'
import type { AuthnRequest, RequestedContexts } from '../../saml/read'
import { malformed } from '../../saml/xml'
import { needsSecondFactor } from './authn-context'
import { INVALID_NAME_ID_POLICY } from './name-id'

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
  }
  return {
    request,
    wants: wantsOf(request, authnRequest, parameters),
    refusal: authnRequest && refusalOf(authnRequest, settings),
  }
}

function refusalOf({ protocolBinding, nameIdFormat }: AuthnRequest, settings: SamlSettings): Status | null {
  if (protocolBinding !== null && protocolBinding !== BINDING.post) {
    return { code: STATUS.responder, detail: STATUS.unsupportedBinding }
  }
  const formats: readonly string[] = [settings.nameIdentifierFormat, ...Object.values(NAME_ID)]
  return nameIdFormat === null || formats.includes(nameIdFormat) ? null : INVALID_NAME_ID_POLICY
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
  loginHint: (login_hint ?? authnRequest?.subject)?.slice(0, 320).toWellFormed() ?? null,
  subject: null,
  screenHint: null,
  uiLocales: ui_locales?.slice(0, 200).toWellFormed() ?? null,
  organization: organization ?? null,
})

const promptOf = (authnRequest: AuthnRequest | null): Prompt[] => [
  ...(authnRequest?.isPassive ? (['none'] as const) : []),
  ...(authnRequest?.forceAuthn ? (['login'] as const) : []),
]
