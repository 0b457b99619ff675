// The providers as data: their endpoints, the requests to them, the places of claims in their responses, and whether their
// verification of addresses is trusted. This file has no code; lib/identity/strategies reads the fields.
// - `verified: 'claim'` is only for a provider that itself verifies the addresses it returns and whose customers cannot set one
//   (threat-model.md UP3). If an organization runs the server, the connection has to declare the trust.
// - `keyedBy: 'connection'` puts the connection's name into the subject: two such servers may use the same ids.

/** A claim's place: a dotted path, alternatives separated by `|`, or a text with such paths in braces. */
export type ClaimPaths = Readonly<Record<string, string>>

export type ProviderRow = {
  /** The displayed name. */
  name: string
  protocol: 'oidc' | 'oauth2'
  /** May contain `{domain}` or `{tenant}`, from the connection's options; if absent, the connection sets it. */
  issuer?: string
  /** For a server without a discovery document. */
  authorization?: string
  token?: string
  userinfo?: string
  /** Where its addresses are if they are not in the profile; the verified primary one is used. */
  addresses?: { url: string; list: string; address: string; verified: string; first: string }
  scope: string
  auth: 'post' | 'basic' | 'signed'
  /** Off if the provider answers such requests with an error. */
  pkce: boolean
  /** The response mode. */
  mode?: 'form_post'
  /** A field of the response that holds JSON about the user; used for the name only, because it is not authenticated. */
  replyClaims?: string
  /** Parameters that are always sent. */
  params?: Readonly<Record<string, string>>
  claims?: ClaimPaths
  /** The path of the id; `sub` by default. */
  id?: string
  verified: 'claim' | 'never'
  keyedBy: 'provider' | 'connection'
  /** Supports `prompt=login` and then asks for a password. */
  reauthenticates?: true
  /** An organization's own provider: no button unless the connection sets one. */
  enterprise?: true
}

const oidc = (row: Partial<ProviderRow> & { name: string }): ProviderRow => ({
  protocol: 'oidc',
  scope: 'openid profile email',
  auth: 'post',
  pkce: true,
  verified: 'never',
  keyedBy: 'provider',
  ...row,
})

const oauth2 = (
  row: Omit<ProviderRow, 'protocol' | 'auth' | 'pkce' | 'keyedBy'> & Partial<ProviderRow>,
): ProviderRow => ({
  protocol: 'oauth2',
  auth: 'post',
  pkce: true,
  keyedBy: 'provider',
  ...row,
})

const ORGANISATION = { keyedBy: 'connection', reauthenticates: true, enterprise: true } as const

export const PROVIDERS = {
  // ------------------------------------------------------------------------------------------- generic, by its address
  oidc: oidc({ name: 'OpenID Connect', ...ORGANISATION }),
  oauth2: oauth2({ name: 'OAuth 2.0', scope: '', verified: 'never', keyedBy: 'connection' }),
  okta: oidc({ name: 'Okta', issuer: 'https://{domain}', ...ORGANISATION }),
  keycloak: oidc({ name: 'Keycloak', issuer: 'https://{domain}', ...ORGANISATION }),
  /** A server with the vendor's API: the vendor's own, or another Latchkey. */
  'auth0-oidc': oidc({ name: 'Auth0', issuer: 'https://{domain}/', ...ORGANISATION }),
  waad: oidc({
    name: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/{tenant}/v2.0',
    claims: { nickname: 'preferred_username' },
    keyedBy: 'provider',
    reauthenticates: true,
    enterprise: true,
  }),

  // ------------------------------------------------------------------------------------------------- OpenID Connect
  'google-oauth2': oidc({ name: 'Google', issuer: 'https://accounts.google.com', verified: 'claim' }),
  apple: oidc({
    name: 'Apple',
    issuer: 'https://appleid.apple.com',
    scope: 'openid name email',
    auth: 'signed',
    mode: 'form_post',
    // Apple sends the name only with the first response.
    replyClaims: 'user',
    claims: {
      given_name: 'user.name.firstName',
      family_name: 'user.name.lastName',
      name: '{user.name.firstName} {user.name.lastName}|user.name.firstName|user.name.lastName',
    },
    verified: 'claim',
  }),
  gitlab: oidc({ name: 'GitLab', issuer: 'https://gitlab.com', verified: 'claim' }),
  slack: oidc({ name: 'Slack', issuer: 'https://slack.com' }),
  twitch: oidc({
    name: 'Twitch',
    issuer: 'https://id.twitch.tv/oauth2',
    scope: 'openid user:read:email',
    params: {
      claims: '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    claims: { nickname: 'preferred_username', name: 'preferred_username' },
    verified: 'claim',
  }),
  yahoo: oidc({ name: 'Yahoo', issuer: 'https://api.login.yahoo.com', verified: 'claim' }),
  paypal: oidc({ name: 'PayPal', issuer: 'https://www.paypal.com', auth: 'basic', id: 'payer_id|sub' }),
  salesforce: oidc({ name: 'Salesforce', issuer: 'https://login.salesforce.com', id: 'user_id|sub' }),
  'salesforce-sandbox': oidc({
    name: 'Salesforce (sandbox)',
    issuer: 'https://test.salesforce.com',
    id: 'user_id|sub',
  }),

  // ------------------------------------------------------------------------------------------------------ OAuth 2.0
  windowslive: oauth2({
    name: 'Microsoft',
    authorization: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token',
    userinfo: 'https://graph.microsoft.com/v1.0/me',
    scope: 'User.Read',
    id: 'id',
    claims: {
      name: 'displayName',
      given_name: 'givenName',
      family_name: 'surname',
      email: 'mail|userPrincipalName',
      locale: 'preferredLanguage',
    },
    verified: 'never',
  }),
  github: oauth2({
    name: 'GitHub',
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    addresses: {
      url: 'https://api.github.com/user/emails',
      list: '',
      address: 'email',
      verified: 'verified',
      first: 'primary',
    },
    scope: 'read:user user:email',
    id: 'id',
    claims: { name: 'name|login', nickname: 'login', picture: 'avatar_url', profile: 'html_url', website: 'blog' },
    verified: 'claim',
  }),
  facebook: oauth2({
    name: 'Facebook',
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userinfo: 'https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email,picture.width(200)',
    scope: 'public_profile email',
    id: 'id',
    claims: {
      name: 'name',
      given_name: 'first_name',
      family_name: 'last_name',
      email: 'email',
      picture: 'picture.data.url',
    },
    verified: 'never',
  }),
  linkedin: oauth2({
    name: 'LinkedIn',
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    userinfo: 'https://api.linkedin.com/v2/userinfo',
    scope: 'openid profile email',
    pkce: false,
    verified: 'claim',
  }),
  twitter: oauth2({
    name: 'X',
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
    scope: 'users.read tweet.read',
    auth: 'basic',
    id: 'data.id',
    claims: { name: 'data.name', nickname: 'data.username', picture: 'data.profile_image_url' },
    verified: 'never',
  }),
  discord: oauth2({
    name: 'Discord',
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    scope: 'identify email',
    id: 'id',
    claims: {
      name: 'global_name|username',
      nickname: 'username',
      email: 'email',
      email_verified: 'verified',
      picture: 'https://cdn.discordapp.com/avatars/{id}/{avatar}.png',
      locale: 'locale',
    },
    verified: 'claim',
  }),
  spotify: oauth2({
    name: 'Spotify',
    authorization: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    scope: 'user-read-email',
    auth: 'basic',
    id: 'id',
    claims: { name: 'display_name', email: 'email', picture: 'images.0.url' },
    verified: 'never',
  }),
  amazon: oauth2({
    name: 'Amazon',
    authorization: 'https://www.amazon.com/ap/oa',
    token: 'https://api.amazon.com/auth/o2/token',
    userinfo: 'https://api.amazon.com/user/profile',
    scope: 'profile',
    id: 'user_id',
    claims: { name: 'name', email: 'email' },
    verified: 'never',
  }),
  bitbucket: oauth2({
    name: 'Bitbucket',
    authorization: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    addresses: {
      url: 'https://api.bitbucket.org/2.0/user/emails',
      list: 'values',
      address: 'email',
      verified: 'is_confirmed',
      first: 'is_primary',
    },
    scope: 'account email',
    auth: 'basic',
    pkce: false,
    id: 'account_id|uuid',
    claims: { name: 'display_name', nickname: 'nickname|username', picture: 'links.avatar.href' },
    verified: 'claim',
  }),
  line: oauth2({
    name: 'LINE',
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    userinfo: 'https://api.line.me/v2/profile',
    scope: 'profile',
    id: 'userId',
    claims: { name: 'displayName', picture: 'pictureUrl' },
    verified: 'never',
  }),
  wordpress: oauth2({
    name: 'WordPress',
    authorization: 'https://public-api.wordpress.com/oauth2/authorize',
    token: 'https://public-api.wordpress.com/oauth2/token',
    userinfo: 'https://public-api.wordpress.com/rest/v1/me',
    scope: 'auth',
    pkce: false,
    id: 'ID',
    claims: { name: 'display_name', nickname: 'username', email: 'email', picture: 'avatar_URL' },
    verified: 'never',
  }),
  box: oauth2({
    name: 'Box',
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    userinfo: 'https://api.box.com/2.0/users/me',
    scope: '',
    pkce: false,
    id: 'id',
    claims: { name: 'name', email: 'login', picture: 'avatar_url' },
    verified: 'never',
  }),
} satisfies Readonly<Record<string, ProviderRow>>

export type ProviderStrategy = keyof typeof PROVIDERS

export const isProvider = (strategy: string): strategy is ProviderStrategy => Object.hasOwn(PROVIDERS, strategy)

export const providerOf = (strategy: string): ProviderRow | undefined =>
  isProvider(strategy) ? PROVIDERS[strategy] : undefined

/** The customer runs the server, so the connection may say where its endpoints are; Microsoft's and the social ones are fixed. */
export const hasOwnServer = ({ issuer, authorization }: ProviderRow): boolean =>
  authorization === undefined && (issuer === undefined || issuer.includes('{domain}'))
