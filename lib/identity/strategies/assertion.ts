// Turns a provider's assertion into an identity, for SAML and WS-Federation: verify it, read it, then consume its id, so that
// only one of several parallel uses counts (threat-model.md SP4).

import type { ExpectedToken, VerifiedAssertion } from '../../crypto/saml/response-checks'
import { StatusError } from '../../crypto/saml/status-error'
import { UNFIT_PAGE } from '../../crypto/saml/xml'
import type { AssertionConnection } from '../../data/connections/connection'
import { requestMetadataRefresh } from '../../data/connections/upstream/metadata-document'
import { identityOf } from '../../data/connections/upstream/saml-claims'
import { audienceOf, consumerUrls } from '../../data/connections/upstream/saml-provider'
import {
  type ReceivedClaims,
  type SamlUpstreamDeps,
  UpstreamError,
  type UpstreamIdentity,
} from '../../data/connections/upstream/upstream'
import { claimName } from '../../data/tickets/ticket'
import { DomainError } from '../../kernel/errors'

/** The values that a token must have to be valid for us now. */
export const expectedOf = (
  { issuer, keys }: Pick<ExpectedToken, 'issuer' | 'keys'>,
  connection: AssertionConnection,
  deps: SamlUpstreamDeps,
): ExpectedToken => ({
  now: deps.clock.now(),
  keys,
  decryptionKeys: deps.keyring.decrypting,
  issuer,
  audience: audienceOf(connection, deps),
  addresses: consumerUrls(connection, deps),
})

/** Translates errors into UpstreamError, as all strategies do; a server that is too busy to read the answer says so itself. */
export async function explained<V extends VerifiedAssertion>(judged: Promise<V>): Promise<V> {
  try {
    return await judged
  } catch (error) {
    if (error instanceof StatusError)
      throw new UpstreamError(refusalOf(error), `the provider answered ${error.message}`)
    if (!(error instanceof DomainError) || error.code === 'temporarily_unavailable') throw error
    const reason = error.reason === 'saml_message_invalid' ? undefined : error.reason
    throw new UpstreamError(error.page?.code === UNFIT_PAGE ? 'unfit' : 'forged', error.description, {
      cause: error,
      reason,
    })
  }
}

/** Judges again by metadata that is read again, if the answer is not accepted by the keys of the metadata that is kept. */
export async function byNewestKeys<V>(
  connection: AssertionConnection,
  metadataUrl: string | undefined,
  judge: () => Promise<V>,
  deps: SamlUpstreamDeps,
): Promise<V> {
  try {
    return await judge()
  } catch (error) {
    const isForged = error instanceof UpstreamError && error.failure === 'forged'
    if (!isForged || !requestMetadataRefresh(connection, metadataUrl, deps)) throw error
    return judge()
  }
}

/** A refusal by the user or the provider is no failure. */
const refusalOf = ({ message }: StatusError): 'denied' | 'unreachable' =>
  /\b(?:AuthnFailed|RequestDenied|NoPassive|UnknownPrincipal|FailedAuthentication)$/.test(message)
    ? 'denied'
    : 'unreachable'

export async function admitted(
  verdict: VerifiedAssertion,
  connection: AssertionConnection,
  deps: SamlUpstreamDeps,
): Promise<UpstreamIdentity> {
  const identity = identityOf(verdict, connection)
  if (!(await isFirstUse(verdict, connection, deps)))
    throw new UpstreamError('forged', 'the assertion was used before', { reason: 'upstream_replayed' })
  return { ...identity, received: receivedIn(verdict) }
}

const receivedIn = ({ issuer, nameId, attributes, checks }: VerifiedAssertion): ReceivedClaims => ({
  kind: 'assertion',
  claims: { issuer, name_id: nameId?.value, name_id_format: nameId?.format, ...Object.fromEntries(attributes) },
  checks,
})

/** The replay cache keeps an id until the assertion expires. */
const isFirstUse = (
  { assertionId, until }: VerifiedAssertion,
  { id }: AssertionConnection,
  deps: SamlUpstreamDeps,
): Promise<boolean> => claimName('saml-assertion', JSON.stringify([deps.baseUrl, id, assertionId]), until, deps)
