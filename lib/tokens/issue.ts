// The only place that creates a token response (RFC 6749 5.1): a grant returns an authorization, this mints its tokens.
// - An ID token needs scope `openid` and a user. A client that acts for itself gets neither ID nor refresh token.
// - `scope` is always returned, so a client need not guess whether its request was narrowed.

import type { JWTPayload } from 'jose'
import { signJwt } from '../crypto/keys/jwt'
import type { Keyring } from '../crypto/keys/keyring'
import type { Api } from '../data/apis/api'
import { type PermissionPort, type Permitted, permitted } from '../data/apis/permissions'
import type { UpdatedAtFormat } from '../data/claims/claims'
import type { Client } from '../data/clients/client'
import type { Organization } from '../data/organizations/organization'
import type { Portray } from '../data/users/picture'
import type { User } from '../data/users/user'
import type { DelegatedActor } from '../identity/tenant-code/trigger'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { type AccessTokenSubject, accessTokenClaims, accessTokenSeconds, issueAccessToken } from './access-token'
import { type ActionClaims, type CustomClaimDeps, type CustomClaimsByToken, customClaims } from './custom-claims'
import { EXCHANGED } from './exchanged'
import type { TokenFamily } from './family'
import { type IdTokenSubject, idTokenClaims, type ScopeClaims } from './id-token'
import { type OrganizationClaimDeps, organizationClaims, organizationOf } from './organization-claims'
import { demandProof } from './proof-of-possession'
import { writeRefreshToken } from './refresh-token'

/** A grant's decision: for a person, or for the client itself (client credentials). */
export type Authorization = PersonalAuthorization | ClientAuthorization

export type PersonalAuthorization = {
  client: Client
  user: User
  api: Api | null
  family: Pick<TokenFamily, 'id' | 'sid' | 'authentication'>
  scopes: readonly string[]
  nonce: string | null
  /** The generation of the refresh token to return; null for none. */
  refreshGeneration: number | null
  gty?: string | string[]
  protocol: string
  /** The new recovery code to show: this login used one. */
  recoveryCode?: string
  /** Who acts for the person. */
  actor?: DelegatedActor
}

export type ClientAuthorization = {
  client: Client
  user: null
  api: Api
  scopes: readonly string[]
  gty: string
  protocol: string
  /** Whom the client acts for. */
  organization?: Organization
  /** Custom claims that actions set. */
  custom?: ActionClaims
}

export type TokenResponse = {
  access_token: string
  token_type: 'Bearer' | 'DPoP'
  expires_in: number
  id_token?: string
  refresh_token?: string
  scope?: string
  recovery_code?: string
}

type PersonalTokens = Pick<TokenResponse, 'id_token' | 'refresh_token' | 'recovery_code'>

export type IssueDeps = CustomClaimDeps &
  OrganizationClaimDeps & {
    issuer: string
    otherIssuers: readonly string[]
    baseUrl: string
    keyring: Keyring
    vault: Vault
    random: Random
    now: Date
    updatedAt: UpdatedAtFormat
    scopeClaims: ScopeClaims
    portray: Portray
    permissions: PermissionPort
  }

/** The request: its address, and the thumbprint of the key that it proves, which the tokens are bound to (RFC 9449 5). */
export type IssuedTo = { ip: string; jkt?: string | undefined }

export async function issueTokens(
  authorization: Authorization,
  { ip, jkt }: IssuedTo,
  deps: IssueDeps,
): Promise<TokenResponse> {
  const { api, user, client } = authorization
  demandProof(jkt, client, api)
  const organization = await organizationFor(authorization, deps)
  const subject = { userId: user?.id ?? null, organizationId: organization?.id ?? null }
  const may = await permitted(subject, api, authorization.scopes, deps.permissions)
  const customByToken = customClaimsFor(authorization, organization, may.scopes, ip, deps)
  const custom = customByToken instanceof Promise ? await customByToken : customByToken
  return respond(authorization, organization, may, custom, jkt, deps)
}

const organizationFor = async (
  authorization: Authorization,
  deps: OrganizationClaimDeps,
): Promise<Organization | null> =>
  authorization.user === null
    ? (authorization.organization ?? null)
    : organizationOf(authorization.family.authentication?.organization, deps)

const claimsIn = (organization: Organization | null, deps: OrganizationClaimDeps) =>
  organization === null ? {} : { organization: organizationClaims(organization, deps) }

async function respond(
  authorization: Authorization,
  organization: Organization | null,
  may: Permitted,
  customByToken: CustomClaimsByToken,
  jkt: string | undefined,
  deps: IssueDeps,
): Promise<TokenResponse> {
  const { api } = authorization
  const forOrganization = claimsIn(organization, deps)
  const subject = { ...subjectOf(authorization, may, customByToken), jkt, ...forOrganization }
  const access = await issueAccessToken(subject, api, deps)
  return {
    access_token: access.token,
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: access.expiresIn,
    ...(authorization.user === null
      ? {}
      : await personalTokens(authorization, forOrganization, may.scopes, customByToken, access.token, jkt, deps)),
    ...(may.scopes.length > 0 ? { scope: may.scopes.join(' ') } : {}),
  }
}

function customClaimsFor(
  authorization: Authorization,
  organization: Organization | null,
  scopes: readonly string[],
  ip: string,
  deps: CustomClaimDeps & Pick<IssueDeps, 'portray'>,
) {
  const { client, user, api, protocol } = authorization
  const authentication = authorization.user === null ? null : authorization.family.authentication
  const custom = authorization.user === null ? authorization.custom : authentication?.custom
  const methods = authentication?.methods ?? []
  const request = { ip, protocol, audience: api?.identifier ?? null, scopes, methods }
  return customClaims({ user: user && deps.portray(user), client, organization, request }, custom, deps)
}

function subjectOf(
  authorization: Authorization,
  { scopes, permissions }: Permitted,
  { accessToken: custom }: CustomClaimsByToken,
): AccessTokenSubject {
  const { client, user, gty } = authorization
  const family = authorization.user === null ? null : authorization.family
  return {
    familyId: family?.id ?? null,
    clientId: client.clientId,
    subject: user?.id ?? clientSubject(client),
    scopes,
    permissions,
    gty,
    authentication: family?.authentication ?? null,
    ...(authorization.user !== null && authorization.actor ? { actor: authorization.actor } : {}),
    custom,
  }
}

/** Never equal to a user's id: those contain a provider and a bar, which client ids cannot. */
const clientSubject = ({ clientId }: Client): string => `${clientId}@clients`

async function personalTokens(
  { client, user, family, nonce, refreshGeneration, recoveryCode, protocol, gty, actor }: PersonalAuthorization,
  forOrganization: ReturnType<typeof claimsIn>,
  scopes: readonly string[],
  customByToken: CustomClaimsByToken,
  accessToken: string,
  jkt: string | undefined,
  deps: IssueDeps,
): Promise<PersonalTokens> {
  const { id: familyId, authentication, sid } = family
  const refreshed = protocol === 'oauth2-refresh-token'
  const about = {
    client,
    user: deps.portray(user),
    scopes,
    authentication,
    sid,
    nonce,
    accessToken,
    custom: customByToken.idToken,
    refreshed,
    exchanged: gty === EXCHANGED,
    ...(actor ? { actor } : {}),
    ...forOrganization,
  }
  const tokens: PersonalTokens = {}
  if (scopes.includes('openid')) tokens.id_token = await signIdToken(about, deps)
  if (refreshGeneration !== null) {
    // A confidential client's refresh token needs no key: the client authenticates with each use (RFC 9449 5).
    const ref = { familyId, generation: refreshGeneration }
    const isBound = jkt !== undefined && client.isPublic
    tokens.refresh_token = writeRefreshToken(isBound ? { ...ref, jkt } : ref, deps.vault)
  }
  if (recoveryCode !== undefined) tokens.recovery_code = recoveryCode
  return tokens
}

const signIdToken = (about: IdTokenSubject, deps: IssueDeps): Promise<string> =>
  signJwt(idTokenClaims(about, deps), 'JWT', deps.keyring, about.client.settings.jwt_configuration.alg)

export type ForeseenTokens = {
  idToken: JWTPayload | null
  /** Null for one that is opaque. */
  accessToken: JWTPayload | null
  scopes: readonly string[]
  seconds: number
}

/** What the tokens would say. None is made: nothing is signed or sealed. */
export async function foreseeTokens(
  authorization: PersonalAuthorization,
  { ip }: IssuedTo,
  deps: Omit<IssueDeps, 'keyring' | 'vault'>,
): Promise<ForeseenTokens> {
  const { client, user, api, family, nonce } = authorization
  const organization = await organizationFor(authorization, deps)
  const may = await permitted(
    { userId: user.id, organizationId: organization?.id ?? null },
    api,
    authorization.scopes,
    deps.permissions,
  )
  const custom = await customClaimsFor(authorization, organization, may.scopes, ip, deps)
  const forOrganization = claimsIn(organization, deps)
  const subject = { ...subjectOf(authorization, may, custom), ...forOrganization }
  const seconds = accessTokenSeconds(subject, api, deps.now)
  const about = {
    ...{ client, user: deps.portray(user), scopes: may.scopes, authentication: family.authentication, sid: family.sid },
    ...{ nonce, accessToken: 'an access token is beside it', custom: custom.idToken },
    ...forOrganization,
  }
  const { at_hash: _, ...idToken } = may.scopes.includes('openid') ? idTokenClaims(about, deps) : {}
  return {
    idToken: may.scopes.includes('openid') ? idToken : null,
    accessToken: api === null ? null : accessTokenClaims(subject, api, seconds, deps),
    scopes: may.scopes,
    seconds,
  }
}

/** What /authorize returns through the browser; `code` and `state` are returned beside it. */
export type BrowserAsk = { accessToken: boolean; idToken: boolean; code: string | null; state: string | null }
export type BrowserTokens = Partial<Omit<TokenResponse, 'refresh_token' | 'recovery_code'>>

/** The tokens of an /authorize response: shorter-lived, bound to the values beside them, never a refresh token. */
export async function issueToBrowser(
  authorization: PersonalAuthorization,
  { accessToken, idToken, code, state }: BrowserAsk,
  ip: string,
  deps: IssueDeps,
): Promise<BrowserTokens> {
  const { client, user, api, family, nonce } = authorization
  const organization = await organizationFor(authorization, deps)
  const forOrganization = claimsIn(organization, deps)
  const subject = { userId: user.id, organizationId: organization?.id ?? null }
  const may = await permitted(subject, api, authorization.scopes, deps.permissions)
  const customByToken = await customClaimsFor(authorization, organization, may.scopes, ip, deps)
  const access = accessToken
    ? await issueAccessToken(
        { toBrowser: true, ...subjectOf(authorization, may, customByToken), ...forOrganization },
        api,
        deps,
      )
    : null
  const { authentication, sid } = family
  const hashed = { accessToken: access?.token ?? null, code, state }
  const about = {
    client,
    user: deps.portray(user),
    scopes: may.scopes,
    authentication,
    sid,
    nonce,
    ...hashed,
    custom: customByToken.idToken,
    ...forOrganization,
  }
  return {
    ...(access ? { access_token: access.token, token_type: 'Bearer', expires_in: access.expiresIn } : {}),
    ...(idToken ? { id_token: await signIdToken(about, deps) } : {}),
    ...(access && may.scopes.length > 0 ? { scope: may.scopes.join(' ') } : {}),
  }
}
