// The catalogue of reasons: for each code of a refusal a hint, which says what is wrong and what to do. It is the only list: the logs, the error
// page in development, /troubleshooting and docs/troubleshooting.md follow it.
// - Every code of lib/kernel/errors.ts is a reason too: the one of a refusal that names no other.
// - A hint is for the operator and the developer. A stranger sees none of them with a refusal (threat-model.md BF28).
// - A hint is the same for every case. What differs (a name, an address) is in the refusal's own sentence.
import type { ErrorCode } from './errors'

export const REASONS = {
  // The client, and how it authenticates
  unknown_client:
    'No application of this tenant has this client_id. Compare it with the list of applications, and check that the domain is that of the right tenant.',
  missing_client_id:
    'The request names no application. Send client_id in the body, or client id and secret with HTTP Basic.',
  wrong_secret:
    'The client secret does not match. Copy it again from the application; after a rotation the earlier secret is void.',
  wrong_auth_method:
    'The application authenticates in another way than it is registered for. Change its token_endpoint_auth_method, or what it sends: `none` sends no secret.',
  client_not_confidential:
    'This endpoint needs an application with a secret or a key. A single-page or native application has none.',
  credentials_misplaced:
    'The client credentials are sent twice, in two ways, or in the URL. Send them once: in the body, or in the Authorization header.',
  assertion_invalid:
    'The client_assertion is not accepted. Compare its key, audience (this server’s issuer or token endpoint), iss, sub, exp and jti; it works once.',
  token_of_another_client: 'The token was issued to another application than the one that sends the request.',
  client_gone: 'The application was deleted while the request was under way.',
  registration_disabled:
    'Dynamic client registration is off. Set the flag enable_dynamic_client_registration of the tenant, or register the application yourself.',
  registration_token_invalid:
    'The registration access token does not belong to this client_id, or was replaced. Use the newest one that the registration returned.',

  // Grants and codes
  grant_not_allowed:
    'The application may not use this grant. Add it to its grant_types; implicit and password grants are off for new applications.',
  response_type_not_allowed:
    'The application may not use this response_type, because its grant_types lack what it needs: `implicit` for tokens, `authorization_code` for a code.',
  code_invalid:
    'The authorization code is not one of this tenant for this application. Send it unchanged, with the client_id that requested it.',
  code_expired:
    'The authorization code is older than 60 seconds. Exchange it at once, and check the clock of the machine.',
  code_used:
    'The authorization code was exchanged before, or its session has ended since. A code works once: look for a callback that runs twice (reload, React strict mode, two servers).',
  session_ended: 'The session of the login ended before its tokens were issued. Sign in again.',
  redirect_uri_differs:
    'The redirect_uri of the token request is not the one of the authorization request. Send the same text, byte for byte.',
  pkce_required:
    'A public application must use PKCE: send code_challenge and code_challenge_method=S256 with the authorization request. Every current SDK does.',
  pkce_malformed:
    'The code challenge must be the SHA-256 of the verifier as base64url, with code_challenge_method=S256; `plain` is not supported.',
  pkce_mismatch:
    'The code_verifier does not belong to the code_challenge. The verifier was lost or replaced between the two requests: another tab, another origin (localhost and 127.0.0.1), or storage that was cleared.',
  pkce_unexpected: 'A code_verifier was sent, and the authorization request had no code_challenge. Send both or none.',
  key_unproven: 'The code or token is bound to a key (DPoP), and the request does not prove that key.',
  refresh_token_unknown:
    'The refresh token is not one of this tenant for this application, or was revoked with its login. Sign in again.',
  refresh_token_expired:
    'The refresh token has ended: by its lifetime, by inactivity, by revocation, or because the person’s password changed. Sign in again.',
  refresh_token_reused:
    'A refresh token was used after its successor, which a thief would do too, so the whole login is revoked. Store the new refresh token of each response, and refresh in one place at a time.',
  refresh_token_superseded:
    'An earlier refresh token was used within its leeway after its successor. The login goes on with the newer one: refresh in one place at a time.',
  api_closed:
    'The API of the grant was deleted, or does not admit this application any more (its policy for access of users). Check the API and its client grants.',
  device_code_invalid:
    'The device code is unknown, was used, or belongs to another application. Start the login of the device again.',
  device_denied: 'The person refused the device.',
  user_code_unknown:
    'No device waits for this user code. It lives for some minutes; start the login of the device again.',

  // APIs and scopes
  audience_missing:
    'The request names no API. Send `audience` with the identifier of an API, or set default_audience of the tenant.',
  api_unknown:
    'No API of this tenant has this identifier. Compare `audience` with the identifier of the API, including a final slash.',
  client_grant_missing:
    'The application has no client grant for this API. Give it one in the console (Applications, APIs), in the tenant file (clientGrants) or by the Management API.',
  api_not_for_client:
    'The API issues tokens only to applications that it names (subject_type_authorization). Add a client grant for users, or allow all.',
  scope_not_granted: 'The client grant lacks a requested scope. Add it to the grant, or request less.',
  scope_exceeds_grant:
    'A refresh may narrow the scopes of the login, never widen them. Sign in again with the wider scope.',
  scope_unknown:
    'Requested scopes were dropped, because neither OpenID Connect nor the API has them, or the API gives them to first-party applications only. Add them to the API, or request others.',
  offline_access_not_allowed:
    'offline_access was dropped, because the API does not allow it, so there is no refresh token (an SDK then says `Missing Refresh Token`). Set allow_offline_access of the API.',
  refresh_not_allowed:
    'offline_access was dropped, because the application may not refresh, so there is no refresh token (an SDK then says `Missing Refresh Token`). Add refresh_token to its grant_types.',

  // The authorization request
  callback_not_registered:
    'The redirect_uri is not among the allowed callback URLs of the application. Register it exactly: scheme, host, port, path and final slash count.',
  callback_missing:
    'The request has no redirect_uri, and the application has none or several. Send one of its callback URLs.',
  web_origin_missing:
    'The origin of the page is not among the application’s origins. Add it to web_origins: scheme, host and port, without a path.',
  origin_not_allowed:
    'Pages of this origin may not log people in for this application. Register the origin (callbacks, web_origins or allowed_origins), and set cross_origin_authentication; a third-party application never may.',
  response_mode_unsupported:
    'The response_mode is not one of query, fragment, form_post, web_message and their .jwt forms.',
  request_not_pushed:
    'The application must push its requests to /oauth/par first (require_pushed_authorization_requests).',
  request_not_signed: 'The application must sign its requests (a request object with its key).',
  request_uri_used: 'The request_uri works once and for a short time. Push the request again.',
  fapi2_required:
    'The application has the profile fapi2, which allows response_type=code with PKCE and a named redirect_uri only.',

  // The person
  user_unknown:
    'No account of this connection has this address or name. Check the connection of the login, and the spelling.',
  wrong_password: 'The password is wrong.',
  sign_in_refused:
    'The name, the password or the code is wrong, or the account may not sign in. A link to a test of a login does not say which; the login inspector does.',
  user_blocked: 'The person is blocked. Unblock the user in the console, or set blocked: false by the Management API.',
  user_gone: 'The person’s account was deleted.',
  account_locked:
    'Too many failed logins of this account from this address. The right password is refused too: lift the block in the console (Security), or by the link that was mailed.',
  address_locked:
    'Too many failed logins from this network address. Behind a proxy list it in LATCHKEY_TRUSTED_PROXIES, else all users have the proxy’s address.',
  login_hurried:
    'Too many logins of one account from one address within a minute. Wait, and look for a loop in the application.',
  leaked_password:
    'The password is known from a data breach elsewhere, and the tenant refuses such passwords. Choose another one.',
  address_unverified:
    'The connection requires a verified address (require_verified_email), and this one is not verified.',
  other_person_expected:
    'The request is for one person (id_token_hint or a login that goes on), and another one signed in.',
  sessions_revoked: 'The person was blocked or signed out everywhere while the request was under way. Sign in again.',

  // Connections
  connection_unknown:
    'No connection of this name is enabled for the application. Compare the name (realm, connection), and enable the connection for the application.',
  connection_not_enabled:
    'No such connection, or none at all, is enabled for this application, or for the organization of the login. Compare its name, and enable it: under Connections in the console, by enabled_clients in the tenant file.',
  default_directory_missing:
    'The request names no connection, and the tenant has no default_directory. Set it, or use the grant password-realm.',
  upstream_unreachable:
    'The identity provider could not be reached, or answered with a failure. The message says which call failed: check its address, metadata, client id and secret in the connection.',
  upstream_denied: 'The identity provider refused the login, or the person cancelled it there.',
  upstream_unfit:
    'The answer of the identity provider is genuine and cannot be accepted: its time, audience, issuer or algorithm. Check clocks, and the entity id and client id of the connection.',
  upstream_not_ours:
    'The answer does not belong to a login of this browser: it was used before, is late, or was posted to another address or connection. Start again at the application.',
  upstream_audience:
    'The answer of the identity provider is for another audience. SAML: enter the entity id of the connection as audience at the provider; OpenID Connect: compare the client_id.',
  upstream_expired:
    'The answer of the identity provider is over, or the person’s session there is. Both times are in the message: compare the clocks of both servers.',
  upstream_early:
    'The answer of the identity provider is not valid yet. Both times are in the message: compare the clocks of both servers.',
  upstream_issuer:
    'The answer is of another identity provider than the connection names. Compare its entity id or issuer with that of the connection.',
  upstream_address:
    'The answer of the identity provider is for another address, or was sent to the callback of another connection. Enter the callback address of the connection at the provider.',
  upstream_other_request:
    'The answer of the identity provider is to another request, or to none. Start again at the application; for logins that begin at the provider enable idpinitiated.',
  upstream_replayed:
    'The answer of the identity provider was used before: reload, back button, or a second tab. Start again at the application.',
  upstream_undecryptable:
    'The encrypted assertion cannot be decrypted, or what is inside is not signed as required. Give the provider the current certificate of the connection’s metadata, with AES and RSA-OAEP.',
  signature_missing:
    'The message has no signature, and must have one. Let the other side sign the assertion or the response; of a request or a logout, the message itself.',
  signature_invalid:
    'The signature is by none of the certificates or keys that are known here, or the content was changed. Enter the newest signing certificate of the other side, or its metadata.',
  signature_algorithm:
    'The message is signed with an algorithm that is not accepted; the message names it. Let the other side sign with SHA-256 or better.',
  upstream_no_account: 'The person is new, and the connection creates no accounts (disable_signup).',
  upstream_account_taken: 'The account at the identity provider belongs to another user of this tenant already.',
  unsolicited_not_allowed:
    'The connection takes no login that begins at the identity provider. Enable idpinitiated in its options.',
  too_many_identities: 'The user has as many linked accounts as one can have. Unlink one first.',

  // One-time codes, passkeys and second factors
  one_time_code_wrong:
    'The one-time code is wrong, or was sent for another address or application. Only the newest code counts.',
  one_time_code_expired: 'The one-time code is over. Request another one.',
  one_time_code_exhausted: 'The one-time code was tried too often. Request another one.',
  too_many_codes:
    'Too many wrong one-time codes for this address or from this network. Wait, or let the person sign in another way.',
  login_link_over: 'The link of the mail is over, was used, or was rejected in another browser. Request another one.',
  mail_link_over: 'The link of the mail is over, was used, or was replaced by a newer one. Request another one.',
  login_test_over: 'The test of a login was used, has expired, or was started in another browser. Begin another one.',
  answer_unfit:
    'The answer that the application would get is none that it accepts. The step says what the check found: compare the add-on of the application with what it expects.',
  share_over:
    'The link to a login has expired, was withdrawn, or has started as many logins as it may; or who made it has lost the right to. Ask for another one.',
  passkey_unknown: 'No account has this passkey. It was removed here and is still on the device: remove it there.',
  passkey_wrong:
    'The answer of the passkey is not valid for this login. The message says what differs: origin, challenge, connection, person or verification.',
  passkey_copied:
    'The counter of the passkey went back, so another device may have its key. The person should remove it and add a new one.',
  passkey_model_refused: 'Passkeys of this authenticator are not accepted by the connection (its allowed models).',
  passkeys_disabled: 'The connection has no passkeys. Enable the authentication method passkey in its options.',
  auth_session_invalid:
    'The auth_session is over, was used, or belongs to another application. Request another challenge.',
  factor_wrong: 'The answer of the second factor is wrong. For an authenticator app check the clock of the device.',
  factor_rejected: 'The person rejected the prompt on the device, or chose another number.',
  factor_other_type: 'The login needs a factor of the type that an action names, and another one was used.',
  factor_not_enabled:
    'The factor is switched off for the tenant, or cannot be added in this way. Enable it under Security, Factors.',
  factor_impossible:
    'A second factor is required and none is possible: no factor is switched on, or the person has none of the type that an action names.',
  factor_limit_reached: 'The person has as many factors or passkeys as one can have. Remove one first.',
  factor_needed_first: 'A recovery code replaces a factor, so the person needs one first.',
  already_enrolled:
    'The person has a factor already, so the mfa_token of this login cannot add one. Sign in with the factor first.',
  too_many_factor_failures: 'Too many wrong answers of second factors of this person. Wait for some minutes.',
  oob_code_invalid: 'The oob_code is unknown, over, used, or of another login. Request another challenge.',
  mfa_token_invalid:
    'The mfa_token is unknown or belongs to another application. Send the one of the newest mfa_required answer.',
  message_unsent: 'The message could not be sent. The server’s log names the cause at the provider.',

  // Actions
  action_denied:
    'An action of the tenant denied it. Its message is in the record; `npm run actions -- logs` shows the run.',
  action_failed:
    'An action of the tenant failed, and on_failure says that the login is denied then. `npm run actions -- logs` shows the error.',
  action_redirect_invalid:
    'An action redirects to an address that is not https. On this machine http is allowed while the server itself is on http.',
  action_needs_page:
    'An action wants a redirect or an answer of the person, and this request has no page: a silent login or a login by a grant.',

  script_failed:
    'A script of a custom connection failed, or answered what cannot be used. `npm run actions -- logs` shows the run, the log the answer.',
  script_denied: 'A script of a custom connection refused it by an error of its own, whose message is in the record.',

  subject_token_type_unknown:
    'No token exchange profile of the tenant has this subject_token_type. Compare it with /api/v2/token-exchange-profiles.',
  subject_token_rejected:
    'The action of the profile found the subject token bad. Ten of them from one network address are refused for a while.',
  exchange_without_user:
    'The action of the profile named no user, or one who cannot sign in to this application. The record has the detail.',
  exchange_for_administrator:
    'The person has rights over the tenant, and a token exchange never acts for such a person.',
  exchange_for_built_in_api:
    'The API is built in, and its tokens may change how a person signs in. The person must sign in for one.',

  // Organizations
  organization_required:
    'The application demands an organization (organization_usage: require). Send `organization`, or let the login page ask for it.',
  organization_not_allowed:
    'The application takes no organization (organization_usage: deny). Set it to allow, or send no `organization`.',
  organization_name_not_allowed:
    'The organization is named by its name, and the tenant allows ids only. Send the id (org_…), or set allow_organization_name_in_authentication_api.',
  organization_unknown: 'No organization has this id or name.',
  organization_not_granted:
    'The client grant does not cover this organization. Add the organization to the grant, or allow any.',
  not_a_member: 'The person is not a member of the organization. Add the member, or invite the person.',
  member_of_none: 'The application demands an organization, and the person belongs to none.',
  invitation_over: 'The invitation is unknown, over, withdrawn or accepted before. Invite the person again.',
  invitation_of_another: 'The invitation is for another address than that of the person who signed in.',

  // The pages
  person_refused_consent: 'The person did not give the consent that the application asks for.',
  person_cancelled: 'The person cancelled the login.',
  login_bookmarked:
    'A page of the login was opened without a login: a bookmark, or an address that was typed. Begin at the application.',
  login_over: 'The login is unknown or older than its lifetime. Begin again at the application.',
  login_finished: 'The login finished before, in another tab or by a click before this one.',
  cookies_missing:
    'The browser did not send the cookie of this login. Cookies are off, or the page was opened by another host name than APP_URL (localhost and 127.0.0.1 differ).',
  other_address:
    'The login began at another address than APP_URL: an IP address, another name or port, or http in place of https. Open the application by addresses that lead to APP_URL.',
  other_browser: 'The login began in another browser, and its pages work in that one only.',
  foreign_page:
    'The form was posted by a page of another origin. Behind a proxy check that APP_URL is the address that people see.',
  device_unknown: 'This browser is not registered as a device that approves logins.',
  not_a_manager: 'The console has no form for this, or the role of the person gives no right to it.',

  // Logout
  logout_url_not_registered:
    'The address after the logout is not registered. Add it to the allowed_logout_urls of the application, or of the tenant where the request names no client_id.',
  id_token_hint_invalid:
    'The id_token_hint is not an ID token of this tenant for this application. Send the one of the last login, unchanged.',
  backchannel_logout_failed:
    'The application did not accept the logout token at its back-channel logout URL. The message is its answer.',

  // SAML and WS-Federation
  saml_not_enabled: 'SAML is not enabled for this application. Enable the add-on samlp.',
  saml_message_invalid:
    'The SAML message is not valid. The message says what differs: signature, destination, issuer, time or form.',
  wsfed_not_enabled: 'WS-Federation is not enabled for this application. Enable the add-on wsfed.',
  clients_differ: 'Path, parameters and hint name different applications.',

  // Accounts
  sign_up_disabled: 'The connection takes no sign-up (disable_signup).',
  sign_up_malformed: 'The data of the sign-up is not valid. The message says which member.',
  address_taken:
    'An account with this address exists. The caller learns it only where the tenant does not hide existing accounts.',
  username_taken: 'An account with this username exists.',
  passkey_taken: 'The passkey belongs to another account.',
  password_too_weak: 'The password does not satisfy the policy of the connection. The message says which rule.',
  too_many_sign_ups: 'Too many sign-ups from one network (attack protection: suspicious IP throttling).',
  too_many_messages: 'Too many messages were requested for one address or from one network.',
  reset_disabled: 'The connection does not let people change their password themselves.',
  no_such_account:
    'No account of the connection has this address, so nothing was sent. The caller gets the same answer as for an account.',
  address_unproven: 'The address of the account is not verified, so it takes no factor, link or invitation yet.',
  account_changed: 'The account was changed by someone else at the same time. Read it again.',
  not_own_record:
    'A token of a person opens that person’s own record alone. The Management API needs a token with its scopes.',
  rank_too_low: 'The actor holds fewer rights over the tenant than the change gives or touches.',

  // Access tokens
  token_missing: 'The request has no access token. Send it in the Authorization header as `Bearer`.',
  token_expired: 'The access token has expired. Refresh it, and check the clock of the machine.',
  token_revoked: 'The login of the access token has ended: logout, revocation, a block, a deleted user or application.',
  token_of_another_kind:
    'The token is of another kind or for another API: an ID token is no access token, and `audience` must be the API that is called.',
  token_in_query:
    'The access token is in the URL. Send it in the Authorization header, or set allow_userinfo_query_token of the application.',

  // Parameters. The log names each: `parameter` beside this hint.
  parameter_missing: 'The request lacks the parameter that is named beside this hint. Send it, with a value.',
  parameter_malformed:
    'The parameter that is named beside this hint has a form or a value that the endpoint does not take. Compare it with the reference of the endpoint (/reference).',
  parameter_repeated:
    'The parameter that is named beside this hint is there more than once. Send it once, in the query or in the body.',

  // The default of each error code
  invalid_request: 'The request is malformed. The message says what differs.',
  invalid_client: 'The application could not be authenticated.',
  invalid_grant: 'What the application exchanges is not valid any more. Sign in again.',
  invalid_scope: 'The scope is malformed: names are separated by one space, and have no quotes or backslashes.',
  invalid_target: 'The `resource` names no API of this tenant, or another one than that of the grant.',
  invalid_redirect_uri:
    'A URI of the registration is not allowed: https, or http on this machine, without fragment and wildcard.',
  invalid_client_metadata: 'A member of the registration is not allowed. The message names it.',
  invalid_dpop_proof:
    'The DPoP proof is not accepted. The message says what differs: key, method, address, time, nonce or token.',
  use_dpop_nonce: 'The DPoP proof needs the nonce of this answer. SDKs repeat the request by themselves.',
  invalid_token: 'The access token is not one of this tenant, or was changed. Check the domain that issued it.',
  insufficient_scope:
    'The token lacks a scope that the call needs. Request it with the login, or add it to the client grant.',
  insufficient_user_authentication:
    'The call needs a newer or a stronger login. Sign in again with the parameters that the answer names.',
  unauthorized: 'The request is not authorized.',
  unauthorized_client: 'The application may not do this.',
  unsupported_grant_type:
    'The grant_type does not exist. Compare its spelling; the vendor’s grants begin with http://auth0.com/oauth/grant-type/.',
  unsupported_response_type: 'The response_type does not exist. Code with PKCE is the one to use.',
  invalid_request_object:
    'The request object is not accepted. The detail in the log says what differs: key, algorithm, issuer, audience or time.',
  invalid_request_uri: 'The request_uri is not registered for the application, or could not be fetched.',
  request_not_supported: 'Unsigned request objects are not supported. Sign it, or send plain parameters.',
  request_uri_not_supported: 'A request_uri is accepted from /oauth/par, or where the application registered it.',
  registration_not_supported: 'The parameter registration is not supported. Register the application.',
  access_denied: 'The access was refused.',
  authorization_pending: 'The person has not decided yet. Poll again after the interval.',
  slow_down: 'The application polls faster than the interval.',
  expired_token: 'The device code or the mfa_token is over. Start again.',
  mfa_required: 'The login needs a second factor. Show it with the mfa_token of the answer, or use the login page.',
  association_required: 'The person has no factor of the requested type. Add one with /mfa/associate.',
  unsupported_challenge_type: 'None of the requested challenge types is possible for the person.',
  login_required:
    'There is no session for a silent login. In a browser that blocks third-party cookies use refresh tokens, or a custom domain of the application’s site.',
  unmet_authentication_requirements:
    'The request demands an authentication class (acr) that no login of this tenant can have.',
  consent_required:
    'The person must consent first, which a silent login cannot ask. Send the person to the login page; http://localhost always asks.',
  interaction_required:
    'The person must decide something first, which a silent login cannot ask. Send the person to the login page.',
  invalid_signup: 'The sign-up was refused. Where existing accounts are hidden, a taken address looks like this too.',
  extensibility_error: 'An action of the tenant refused the sign-up.',
  user_exists: 'An account with this address exists.',
  username_exists: 'An account with this username exists.',
  public_signup_disabled: 'The connection takes no sign-up (disable_signup).',
  invalid_password: 'The password does not satisfy the policy of the connection.',
  password_leaked: 'The password is known from a data breach elsewhere.',
  'bad.client_id': 'The request names no client_id.',
  'bad.connection': 'The connection is not a passwordless one that is enabled for the application.',
  'bad.email': 'The address is missing or malformed.',
  'bad.phone_number': 'The number is missing, malformed, or of a country that the connection does not serve.',
  'bad.authParams': 'authParams must be an object, with a registered redirect_uri if it has one.',
  'bad.request': 'The body has an unknown property.',
  invalid_user_password: 'The one-time code is wrong or over.',
  invalid_captcha: 'The captcha was not solved.',
  requires_verification:
    'The request looks like one of a bot, and must solve a captcha (attack protection: bot detection).',
  too_many_attempts: 'Too many failed attempts. Wait, or lift the block.',
  too_many_requests:
    'The limit of requests is reached. Wait as long as Retry-After says; docs/rate-limits.md has the limits.',
  not_found: 'There is nothing at this address, or the object does not exist.',
  conflict: 'The object exists already, or was changed at the same time.',
  precondition_failed: 'The object was changed since it was read. Read it again.',
  method_not_allowed: 'The address takes another HTTP method.',
  unsupported_media_type: 'The body is of another content type than the endpoint reads.',
  payload_too_large: 'The body is larger than the endpoint reads.',
  temporarily_unavailable: 'The server is busy, or its database is away. Try again; the server’s log names the cause.',
  server_error: 'The server failed. Its log has the error, under the same request id.',
} as const satisfies Record<ErrorCode, string> & Record<string, string>

export type Reason = keyof typeof REASONS

/** The hint of a reason; undefined for a code of an earlier version, which stored records may have. */
export const hintOf = (reason: string): string | undefined =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as Reason] : undefined

/** The page of this server that explains the reasons. It is served with every version, so a link to it is true and can be opened. */
export const TROUBLESHOOTING_PATH = '/troubleshooting'

export const explainedAt = (baseUrl: string, reason: Reason): string => `${baseUrl}${TROUBLESHOOTING_PATH}#${reason}`
