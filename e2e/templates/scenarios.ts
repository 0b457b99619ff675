// What each template is given, and what it must do then, by the name of its folder. Templates of one name differ in their trigger: a scenario without
// a trigger in its name is for all of them.
import { expect } from 'vitest'

export type Expected = {
  /** `factor`: a login that waits for one. `passed` is `tokens` too, where the trigger has some. */
  outcome: 'tokens' | 'denied' | 'factor' | 'redirect' | 'passed'
  idToken?: Record<string, unknown>
  accessToken?: Record<string, unknown>
  user?: Record<string, unknown>
  /** `METHOD host/path` of each request. */
  requests?: string[]
}

/** What makes subject tokens. */
export type People = {
  /** An access token of the person for the API. */
  accessToken(): Promise<string>
  /** A token of another issuer, whose keys are published at its host. */
  foreignToken(host: string, claims: Record<string, unknown>, header: Record<string, unknown>): Promise<string>
}

export type Scenario = {
  when: string
  secrets?: Record<string, string>
  /** Columns of the person. */
  person?: Record<string, unknown>
  roles?: string[]
  query?: Record<string, string>
  /** Of an exchange. */
  subjectToken?: (people: People) => Promise<string>
  /** In place of the newest versions. */
  versions?: Record<string, string>
  /** Text of the template that its author is to fill in. */
  filled?: [string, string][]
  ip?: string
  /** The server asks for the factor before the actions run. */
  asksItself?: true
  expected: Expected
}

const KIM = 'kim@mail.test'
const CALLER = '198.51.100.7'
const CLAIM = 'https://claims.test/'
const verified = { emailVerified: true }
const tokens: Expected = { outcome: 'tokens' }
const passed: Expected = { outcome: 'passed' }
const denied: Expected = { outcome: 'denied' }
const factor: Expected = { outcome: 'factor' }

/** The same for every trigger of a check: who passes, who is refused, and what happens without its secrets. */
const check = (secrets: Record<string, string>, person: object, other: Partial<Scenario>): Scenario[] => [
  { when: 'it admits the person', secrets, person: { ...person }, expected: passed },
  { when: 'it refuses the person', secrets, person: { ...person }, expected: denied, ...other },
]

/** A client of the Management API (templates.test.ts makes it). */
const MANAGEMENT = {
  ...{ CLIENT_ID: 'manager', CLIENT_SECRET: 'the secret of the manager', TENANT_DOMAIN: 'id.test' },
  AUDIENCE: 'https://id.test/api/v2/',
}
const LINKING = {
  ...{ AUTH0_DOMAIN: 'id.test', AUTH0_CLIENT_ID: 'web', AUTH0_CLIENT_SECRET: 'the-secret-of-the-web-application' },
  ...{ ACTION_SECRET: 'a long secret of this action', ENFORCE_MFA: 'no', ENFORCE_EMAIL_VERIFICATION: 'no' },
}
const SERVICE_ROLES = ['Reader', 'Writer']
const soap = { DOMAIN: 'soap.test', SOAP_ACTION: 'roles', ID_TOKEN_NAMESPACE: CLAIM }
const salesforce = {
  ...{ SALESFORCE_DOMAIN: 'salesforce.test', SALESFORCE_CLIENT_ID: 'lead', SALESFORCE_CLIENT_SECRET: 'lead secret' },
  SALESFORCE_COMPANY: 'Acme',
}
const SALES_REQUESTS = [
  'POST salesforce.test/services/oauth2/token',
  'POST salesforce.test/services/data/v59.0/sobjects/Lead',
]
/** Of the newest ones the templates use what they do not have any more. */
const AUTH0 = { auth0: '4.37.0' }
const XMLDOM = { '@xmldom/xmldom': '0.8.11' }
const SKYFIRE: [string, string][] = [
  ["'{{DATABASE_CONNECTION}}'", "'Users'"],
  ['const ALLOWED_CLIENT_IDS = [];', "const ALLOWED_CLIENT_IDS = ['spa'];"],
  ['const ALLOWED_AUDIENCES = [];', "const ALLOWED_AUDIENCES = ['https://api.test/'];"],
  ['const ALLOWED_SCOPES = [];', "const ALLOWED_SCOPES = ['openid', 'email'];"],
]
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const SKYFIRE_CLAIMS = {
  ...{ iss: 'https://app.skyfire.xyz', sub: ID, aud: ID, jti: ID, env: 'production' },
  bid: { skyfireEmail: 'buyer@mail.test', nameFirst: 'Bo', nameLast: 'Yer' },
}
const metadata = { METADATA_KEY: 'region', METADATA_DEFAULT_VALUE: 'eu', ...MANAGEMENT }
const setMetadata: Scenario[] = [
  {
    when: 'the person lacks the metadata',
    secrets: metadata,
    versions: AUTH0,
    person: verified,
    expected: {
      outcome: 'passed',
      user: { user_metadata: { region: 'eu' } },
      requests: ['POST id.test/oauth/token', 'PATCH id.test/api/v2/users/USER'],
    },
  },
  {
    when: 'the person has the metadata',
    secrets: metadata,
    versions: AUTH0,
    person: { ...verified, userMetadata: { region: 'us' } },
    expected: { outcome: 'passed', user: { user_metadata: { region: 'us' } }, requests: [] },
  },
]

export const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  'active-directory-groups': check(
    { ALLOWED_GROUP: 'Staff' },
    { profile: { groups: ['Staff'] } },
    {
      person: { profile: { groups: ['Guests'] } },
    },
  ),
  'adaptive-mfa': [{ when: 'nothing is known of the device', expected: tokens }],
  'add-attribute': [
    {
      when: 'the connection is the named one',
      secrets: { CONNECTION_NAME: 'Users', CLAIM_NAME: `${CLAIM}staff` },
      expected: { outcome: 'tokens', idToken: { [`${CLAIM}staff`]: true } },
    },
    { when: 'it is not set up', expected: denied },
  ],
  'add-country': [{ when: 'the place is not known', secrets: { ID_TOKEN_NAMESPACE: CLAIM }, expected: tokens }],
  'add-email-to-access-token': [
    {
      when: 'the person has an address',
      secrets: { NAMESPACE: CLAIM },
      expected: { outcome: 'tokens', accessToken: { [`${CLAIM}email`]: KIM } },
    },
  ],
  'add-persistence-attribute': setMetadata,
  'add-persistence-attribute-POST_LOGIN': [
    {
      when: 'the person lacks the metadata',
      secrets: { ...metadata, ID_TOKEN_NAMESPACE: CLAIM },
      expected: {
        outcome: 'tokens',
        idToken: { [`${CLAIM}region`]: 'eu' },
        user: { user_metadata: { region: 'eu' } },
      },
    },
  ],
  'check-last-password-reset': [
    { when: 'the account is new', secrets: { MAX_PASSWORD_DAYS: '10' }, expected: tokens },
    {
      when: 'the password is old',
      secrets: { MAX_PASSWORD_DAYS: '10' },
      person: { createdAt: new Date('2026-01-01T00:00:00Z') },
      expected: denied,
    },
  ],
  'client-initiated-account-linking': [
    { when: 'no link is wanted', secrets: LINKING, versions: AUTH0, expected: tokens },
    {
      when: 'a link is wanted without a hint',
      secrets: LINKING,
      versions: AUTH0,
      query: { scope: 'openid link_account' },
      expected: denied,
    },
  ],
  'creates-lead-salesforce-POST_LOGIN': [
    {
      when: 'the person is new to the service',
      secrets: salesforce,
      expected: { outcome: 'tokens', user: { app_metadata: { recordedAsLead: true } }, requests: SALES_REQUESTS },
    },
    {
      when: 'the service fails',
      secrets: { ...salesforce, SALESFORCE_DOMAIN: 'broken.test' },
      expected: tokens,
    },
  ],
  'creates-lead-salesforce-POST_USER_REGISTRATION': [
    { when: 'a person signs up', secrets: salesforce, expected: { outcome: 'passed', requests: SALES_REQUESTS } },
  ],
  'email-verified': check({}, verified, { person: { emailVerified: false } }),
  'first-party-on-behalf-of': [
    {
      when: 'the token is one of the person for the API',
      secrets: {
        ...{ SUBJECT_TOKEN_AUDIENCE: 'https://api.test/', ALLOWED_CLIENT_IDS: '["spa"]' },
        ...{ ALLOWED_TARGET_AUDIENCES: '["https://api.test/"]', ALLOWED_SCOPES: '["openid","email"]' },
      },
      subjectToken: ({ accessToken }) => accessToken(),
      expected: {
        outcome: 'tokens',
        accessToken: { gty: 'token-exchange' },
        requests: ['GET id.test/.well-known/jwks.json'],
      },
    },
    {
      when: 'the token is invalid',
      secrets: {
        ...{ SUBJECT_TOKEN_AUDIENCE: 'https://api.test/', ALLOWED_CLIENT_IDS: '["spa"]' },
        ...{ ALLOWED_TARGET_AUDIENCES: '["https://api.test/"]', ALLOWED_SCOPES: '["openid","email"]' },
      },
      subjectToken: async () => 'a.b.c',
      expected: denied,
    },
  ],
  'guardian-multifactor-authorization-extension': [
    {
      when: 'the person has the role',
      secrets: { MFA_ROLES: 'clerk' },
      person: verified,
      roles: ['clerk'],
      expected: factor,
    },
    { when: 'the person has another role', secrets: { MFA_ROLES: 'clerk' }, person: verified, expected: tokens },
    { when: 'the address is not proven', secrets: { MFA_ROLES: 'clerk' }, expected: denied },
  ],
  'guardian-multifactor-ip-range': [
    { when: 'the browser is in the network', secrets: { TRUSTED_CIDR: '198.51.100.0/24' }, expected: tokens },
    { when: 'the browser is elsewhere', secrets: { TRUSTED_CIDR: '192.0.2.0/24' }, expected: factor },
  ],
  'guardian-multifactor-stepup-authentication': [
    { when: 'no step up is wanted', expected: tokens },
    {
      when: 'a step up is wanted',
      query: { acr_values: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' },
      asksItself: true,
      expected: factor,
    },
  ],
  'ip-address-allowlist': [
    { when: 'the address is listed', secrets: { ALLOW_LIST: `192.0.2.1,${CALLER}` }, expected: passed },
    { when: 'the address is not listed', secrets: { ALLOW_LIST: '192.0.2.1' }, expected: denied },
  ],
  'mfa-require-enrollment': [{ when: 'the person has no factor', expected: factor }],
  'querystring-PASSWORD_RESET_POST_CHALLENGE': [
    { when: 'it is set up', secrets: { QUERY_KEY: 'a', QUERY_VALUE: 'b' }, expected: passed },
    { when: 'it is not set up', expected: denied },
  ],
  'querystring-POST_LOGIN': [
    {
      when: 'the parameter is there',
      secrets: {
        ...{ QUERY_KEY: 'tier', QUERY_VALUE: 'gold' },
        ...{ CUSTOM_CLAIM_NAME: `${CLAIM}t`, CUSTOM_CLAIM_VALUE: 'g' },
      },
      query: { tier: 'gold' },
      expected: { outcome: 'tokens', idToken: { [`${CLAIM}t`]: 'g' } },
    },
    { when: 'it is not set up', expected: denied },
  ],
  'require-mfa-once-per-session': [{ when: 'no factor was proven', expected: factor }],
  'role-creation': [
    {
      when: 'the person is listed',
      secrets: {
        ...{ SPECIAL_ROLE_NAME: `${CLAIM}roles`, SPECIAL_ROLE_VALUE: 'admin, editor' },
        SPECIAL_ROLE_USERS: `ada@mail.test, ${KIM}`,
      },
      person: verified,
      expected: {
        outcome: 'tokens',
        idToken: { [`${CLAIM}roles`]: ['admin', 'editor'] },
        accessToken: { [`${CLAIM}roles`]: ['admin', 'editor'] },
      },
    },
    { when: 'the address is not proven', expected: denied },
  ],
  'saml-attribute-mapping': [{ when: 'the login is of OpenID Connect', expected: tokens }],
  'saml-configuration': [
    {
      when: 'the application is another one',
      secrets: {
        ...{ CLIENT_ID: 'other', SAML_AUD: 'urn:sp', SAML_LIFETIME_SEC: '60' },
        ...{ SAML_RECIPIENT: 'https://sp.test/acs', SAML_DESTINATION: 'https://sp.test/acs' },
      },
      expected: tokens,
    },
    { when: 'it is not set up', expected: denied },
  ],
  'set-absolute-and-idle-timeout': [{ when: 'the application names no times', expected: tokens }],
  'simple-domain-allowlist-POST_LOGIN': [
    { when: 'the domain is listed', secrets: { ALLOWED_DOMAINS: 'mail.test' }, person: verified, expected: tokens },
    { when: 'the domain is not listed', secrets: { ALLOWED_DOMAINS: 'acme.test' }, person: verified, expected: denied },
  ],
  'simple-domain-allowlist-PRE_USER_REGISTRATION': [
    { when: 'the domain is listed', secrets: { ALLOWED_DOMAINS: 'mail.test' }, expected: passed },
    { when: 'the domain is not listed', secrets: { ALLOWED_DOMAINS: 'acme.test' }, expected: denied },
  ],
  'simple-user-allowlist': [
    { when: 'the person is listed', secrets: { ALLOWED_USER_EMAILS: KIM }, person: verified, expected: passed },
    {
      when: 'the person is not listed',
      secrets: { ALLOWED_USER_EMAILS: 'a@b.test' },
      person: verified,
      expected: denied,
    },
  ],
  'simple-user-allowlist-for-app': [
    {
      when: 'the person is listed',
      secrets: { ALLOWED_USER_EMAILS: KIM, ALLOWED_CLIENT_ID: 'spa' },
      person: verified,
      expected: passed,
    },
    {
      when: 'the person is not listed',
      secrets: { ALLOWED_USER_EMAILS: 'a@b.test', ALLOWED_CLIENT_ID: 'spa' },
      person: verified,
      expected: denied,
    },
  ],
  'simple-user-allowlist-on-a-connection': [
    {
      when: 'the person is listed',
      secrets: { ALLOW_USER_EMAILS: KIM, ALLOW_LIST_CONNECTION: 'Users' },
      person: verified,
      expected: passed,
    },
    {
      when: 'the person is not listed',
      secrets: { ALLOW_USER_EMAILS: 'a@b.test', ALLOW_LIST_CONNECTION: 'Users' },
      person: verified,
      expected: denied,
    },
  ],
  'skyfire-token-exchange': [
    {
      when: 'the token is one of the other issuer',
      filled: SKYFIRE,
      subjectToken: ({ foreignToken }) => foreignToken('app.skyfire.xyz', SKYFIRE_CLAIMS, { typ: 'kya+JWT' }),
      expected: { outcome: 'tokens', idToken: { email: 'buyer@mail.test' } },
    },
    {
      when: 'the token is one of its tests',
      filled: SKYFIRE,
      subjectToken: ({ foreignToken }) =>
        foreignToken('app.skyfire.xyz', { ...SKYFIRE_CLAIMS, env: 'test' }, { typ: 'kya+JWT' }),
      expected: denied,
    },
  ],
  'soap-webservice': [
    {
      when: 'the service answers',
      secrets: soap,
      versions: XMLDOM,
      expected: { outcome: 'passed', requests: ['POST soap.test/RoleService.svc'] },
    },
  ],
  'soap-webservice-POST_LOGIN': [
    {
      when: 'the service answers',
      secrets: soap,
      versions: XMLDOM,
      expected: { outcome: 'tokens', idToken: { [`${CLAIM}roles`]: SERVICE_ROLES } },
    },
    { when: 'the service fails', secrets: { ...soap, DOMAIN: 'gone.test' }, expected: denied },
  ],
  'track-consent': [
    {
      when: 'the person has not consented',
      expected: {
        outcome: 'tokens',
        user: { user_metadata: { consentGiven: true, consentTimestamp: expect.any(Number) } },
      },
    },
  ],
}
