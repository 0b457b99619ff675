// A relying party's token as a JWT, where its setting says so, as the vendor's library makes them: the profile under its own names,
// and the token alone in place of the WS-Trust answer. The issuer is our name and never an address, whatever the add-on says, so
// no such token passes for an ID or access token of ours (threat-model.md WF2).
import type { WsFedSettings } from '../../clients/wsfed'
import { epochSeconds } from '../../kernel/clock'
import type { Attribute } from '../../saml/messages'

/** What assertions call by addresses, a JWT calls by the profile's own words. */
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
