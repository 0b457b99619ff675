// THE table: every path we answer and what answers it. Both doors read it (docs/adr/0002), and a test holds it equal to
// the route files under app/ and to docs/endpoints.md. `:name` stands for one path segment.
import type { Endpoint } from '../http/endpoint'
import type { Runtime } from '../runtime/runtime'
import { activate } from './activate'
import { authorize } from './authorize'
import { captchaChallenge } from './captcha-challenge'
import {
  certificateDer,
  certificateFingerprint,
  certificatePem,
  certificatePkcs7,
  certificateRaw,
} from './certificates'
import { changePassword } from './change-password'
import { coAuthenticate } from './co-authenticate'
import { continueAfterRule } from './continue'
import { currentUser } from './current-user'
import { enrollments, multifactor } from './current-user-factors'
import { identities, identity } from './current-user-identities'
import { devOutbox } from './dev-outbox'
import { deviceCode } from './device-code'
import { deviceCredential, deviceCredentials } from './device-credentials'
import { discovery, jwks } from './discovery'
import { doctor } from './doctor'
import { introspect } from './introspect'
import { loginCallback, resumeLogin } from './login-callback'
import { logout } from './logout'
import { logoutCallback } from './logout-callback'
import { metrics } from './metrics'
import { mfaAssociate } from './mfa-associate'
import { mfaAuthenticator, mfaAuthenticators } from './mfa-authenticators'
import { mfaChallenge } from './mfa-challenge'
import { mfaDevices, mfaPrompt, mfaPrompts } from './mfa-device'
import { oidcLogout } from './oidc-logout'
import { healthz, readyz } from './operations'
import { par } from './par'
import { passwordlessLink } from './passwordless-link'
import { passwordlessStart } from './passwordless-start'
import { passwordlessVerify } from './passwordless-verify'
import { passwordlessVerifyRedirect } from './passwordless-verify-redirect'
import { pushDevice } from './push-device'
import { register, registration } from './register'
import { resetPasswordPage } from './reset-password'
import { revoke } from './revoke'
import { samlp } from './samlp'
import { samlpLogout } from './samlp-logout'
import { samlpMetadata } from './samlp-metadata'
import { samlpSpMetadata } from './samlp-sp-metadata'
import { screens } from './screens'
import { signup } from './signup'
import { submit } from './submit'
import { token } from './token'
import { unblock } from './unblock'
import { userinfo } from './userinfo'
import { usernamePasswordLogin } from './usernamepassword-login'
import { verifyEmailPage } from './verify-email'
import { wsfed } from './wsfed'
import { wsfedMetadata } from './wsfed-metadata'

export const ENDPOINTS: Readonly<Record<string, Endpoint<Runtime>>> = {
  '/.well-known/openid-configuration': discovery,
  '/.well-known/oauth-authorization-server': discovery,
  '/.well-known/jwks.json': jwks,
  '/authorize': authorize,
  '/oauth/par': par,
  '/oauth/token': token,
  '/oauth/revoke': revoke,
  '/oauth/introspect': introspect,
  '/userinfo': userinfo,
  '/v2/logout': logout,
  '/logout/callback': logoutCallback,
  '/oidc/logout': oidcLogout,
  '/oauth/device/code': deviceCode,
  '/activate': activate,
  '/continue': continueAfterRule,
  '/oidc/register': register,
  '/oidc/register/:client_id': registration,
  '/co/authenticate': coAuthenticate,
  '/usernamepassword/login': usernamePasswordLogin,
  '/login/callback': loginCallback,
  '/usernamepassword/challenge': captchaChallenge,
  '/dbconnections/signup': signup,
  '/dbconnections/change_password': changePassword,
  '/dbconnections/signup/challenge': captchaChallenge,
  '/dbconnections/change_password/challenge': captchaChallenge,
  '/passwordless/challenge': captchaChallenge,
  '/passwordless/start': passwordlessStart,
  '/passwordless/verify': passwordlessVerify,
  '/passwordless/verify_redirect': passwordlessVerifyRedirect,
  '/mfa/challenge': mfaChallenge,
  '/mfa/associate': mfaAssociate,
  '/mfa/authenticators': mfaAuthenticators,
  '/mfa/authenticators/:id': mfaAuthenticator,
  '/mfa/devices': mfaDevices,
  '/mfa/prompts': mfaPrompts,
  '/mfa/prompts/:id': mfaPrompt,
  '/api/v2/users/:id': currentUser,
  '/api/v2/users/:id/enrollments': enrollments,
  '/api/v2/users/:id/multifactor/:provider': multifactor,
  '/api/v2/users/:id/identities': identities,
  '/api/v2/users/:id/identities/:provider/:user_id': identity,
  '/api/v2/device-credentials': deviceCredentials,
  '/api/v2/device-credentials/:id': deviceCredential,
  '/samlp/:client_id': samlp,
  '/samlp/:client_id/logout': samlpLogout,
  '/samlp/metadata': samlpSpMetadata,
  '/samlp/metadata/:client_id': samlpMetadata,
  '/pem': certificatePem,
  '/cer': certificateDer,
  '/rawpem': certificateRaw,
  '/pb7': certificatePkcs7,
  '/fingerprint': certificateFingerprint,
  '/wsfed': wsfed,
  '/wsfed/:client_id': wsfed,
  '/wsfed/FederationMetadata/2007-06/FederationMetadata.xml': wsfedMetadata,
  '/wsfed/:client_id/FederationMetadata/2007-06/FederationMetadata.xml': wsfedMetadata,
  '/u/login': screens,
  '/u/signup': screens,
  '/u/forgot-password': screens,
  '/u/passwordless': screens,
  '/u/passwordless-code': screens,
  '/u/passwordless-link': passwordlessLink,
  '/u/select-account': screens,
  '/u/link-account': screens,
  '/u/mfa-enroll': screens,
  '/u/mfa-challenge': screens,
  '/u/mfa-recovery-code': screens,
  '/u/consent': screens,
  '/u/submit': submit,
  '/u/resume': resumeLogin,
  '/u/unblock': unblock,
  '/u/reset-password': resetPasswordPage,
  '/u/verify-email': verifyEmailPage,
  '/u/device': pushDevice,
  '/dev/outbox.json': devOutbox,
  '/healthz': healthz,
  '/readyz': readyz,
  '/metrics': metrics,
  '/doctor': doctor,
}
