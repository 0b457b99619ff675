// The response to an AuthnRequest (SAML Core 3.3.3, Profiles 4.1.4): an assertion, or a status with the reason why there is
// none. It is posted to the address that request.ts proved, with RelayState unchanged (threat-model.md IP1).
// - Recipient, audience and InResponseTo bind the assertion to one application and one request; it is valid for minutes, once.
// - The session stores the NameID that the application received, for single logout.

import { certificateOf } from '../../crypto/saml/certificate'
import {
  type IssuedAssertion,
  type NameId,
  type Status,
  type StatusResponse,
  writeAssertion,
  writeResponse,
} from '../../crypto/saml/messages'
import { STATUS } from '../../crypto/saml/names'
import { encryptAssertion } from '../../crypto/saml/samlify'
import { signXml } from '../../crypto/saml/sign'
import { attributesOf, mapClaims, withAttributes, withCustom } from '../../data/claims/attributes'
import type { Client, ClientPort } from '../../data/clients/client'
import { type SamlSettings, samlOf } from '../../data/clients/saml'
import type { SamlParticipantPort } from '../../data/sessions/saml-participant'
import { providerEnd } from '../../data/sessions/session'
import type { ProfilePort } from '../../data/users/profile'
import { addSeconds } from '../../kernel/clock'
import { type DomainError, type ErrorCode, unauthorizedClient } from '../../kernel/errors'
import type { AssertionClaimsReader, LoginOutcome, LoginProtocol, Restart } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'
import { contextClassOf } from './authn-context'
import { INVALID_NAME_ID_POLICY, isAbout, nameIdFor } from './name-id'
import type { SamlRequest } from './request'
import { issuerOf, messageId, postMessage, type SenderDeps, signingOf, ssoUrl } from './sender'

export type SamlDeps = SenderDeps & {
  clients: Pick<ClientPort, 'find'>
  profiles: Pick<ProfilePort, 'find'>
  samlParticipants: SamlParticipantPort
  assertionClaims: AssertionClaimsReader
  /** The longest lifetime of a session, in seconds. */
  sessionSeconds: number
}

export const samlProtocol = (deps: SamlDeps): LoginProtocol => ({
  respond: (request, outcome) => respond(request as SamlRequest, outcome, deps),
  refuse: (request, error) => refuse(request as SamlRequest, error, deps),
  describe: (request) => ({ protocol: 'samlp', redirectUri: (request as SamlRequest).acs }),
  restart: (request) => restart(request as SamlRequest, deps),
})

/** Only the application can repeat its AuthnRequest, so only an unsolicited login can be restarted. */
const restart = ({ id, clientId }: SamlRequest, { baseUrl }: SamlDeps): Restart | null =>
  id === null ? { url: ssoUrl(baseUrl, clientId), replays: false } : null

async function respond(request: SamlRequest, outcome: LoginOutcome, deps: SamlDeps): Promise<VisitorResponse> {
  const own = enabledFor(outcome.client)
  const settings = { ...own, ...outcome.saml?.settings }
  if (!areRegistered(outcome.saml?.settings, own, outcome.client))
    return answerStatus(request, STRAY_ADDRESS, own, deps)
  const assertion = await assertionFor(request, outcome, settings, deps)
  if ('code' in assertion) return answerStatus(request, assertion, settings, deps)
  await remember(assertion.nameId, outcome, deps)
  return post(request, await writeSigned(request, assertion, settings, deps))
}

type AssertionDeps = Pick<SamlDeps, 'profiles' | 'assertionClaims' | 'random' | 'clock' | 'entityId'>

/** What the assertion says, or the status in its place. Without an effect: the preview of a login asks for it too. */
export async function assertionFor(
  request: SamlRequest,
  outcome: LoginOutcome,
  settings: SamlSettings,
  deps: AssertionDeps,
): Promise<IssuedAssertion | Status> {
  const contextClass = contextClassOf(request.contexts, settings, outcome.evidence)
  if (contextClass === null) return NO_CONTEXT
  if (request.isProxyRefused && outcome.evidence.some(({ method }) => method === 'fed')) return NO_PROXY
  const profile = await deps.profiles.find(outcome.user.id)
  if (!profile) throw new Error('the user who signed in no longer exists')
  const claims = mapClaims(profile, outcome.client.clientId, settings)
  if (request.subject && !isAbout(request.subject, claims, profile, settings)) return OTHER_PERSON
  const nameId = nameIdFor(request.nameIdFormat, claims, profile, settings, deps.random)
  if (!nameId) return INVALID_NAME_ID_POLICY
  const named = withAttributes(claims, outcome.saml?.attributes ?? {}, profile.user, settings)
  if (!named) return TAKEN_NAME
  const attributes = attributesOf(
    withCustom(named, await deps.assertionClaims(outcome, 'samlp'), profile.user, settings),
    settings,
  )
  return assertionOf(request, outcome, { nameId, contextClass, attributes }, settings, deps)
}

const NO_PROXY: Status = { code: STATUS.responder, detail: STATUS.proxyCountExceeded }
const OTHER_PERSON: Status = { code: STATUS.responder, detail: STATUS.unknownPrincipal }
const NO_CONTEXT: Status = { code: STATUS.responder, detail: STATUS.noAuthnContext }

const TAKEN_NAME: Status = {
  code: STATUS.responder,
  detail: STATUS.requestDenied,
  message: 'An action sets an attribute that is the profile’s, or the name identifier',
}
const STRAY_ADDRESS: Status = {
  code: STATUS.responder,
  detail: STATUS.requestDenied,
  message: 'An action names an address that is not registered for the application',
}

/** Whether the addresses that actions name are callbacks of the application, or those of its settings. */
function areRegistered(changes: Partial<SamlSettings> | undefined, own: SamlSettings, client: Client): boolean {
  const named = [changes?.recipient, changes?.destination].filter((address) => address !== undefined)
  return named.every(
    (address) =>
      address === own.recipient || address === own.destination || client.settings.callbacks.includes(address),
  )
}

/** Throws where the client may not use SAML. */
export function enabledFor(client: Client | null): SamlSettings {
  const settings = client && samlOf(client)
  if (settings) return settings
  throw unauthorizedClient('SAML is not enabled for this client', {
    reason: 'saml_not_enabled',
    redirectable: false,
  })
}

const remember = ({ value, format }: NameId, { client, sid }: LoginOutcome, deps: SamlDeps): Promise<void> =>
  deps.samlParticipants.record(
    sid,
    { clientId: client.clientId, nameId: value, nameIdFormat: format },
    addSeconds(deps.clock.now(), deps.sessionSeconds),
  )

function assertionOf(
  request: SamlRequest,
  outcome: LoginOutcome,
  content: Pick<IssuedAssertion, 'nameId' | 'contextClass' | 'attributes'>,
  settings: SamlSettings,
  deps: AssertionDeps,
): IssuedAssertion {
  const issuedAt = deps.clock.now()
  return {
    ...content,
    id: messageId(deps.random),
    issuer: issuerOf(settings, deps),
    audience: settings.audience ?? request.issuer ?? request.acs,
    recipient: settings.recipient ?? request.acs,
    inResponseTo: request.id,
    issuedAt,
    ...validityOf(request, addSeconds(issuedAt, settings.lifetimeInSeconds)),
    authenticatedAt: outcome.authTime,
    sessionIndex: outcome.sid,
    sessionEnd: providerEnd(outcome.evidence),
    typed: settings.typedAttributes,
  }
}

/** No longer than the settings say, and within what the request expects (Core 3.4.1: Conditions). */
function validityOf(
  { validity }: SamlRequest,
  end: Date,
): Pick<IssuedAssertion, 'notBefore' | 'expiresAt' | 'oneTimeUse'> {
  const { notBefore = null, notOnOrAfter = null, oneTimeUse = false } = validity ?? {}
  const expected = notOnOrAfter === null ? end : new Date(notOnOrAfter)
  return {
    notBefore: notBefore === null ? null : new Date(notBefore),
    expiresAt: expected < end ? expected : end,
    oneTimeUse,
  }
}

/** Signs the assertion, encrypts it, then signs the response; the receiver reverses this order. */
async function writeSigned(
  request: SamlRequest,
  assertion: IssuedAssertion,
  settings: SamlSettings,
  deps: SamlDeps,
): Promise<string> {
  const { current } = deps.keyring
  const signAssertion = settings.signAssertion ?? !settings.signResponse
  const plain = writeAssertion(assertion)
  const inner = signAssertion ? await signXml(plain, current, signingOf(settings)) : plain
  const answer = answerTo(request, { code: STATUS.success }, settings, deps)
  const open = writeResponse(answer, inner)
  const certificate = settings.encryptionCert === undefined ? null : certificateOf(settings.encryptionCert)
  const response = certificate === null ? open : await encryptAssertion(open, certificate)
  return settings.signResponse || !signAssertion ? signXml(response, current, signingOf(settings)) : response
}

const answerTo = (request: SamlRequest, status: Status, settings: SamlSettings, deps: SenderDeps): StatusResponse => ({
  id: messageId(deps.random),
  issuer: issuerOf(settings, deps),
  at: deps.clock.now(),
  destination: settings.destination ?? request.acs,
  inResponseTo: request.id,
  status,
})

async function refuse(request: SamlRequest, error: DomainError, deps: SamlDeps): Promise<VisitorResponse> {
  const settings = enabledFor(await deps.clients.find(request.clientId))
  return answerStatus(request, statusOf(error), settings, deps)
}

const statusOf = ({ code, description }: DomainError): Status => ({
  code: STATUS.responder,
  detail: DETAILS[code] ?? STATUS.requestDenied,
  message: description,
})

const DETAILS: Partial<Record<ErrorCode, string>> = {
  login_required: STATUS.noPassive,
  consent_required: STATUS.noPassive,
  interaction_required: STATUS.noPassive,
}

/** A response without an assertion, always signed. */
export async function answerStatus(
  request: SamlRequest,
  status: Status,
  settings: SamlSettings,
  deps: SenderDeps,
): Promise<VisitorResponse> {
  const response = writeResponse(answerTo(request, status, settings, deps), null)
  return post(request, await signXml(response, deps.keyring.current, signingOf(settings)))
}

const post = ({ acs, relayState }: SamlRequest, response: string): VisitorResponse =>
  postMessage(acs, { name: 'SAMLResponse', xml: response, relayState })
