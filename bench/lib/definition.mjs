// The input of both servers: one client, one API, the same users. It is converted to Latchkey's tenant file
// (sides/ours-tenant.mjs) and to the peer's configuration and account rows (sides/peer-seed.mjs), so that both do the same
// work.

export const CLIENT_ID = 'bench-app'
/** A confidential client: client credentials and the password grant. */
export const MACHINE_ID = 'bench-machine'
export const MACHINE_SECRET = 'a secret of the bench machine, 48 characters long'
/** The same for users with a second factor. */
export const GUARDED_ID = 'bench-guarded'
export const GUARDED_SECRET = 'a secret of the guarded app, 48 characters long.'
export const MFA_OTP_GRANT = 'http://auth0.com/oauth/grant-type/mfa-otp'
export const PASSWORDLESS_GRANT = 'http://auth0.com/oauth/grant-type/passwordless/otp'
/** A first-party app that asks for passkeys itself. */
export const KEYED_ID = 'bench-keyed'
export const ORGANIZATION = 'bench-customer'
export const WEBAUTHN_GRANT = 'urn:okta:params:oauth:grant-type:webauthn'
/** A device without a keyboard. */
export const DEVICE_ID = 'bench-device'
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const REDIRECT_URI = 'https://app.bench.test/callback'
export const API = 'https://api.bench.test/'
export const API_SCOPE = 'read:orders'
/** The scopes of an ordinary application: identity, profile, an API, and a refresh token. */
export const SCOPE = `openid profile email offline_access ${API_SCOPE}`

/** The parameters that OWASP recommends for argon2id; Latchkey uses them for passwords. */
export const ARGON2 = { memoryCost: 19456, timeCost: 2, parallelism: 1 }
export const PASSWORD = 'correct horse battery staple 9'

const PEOPLE = 64

/** Enough accounts to avoid row contention and per-account limits. */
export const people = Array.from({ length: PEOPLE }, (_, index) => {
  const number = String(index).padStart(3, '0')
  return {
    id: `5f7c8ec7c33c6c004bbaf${number}`,
    email: `person${number}@bench.test`,
    name: `Person ${number}`,
    nickname: `person${number}`,
    givenName: 'Person',
    familyName: number,
    picture: `https://cdn.bench.test/${number}.png`,
  }
})
