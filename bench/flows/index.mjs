// The rows, in the order they are reported.
export { default as clientCredentials } from './client-credentials.mjs'
export { default as device } from './device.mjs'
export { default as discovery } from './discovery.mjs'
export { fullLogin, fullLoginWithoutHash } from './full-login.mjs'
export { default as password } from './password.mjs'
export { default as refresh } from './refresh.mjs'
export { default as ssoLogin } from './sso-login.mjs'
export { default as userInfo } from './user-info.mjs'
