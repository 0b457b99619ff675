/** The `gty` of access tokens of a token exchange, and of its ID tokens: they prove no sign-in to this server (account-proof.ts). */
export const EXCHANGED = 'token-exchange'
