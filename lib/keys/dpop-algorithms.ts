/** The algorithms of DPoP proofs (RFC 9449): asymmetric ones only. */
export const DPOP_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256'] as const
