// oidc-provider configured for the same work as Latchkey by default: code + PKCE, RS256, JWT access tokens for the API,
// rotating refresh tokens, no consent page for a first-party client. If a setting could make it slower without changing the
// response, the faster value is used; a comment marks each.
import {
  API,
  API_SCOPE,
  CLIENT_ID,
  DEVICE_GRANT,
  DEVICE_ID,
  MACHINE_ID,
  MACHINE_SECRET,
  REDIRECT_URI,
} from '../lib/definition.mjs'

const DAY = 86_400

const client = {
  client_id: CLIENT_ID,
  token_endpoint_auth_method: 'none',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

const machine = {
  client_id: MACHINE_ID,
  client_secret: MACHINE_SECRET,
  token_endpoint_auth_method: 'client_secret_post',
  redirect_uris: [],
  grant_types: ['client_credentials'],
  response_types: [],
}

const device = {
  client_id: DEVICE_ID,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  redirect_uris: [],
  grant_types: [DEVICE_GRANT, 'refresh_token'],
  response_types: [],
}

const resourceServer = {
  scope: API_SCOPE,
  accessTokenFormat: 'jwt',
  accessTokenTTL: DAY,
  jwt: { sign: { alg: 'RS256' } },
}

/** First-party: requested scopes are granted without a page and stored for the session's next request. */
async function loadExistingGrant({ oidc }) {
  const known = oidc.session.grantIdFor(oidc.client.clientId)
  if (known) return oidc.provider.Grant.find(known)
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid profile email offline_access')
  grant.addResourceScope(API, API_SCOPE)
  await grant.save()
  return grant
}

export const configuration = ({ adapter, findAccount, jwks, cookieKeys }) => ({
  adapter,
  findAccount,
  loadExistingGrant,
  jwks,
  clients: [client, machine, device],
  cookies: { keys: cookieKeys },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'nickname', 'given_name', 'family_name', 'picture', 'updated_at'],
  },
  pkce: { required: () => true },
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  rotateRefreshToken: true,
  // offline_access is dropped without a consent prompt, but the refresh token is issued.
  issueRefreshToken: async (_context, application) => application.grantTypeAllowed('refresh_token'),
  // Avoids a session look-up in every refresh and user-info request.
  expiresWithSession: async () => false,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => resourceServer,
    },
  },
  ttl: {
    AccessToken: DAY,
    AuthorizationCode: 60,
    ClientCredentials: DAY,
    DeviceCode: 900,
    Grant: 14 * DAY,
    IdToken: 36_000,
    Interaction: 3600,
    RefreshToken: 14 * DAY,
    Session: 14 * DAY,
  },
})
