// The token for a relying party: a signed assertion (SAML 1.1 by default, or SAML 2.0) or a JWT, by the client's setting, with
// the same claims.

import { signJwt } from '../../crypto/keys/jwt'
import type { Keyring } from '../../crypto/keys/keyring'
import { writeAssertion11 } from '../../crypto/saml/assertion11'
import { writeAssertion } from '../../crypto/saml/messages'
import { signXml } from '../../crypto/saml/sign'
import { attributesOf, mapClaims, nameIdentifierOf, withCustom } from '../../data/claims/attributes'
import type { WsFedSettings } from '../../data/clients/wsfed'
import type { Profile, ProfilePort } from '../../data/users/profile'
import type { CustomClaims } from '../../identity/tenant-code/claims/compile'
import { addSeconds, type Clock } from '../../kernel/clock'
import { accessDenied } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import type { AssertionClaimsReader, LoginOutcome } from '../../login/transaction'
import { jwtClaims } from './jwt-token'
import { MULTIPLE_AUTHENTICATION } from './names'
import type { WsFedSignIn } from './request'

export type WsFedTokenDeps = {
  entityId: string
  keyring: Keyring
  clock: Clock
  random: Random
  profiles: Pick<ProfilePort, 'find'>
  assertionClaims: AssertionClaimsReader
}

export async function issueToken(
  request: WsFedSignIn,
  outcome: LoginOutcome,
  settings: WsFedSettings,
  deps: WsFedTokenDeps,
): Promise<string> {
  const values = await tokenValues(request, outcome, settings, deps)
  if (settings.tokenType === 'jwt') return signJwt(jwtClaims(values), 'JWT', deps.keyring)
  const { current } = deps.keyring
  const options = { signature: hashOf(settings.signatureAlgorithm), digest: settings.digestAlgorithm }
  if (settings.tokenType === 'saml11') {
    const authenticationMethod = methodOf(outcome)
    return signXml(writeAssertion11({ ...values, authenticationMethod }), current, options, 'last')
  }
  const more = {
    recipient: request.reply,
    inResponseTo: null,
    sessionIndex: outcome.sid,
    contextClass: settings.authnContextClassRef,
    typed: settings.typedAttributes,
  }
  return signXml(writeAssertion({ ...values, ...more }), current, options)
}

/** What the token says in every format. Without an effect: the preview of a login asks for it too. */
export async function tokenValues(
  request: WsFedSignIn,
  outcome: LoginOutcome,
  settings: WsFedSettings,
  deps: Omit<WsFedTokenDeps, 'keyring'>,
) {
  const profile = await deps.profiles.find(outcome.user.id)
  if (!profile) throw accessDenied('The user no longer exists', { reason: 'user_gone' })
  const custom = await deps.assertionClaims(outcome, 'wsfed')
  return valuesOf(request, { profile, custom }, outcome, settings, deps)
}

function valuesOf(
  { clientId, realm }: WsFedSignIn,
  { profile, custom }: { profile: Profile; custom: CustomClaims },
  { authTime }: LoginOutcome,
  settings: WsFedSettings,
  deps: Omit<WsFedTokenDeps, 'keyring'>,
) {
  const issuedAt = deps.clock.now()
  const claims = mapClaims(profile, clientId, settings)
  return {
    id: `_${deps.random.hex(32)}`,
    issuer: settings.issuer ?? deps.entityId,
    audience: asUri(settings.audience ?? realm),
    nameId: { value: nameIdentifierOf(claims, profile, settings), format: settings.nameIdentifierFormat },
    issuedAt,
    expiresAt: addSeconds(issuedAt, settings.lifetimeInSeconds),
    authenticatedAt: authTime,
    attributes: attributesOf(withCustom(claims, custom, profile.user, settings), settings),
  }
}

/** The vendor's treatment of a realm that is not a URI. */
const asUri = (realm: string): string => (/^(https?:\/|urn:)/.test(realm) ? realm : `urn:${realm}`)

const hashOf = (algorithm: WsFedSettings['signatureAlgorithm']) => HASHES[algorithm]
const HASHES = { 'rsa-sha1': 'sha1', 'rsa-sha256': 'sha256', 'rsa-sha512': 'sha512' } as const

const METHOD = 'urn:oasis:names:tc:SAML:1.0:am:'

function methodOf({ evidence }: LoginOutcome): string {
  if (evidence.some(({ method }) => method === 'mfa')) return MULTIPLE_AUTHENTICATION
  return METHOD + (evidence.some(({ method }) => method === 'pwd') ? 'password' : 'unspecified')
}
