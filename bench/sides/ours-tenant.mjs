// The shared definition as a Latchkey tenant file. JSON is valid YAML, so no serializer is needed.
import {
  API,
  API_SCOPE,
  CLIENT_ID,
  DEVICE_GRANT,
  DEVICE_ID,
  GUARDED_ID,
  GUARDED_SECRET,
  KEYED_ID,
  MACHINE_ID,
  MACHINE_SECRET,
  MFA_OTP_GRANT,
  ORGANIZATION,
  PASSWORDLESS_GRANT,
  people,
  REDIRECT_URI,
  WEBAUTHN_GRANT,
} from '../lib/definition.mjs'
import { FEDERATED_CALLBACK, SAML_ID, samlPublicKey, WSFED_ID } from '../lib/federation.mjs'
import { guardedPeople } from '../lib/guarded-people.mjs'
import { waitingAction } from '../lib/waiting-logins.mjs'

/**
 * The peer has no rate limits, and the shared database means that no process could count in memory. For the same work, limits
 * are disabled here as well. `BENCH_LIMITS=1` enables them with sufficient capacity, to measure their cost.
 */
const counted = process.env.BENCH_LIMITS === '1'
const LIMIT = counted ? { burst: 1_000_000, per_minute: 1_000_000 } : false
const LIMITED = [
  'metadata',
  'authorize',
  'pages',
  'submit',
  'logout',
  'token',
  'unproven',
  'userinfo',
  'mfa',
  'login',
  'passwordless_start',
  'device_code',
  'passkey',
  'activate',
  'management',
]

const CONNECTION = 'Username-Password-Authentication'

const client = {
  client_id: CLIENT_ID,
  name: 'Bench app',
  app_type: 'spa',
  is_first_party: true,
  organization_usage: 'allow',
  token_endpoint_auth_method: 'none',
  callbacks: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  refresh_token: { rotation_type: 'rotating', expiration_type: 'expiring' },
}

const machine = {
  client_id: MACHINE_ID,
  client_secret: MACHINE_SECRET,
  name: 'Bench machine',
  app_type: 'regular_web',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials', 'password', PASSWORDLESS_GRANT, 'refresh_token'],
}

const guarded = {
  client_id: GUARDED_ID,
  client_secret: GUARDED_SECRET,
  name: 'Bench vault',
  app_type: 'regular_web',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['password', MFA_OTP_GRANT, 'refresh_token'],
  mfa_policy: 'always',
}

const keyed = {
  client_id: KEYED_ID,
  name: 'Bench keys',
  app_type: 'native',
  is_first_party: true,
  token_endpoint_auth_method: 'none',
  grant_types: [WEBAUTHN_GRANT, 'refresh_token'],
}

/** The highest possible number of messages to one address. */
const mailed = {
  name: 'email',
  strategy: 'email',
  enabled_clients: [machine.name],
  options: { message_limits: { per_address_hour: 50, per_address_day: 200, per_day: 1_000_000 } },
}

const device = {
  client_id: DEVICE_ID,
  name: 'Bench device',
  app_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: [DEVICE_GRANT, 'refresh_token'],
}

const saml = {
  client_id: SAML_ID,
  name: 'Bench SAML app',
  app_type: 'regular_web',
  callbacks: [FEDERATED_CALLBACK],
  addons: { samlp: { signingCert: samlPublicKey } },
}

const wsfed = {
  client_id: WSFED_ID,
  name: 'Bench WS-Fed app',
  app_type: 'regular_web',
  callbacks: [FEDERATED_CALLBACK],
  addons: { wsfed: {} },
}

const api = {
  name: 'Bench API',
  identifier: API,
  signing_alg: 'RS256',
  scopes: [{ value: API_SCOPE, description: 'Read orders' }],
  allow_offline_access: true,
  skip_consent_for_verifiable_first_party_clients: true,
}

const userOf = (passwordHash) => (person) => ({
  user_id: person.id,
  email: person.email,
  email_verified: true,
  name: person.name,
  nickname: person.nickname,
  given_name: person.givenName,
  family_name: person.familyName,
  picture: person.picture,
  custom_password_hash: { algorithm: 'argon2', hash: { value: passwordHash, encoding: 'utf8' } },
})

const guardedUser = (passwordHash) => (person) => ({
  user_id: person.id,
  email: person.email,
  email_verified: true,
  name: person.name,
  custom_password_hash: { algorithm: 'argon2', hash: { value: passwordHash, encoding: 'utf8' } },
  mfa_factors: [{ totp: { secret: person.secret } }],
})

/** @param {string | undefined} service that the action of the tenant waits for; without one there is no action */
export const tenantFile = (passwordHash, service) =>
  JSON.stringify(
    {
      tenant: {
        friendly_name: 'Bench',
        rate_limits: Object.fromEntries(LIMITED.map((name) => [name, LIMIT])),
        allow_organization_name_in_authentication_api: true,
      },
      clients: [client, machine, guarded, keyed, device, saml, wsfed],
      connections: [mailed],
      guardianFactors: [{ name: 'otp', enabled: true }],
      resourceServers: [api],
      clientGrants: [
        { client_id: MACHINE_ID, audience: API, scope: [API_SCOPE] },
        { client_id: MACHINE_ID, audience: '##APP_URL##/api/v2/', scope: ['read:clients', 'read:users'] },
      ],
      databases: [
        {
          name: CONNECTION,
          strategy: 'auth0',
          enabled_clients: [client, machine, guarded, device, saml, wsfed].map(({ name }) => name),
        },
        {
          name: 'Keyed',
          strategy: 'auth0',
          options: { authentication_methods: { passkey: { enabled: true } } },
          enabled_clients: [keyed.name],
        },
      ],
      // The first login of a person makes a member.
      organizations: [{ name: ORGANIZATION, connections: [{ name: CONNECTION, assign_membership_on_login: true }] }],
      ...(service && {
        actions: [waitingAction(service)],
        triggers: { 'post-login': [{ action_name: waitingAction(service).name }] },
      }),
      users: [...people.map(userOf(passwordHash)), ...guardedPeople.map(guardedUser(passwordHash))],
    },
    null,
    2,
  )
