// Authentication context classes (`acr`, OIDC Core 2 and 5.5.1.1). A login has one of two: one factor, or two. Pure.

/**
 * What every login proves: a password, or another single factor in its place. It is the class that SAML assertions state
 * (lib/protocols/saml/authn-context.ts).
 */
export const SINGLE_FACTOR_ACR = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

export const MULTI_FACTOR_ACR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

export type RequestedAcr = {
  /** All values of the request, by `acr_values` and by claim. */
  acrValues: readonly string[]
  /** The values of an essential claim, one of which the login must have. */
  essentialAcr?: readonly string[]
}

/** A second factor is requested, unless the same request names one factor as well. */
export const asksForFactor = ({ acrValues, essentialAcr = [] }: RequestedAcr): boolean =>
  [acrValues, essentialAcr].some((values) => values.includes(MULTI_FACTOR_ACR) && !values.includes(SINGLE_FACTOR_ACR))

/** Whether no login can have one of the essential values. */
export const isUnattainable = (essential: readonly string[], canHaveFactor: boolean): boolean =>
  !essential.includes(SINGLE_FACTOR_ACR) && !(canHaveFactor && essential.includes(MULTI_FACTOR_ACR))

/** The class of a login: of those that it has, a requested one, else the stronger. */
export const acrOf = (requested: readonly string[], hasFactor: boolean): string =>
  hasFactor && (requested.includes(MULTI_FACTOR_ACR) || !requested.includes(SINGLE_FACTOR_ACR))
    ? MULTI_FACTOR_ACR
    : SINGLE_FACTOR_ACR
