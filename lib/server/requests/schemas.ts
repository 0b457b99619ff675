// Members and answers that the descriptions of several folders share.
import * as z from 'zod'
import { optional, resource, scope } from '../../http/description'

/** Clients may instead send an Authorization header with `Basic`. */
export const credentials = () => ({
  client_id: optional('The client, unless it is in the Authorization header'),
  client_secret: optional('The secret, for the method client_secret_post'),
  client_assertion: optional('A signed JWT of the client, for the method private_key_jwt'),
  client_assertion_type: optional('`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`'),
})

/** What every kind of authorization request may say (the contract's "Authorize"; OIDC Core 3.1.2.1). */
export const authorizationMembers = () => ({
  response_type: optional('`code`, `token`, `id_token`, `none`, or several of them'),
  redirect_uri: optional('One of the callbacks of the client; the default is its only one'),
  response_mode: optional(
    '`query`, `fragment`, `form_post` or `web_message`; with `.jwt`, or `jwt` alone, as a signed JWT (JARM)',
  ),
  scope: scope(),
  audience: optional('The API that the access token is for'),
  resource: resource(),
  state: optional('Returned to the application unchanged'),
  nonce: optional('Becomes a claim of the ID token'),
  code_challenge: optional('PKCE: the digest of the code verifier'),
  code_challenge_method: optional('PKCE: `S256`'),
  dpop_jkt: optional('DPoP: the thumbprint of the key that the code is bound to'),
  prompt: optional('`none`, `login`, `consent`, `select_account` or `create` (the sign-up page)'),
  max_age: optional('The largest age of the login in seconds'),
  login_hint: optional('The address or name that the login page starts with'),
  id_token_hint: optional('An ID token of the person who must sign in'),
  screen_hint: optional('The first screen: `signup` or `reset_password`'),
  ui_locales: optional('The languages of the pages, the preferred first'),
  acr_values: optional(
    'The classes of authentication, of those in discovery; that of two factors alone asks for a second factor',
  ),
  claims: optional('The claims parameter of OpenID Connect, as JSON'),
  connection: optional('The connection to sign in with'),
  organization: optional('The organization to sign in to'),
  invitation: optional('The ticket of an invitation to that organization'),
  organization_name: optional('Sent with an invitation, without an effect'),
  request: optional('The request as a signed JWT (RFC 9101)'),
  request_uri: optional('A pushed request (RFC 9126), or a registered address of a request object'),
  registration: optional('Refused: this server does not support it'),
})

/** XML that other products read. */
export const XML = { says: 'The metadata', type: 'application/xml' } as const

export const PAGE = 'text/html'

export const identities = () =>
  z.array(
    z.object({
      connection: z.string(),
      provider: z.string(),
      user_id: z.string(),
      isSocial: z.boolean(),
      profileData: z.looseObject({}).optional(),
    }),
  )
