// Login at a SAML 2.0 identity provider (Profiles 4.1): a request bound to the state of this browser's login, and the
// verification of the response (lib/crypto/saml/response-checks.ts), which counts once.
// - The id of the request is derived from the state under LATCHKEY_SECRET; RelayState is the state and contains no data.
// - A user is identified by the connection and the NameID, never by an address (threat-model.md SP5).
// - An unsolicited response must name the callback URL of this connection: nothing else in it tells apart two connections with
//   the same entity id (SP9).

import { writeAuthnRequest, writeLogoutRequest } from '../../crypto/saml/messages'
import { NAME_ID } from '../../crypto/saml/names'
import { signedAddress } from '../../crypto/saml/query-signature'
import type { VerifiedAssertion } from '../../crypto/saml/response-checks'
import { signXml } from '../../crypto/saml/sign'
import { encodeForAddress, encodeForForm } from '../../crypto/saml/transport'
import type { SamlConnection } from '../../data/connections/connection'
import { audienceOf, consumerUrls, samlProviderOf, signingOf } from '../../data/connections/upstream/saml-provider'
import { readSignedInAs, signedInAs } from '../../data/connections/upstream/saml-session'
import type {
  Departure,
  SamlUpstreamDeps,
  UnsolicitedStrategy,
  UpstreamAsk,
  UpstreamIdentity,
  UpstreamLogout,
} from '../../data/connections/upstream/upstream'
import { addSeconds } from '../../kernel/clock'
import { admitted, byNewestKeys, expectedOf, explained } from './assertion'

export const samlp = (connection: SamlConnection) =>
  ({
    start: (ask, deps) => start(connection, ask, deps),
    complete: (reply, deps) => judged(connection, reply, requestId(reply.state, deps), deps),
    unsolicited: (reply, deps) => judged(connection, reply, null, deps),
    async preverify({ state, ...reply }, deps) {
      await verdictOn(connection, reply, state === undefined ? null : requestId(state, deps), deps)
    },
    logoutUrl: (out, deps) => logoutUrl(connection, out, deps),
  }) satisfies UnsolicitedStrategy

const requestId = (state: string, { vault }: SamlUpstreamDeps): string =>
  `_${vault.mac('upstream saml request', state).toString('hex')}`

async function start(connection: SamlConnection, ask: UpstreamAsk, deps: SamlUpstreamDeps): Promise<Departure> {
  const { options } = connection.settings
  const { address, binding } = (await samlProviderOf(connection, deps)).signIn
  const xml = writeAuthnRequest({
    id: requestId(ask.state, deps),
    issuer: audienceOf(connection, deps),
    at: deps.clock.now(),
    destination: address,
    assertionConsumerUrl: consumerUrls(connection, deps)[0],
    forceAuthn: ask.anew,
  })
  const isSigned = options.signSAMLRequest !== false
  if (binding === 'redirect') return addressWith(address, { xml, relayState: ask.state }, isSigned, options, deps)
  const sent = isSigned ? await signXml(xml, deps.keyring.current, signingOf(options)) : xml
  return { action: address, fields: { SAMLRequest: encodeForForm(sent), RelayState: ask.state } }
}

type Options = SamlConnection['settings']['options']

async function addressWith(
  address: string,
  { xml, relayState }: { xml: string; relayState: string },
  isSigned: boolean,
  options: Options,
  { keyring }: SamlUpstreamDeps,
): Promise<string> {
  const signing = { key: keyring.current.privateKey, hash: signingOf(options).signature }
  if (isSigned) return signedAddress(address, { name: 'SAMLRequest', xml, relayState }, signing)
  const query = new URLSearchParams({ SAMLRequest: encodeForAddress(xml), RelayState: relayState })
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

async function judged(
  connection: SamlConnection,
  reply: Readonly<Record<string, string>>,
  inResponseTo: string | null,
  deps: SamlUpstreamDeps,
): Promise<UpstreamIdentity> {
  const verdict = await verdictOn(connection, reply, inResponseTo, deps)
  const identity = await admitted(verdict, connection, deps)
  return { ...identity, logoutHint: signedInAs(verdict) }
}

async function verdictOn(
  connection: SamlConnection,
  reply: Readonly<Record<string, string>>,
  inResponseTo: string | null,
  deps: SamlUpstreamDeps,
): Promise<VerifiedAssertion> {
  const judge = async (): Promise<VerifiedAssertion> => {
    const solicited = expectedOf(await samlProviderOf(connection, deps), connection, deps)
    const addresses = inResponseTo === null ? consumerUrls(connection, deps).slice(0, 1) : solicited.addresses
    const expected = { ...solicited, addresses, inResponseTo }
    return explained(deps.readXml('response', { encoded: reply.SAMLResponse ?? '', expected }))
  }
  return byNewestKeys(connection, connection.settings.options.metadataUrl, judge, deps)
}

const LOGOUT_SECONDS = 300

async function logoutUrl(
  connection: SamlConnection,
  out: UpstreamLogout,
  deps: SamlUpstreamDeps,
): Promise<string | null> {
  const { signOut } = await samlProviderOf(connection, deps)
  const signedIn = readSignedInAs(out.hint)
  if (signOut === null || signedIn === null) return null
  const at = deps.clock.now()
  const xml = writeLogoutRequest({
    id: requestId(out.state, deps),
    issuer: audienceOf(connection, deps),
    at,
    destination: signOut,
    expiresAt: addSeconds(at, LOGOUT_SECONDS),
    nameId: { value: signedIn.nameId, format: signedIn.format ?? NAME_ID.unspecified },
    sessionIndex: signedIn.sessionIndex,
  })
  return addressWith(signOut, { xml, relayState: out.state }, true, connection.settings.options, deps)
}
