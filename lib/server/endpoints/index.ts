// The table of endpoints by path. Both adapters use it (docs/adr/0002). A test compares it with the route files under app/ and
// with docs/endpoints.md. `:name` matches one path segment.
import type { Endpoint } from '../../http/endpoint'
import { LOGIN_SCREENS, screenPath } from '../../pages/screens'
import type { Runtime } from '../runtime/runtime'
import { currentUser } from './account/current-user'
import { enrollments, multifactor } from './account/current-user-factors'
import { identities, identity } from './account/current-user-identities'
import { deviceCredential, deviceCredentials } from './account/device-credentials'
import { loginChallenge, passwordlessChallenge, resetChallenge, signUpChallenge } from './database/captcha-challenge'
import { changePassword } from './database/change-password'
import { coAuthenticate } from './database/co-authenticate'
import { signup } from './database/signup'
import { usernamePasswordLogin } from './database/usernamepassword-login'
import { activate } from './hosted/activate'
import { avatar } from './hosted/avatar'
import { continueAfterRedirect } from './hosted/continue'
import { enrollPage } from './hosted/enroll'
import { loginCallback, resumeLogin } from './hosted/login-callback'
import { loginTestCallback, startLoginTest } from './hosted/login-test'
import { passwordlessLink } from './hosted/passwordless-link'
import { picture } from './hosted/picture'
import { pushDevice } from './hosted/push-device'
import { resetPasswordPage } from './hosted/reset-password'
import { restoreEmailPage } from './hosted/restore-email'
import { screens } from './hosted/screens'
import { sharedLogin } from './hosted/shared-login'
import { submit } from './hosted/submit'
import { unblock } from './hosted/unblock'
import { verifyEmailPage } from './hosted/verify-email'
import { exportFile } from './management/export-file'
import { management } from './management/management'
import { sharedWithManagers } from './management/shared'
import { mfaAssociate } from './mfa/mfa-associate'
import { mfaAuthenticator, mfaAuthenticators } from './mfa/mfa-authenticators'
import { mfaChallenge } from './mfa/mfa-challenge'
import { mfaDevices, mfaPrompt, mfaPrompts } from './mfa/mfa-device'
import { authenticationMethod } from './my-account/authentication-method'
import { authenticationMethods } from './my-account/authentication-methods'
import { myFactors } from './my-account/factors'
import { myIdentities, myIdentity } from './my-account/identities'
import { verifyAuthenticationMethod } from './my-account/verify'
import { authorize } from './oauth/authorize'
import { deviceCode } from './oauth/device-code'
import { discovery, jwks } from './oauth/discovery'
import { introspect } from './oauth/introspect'
import { logout } from './oauth/logout'
import { logoutCallback } from './oauth/logout-callback'
import { assetLinksFile, siteAssociationFile } from './oauth/mobile-apps'
import { oidcLogout } from './oauth/oidc-logout'
import { par } from './oauth/par'
import { protectedResource } from './oauth/protected-resource'
import { register, registration } from './oauth/register'
import { revoke } from './oauth/revoke'
import { token } from './oauth/token'
import { userinfo } from './oauth/userinfo'
import { demoInvitation, demoReceived } from './operations/demo'
import { devOutbox } from './operations/dev-outbox'
import { doctor } from './operations/doctor'
import { metrics } from './operations/metrics'
import { healthz, readyz } from './operations/operations'
import { passkeyChallenge } from './passkey/passkey-challenge'
import { passkeyRegister } from './passkey/passkey-register'
import { passwordlessStart } from './passwordless/passwordless-start'
import { passwordlessVerify } from './passwordless/passwordless-verify'
import { passwordlessVerifyRedirect } from './passwordless/passwordless-verify-redirect'
import { changePasswordAddress } from './portal/change-password'
import { portal } from './portal/portal'
import { explorer, explorerFile } from './reference/explorer'
import { managementOpenapi, openapi } from './reference/openapi'
import { troubleshooting } from './reference/troubleshooting'
import {
  certificateDer,
  certificateFingerprint,
  certificatePem,
  certificatePkcs7,
  certificateRaw,
} from './saml/certificates'
import { samlp } from './saml/samlp'
import { samlpLogout } from './saml/samlp-logout'
import { samlpMetadata } from './saml/samlp-metadata'
import { samlpSpMetadata } from './saml/samlp-sp-metadata'
import { wsfed } from './wsfed/wsfed'
import { wsfedMetadata } from './wsfed/wsfed-metadata'

export const ENDPOINTS: Readonly<Record<string, Endpoint<Runtime>>> = {
  '/openapi.json': openapi(() => ENDPOINTS),
  '/reference': explorer,
  '/troubleshooting': troubleshooting,
  '/reference/:file': explorerFile,
  '/.well-known/openid-configuration': discovery,
  '/.well-known/oauth-authorization-server': discovery,
  '/.well-known/oauth-protected-resource/*': protectedResource,
  '/.well-known/jwks.json': jwks,
  '/.well-known/assetlinks.json': assetLinksFile,
  '/.well-known/apple-app-site-association': siteAssociationFile,
  '/.well-known/change-password': changePasswordAddress,
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
  '/continue': continueAfterRedirect,
  '/oidc/register': register,
  '/oidc/register/:client_id': registration,
  '/co/authenticate': coAuthenticate,
  '/usernamepassword/login': usernamePasswordLogin,
  '/login/callback': loginCallback,
  '/usernamepassword/challenge': loginChallenge,
  '/dbconnections/signup': signup,
  '/dbconnections/change_password': changePassword,
  '/dbconnections/signup/challenge': signUpChallenge,
  '/dbconnections/change_password/challenge': resetChallenge,
  '/passkey/challenge': passkeyChallenge,
  '/passkey/register': passkeyRegister,
  '/passwordless/challenge': passwordlessChallenge,
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
  '/me/v1/factors': myFactors,
  '/me/v1/authentication-methods': authenticationMethods,
  '/me/v1/authentication-methods/:id': authenticationMethod,
  '/me/v1/authentication-methods/:id/verify': verifyAuthenticationMethod,
  '/me/v1/identities': myIdentities,
  '/me/v1/identities/:id': myIdentity,
  '/api/v2/users/:id': sharedWithManagers(currentUser),
  '/api/v2/users/:id/enrollments': sharedWithManagers(enrollments),
  '/api/v2/users/:id/multifactor/:provider': sharedWithManagers(multifactor),
  '/api/v2/users/:id/identities': sharedWithManagers(identities),
  '/api/v2/users/:id/identities/:provider/:user_id': sharedWithManagers(identity),
  '/api/v2/device-credentials': sharedWithManagers(deviceCredentials),
  '/api/v2/device-credentials/:id': sharedWithManagers(deviceCredential),
  '/api/v2/openapi.json': managementOpenapi,
  '/api/v2/exports': exportFile,
  '/api/v2/*': management,
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
  ...Object.fromEntries(LOGIN_SCREENS.map((screen) => [screenPath(screen), screens])),
  '/u/passwordless-link': passwordlessLink,
  '/u/submit': submit,
  '/u/resume': resumeLogin,
  '/shared-login/:secret': sharedLogin,
  '/login-test/start': startLoginTest,
  '/login-test/callback': loginTestCallback,
  '/u/unblock': unblock,
  '/u/enroll': enrollPage,
  '/u/reset-password': resetPasswordPage,
  '/u/verify-email': verifyEmailPage,
  '/u/restore-email': restoreEmailPage,
  '/u/device': pushDevice,
  '/account': portal,
  '/account/:page': portal,
  '/avatar/:file': avatar,
  '/picture/:file': picture,
  '/dev/outbox.json': devOutbox,
  '/demo/received': demoReceived,
  '/demo/invitation': demoInvitation,
  '/healthz': healthz,
  '/readyz': readyz,
  '/metrics': metrics,
  '/doctor': doctor,
}
