// A relying party's token as a JWT, where the client's setting requests one. As in the vendor's library, the claims have the
// plain names of the profile, and the token alone replaces the WS-Trust response. The issuer is this server's name and never a
// URL, whatever the add-on says, so the token cannot pass as an ID or access token of this server (threat-model.md WF2).

import type { Attribute } from '../../crypto/saml/messages'
import type { WsFedSettings } from '../../data/clients/wsfed'
import { epochSeconds } from '../../kernel/clock'

/** Assertions name claims by URIs; a JWT uses the plain names of the profile. */
export const plainNames = (settings: WsFedSettings): WsFedSettings => ({
  ...settings,
  issuer: undefined,
  mappings: {},
  passthroughClaimsWithNoMapping: true,
  mapUnknownClaimsAsIs: true,
  mapIdentities: false,
})

type TokenFacts = {
  id: string
  issuer: string
  audience: string
  nameId: { value: string }
  issuedAt: Date
  expiresAt: Date
  authenticatedAt: Date
  attributes: readonly Attribute[]
}

export const jwtClaims = (facts: TokenFacts): Record<string, unknown> => ({
  ...Object.fromEntries(facts.attributes.map(({ name, values }) => [name, values.length === 1 ? values[0] : values])),
  iss: facts.issuer,
  aud: facts.audience,
  sub: facts.nameId.value,
  iat: epochSeconds(facts.issuedAt),
  exp: epochSeconds(facts.expiresAt),
  auth_time: epochSeconds(facts.authenticatedAt),
  jti: facts.id,
})
