// In which order requests are turned away under too much load (lib/http/admission.ts): what is not named here goes on with
// something that was begun, or ends it, and goes last.
import type { SheddingOrder } from '../http/admission'

const FIRST = [
  'authorize',
  'captcha.challenge',
  'co.authenticate',
  'dbconnections.change_password',
  'dbconnections.signup',
  'oauth.device_code',
  'oauth.par',
  'oidc.register',
  'passwordless.start',
  'passwordless.verify',
  'samlp',
  'usernamepassword.login',
  'wsfed',
]

const NEVER = [
  'discovery',
  'healthz',
  'jwks',
  'metrics',
  'readyz',
  'samlp.metadata',
  'samlp.sp-metadata',
  'wsfed.metadata',
]

export const SHEDDING: ReadonlyMap<string, SheddingOrder> = new Map([
  ...FIRST.map((name) => [name, 'first'] as const),
  ...NEVER.map((name) => [name, 'never'] as const),
])

export const sheddingOrder = (endpoint: string): SheddingOrder => SHEDDING.get(endpoint) ?? 'last'
