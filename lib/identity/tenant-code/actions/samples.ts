// An event of each trigger to try an action on.
import type { EventClient, EventConnection, EventRequest, EventTransaction, EventUser, TriggerEvents } from '../event'

const TIME = '2027-01-15T08:00:00.000Z'

const tenant = { id: 'default' }
const client: EventClient = { client_id: 'sample-client', name: 'Sample application', metadata: {} }
const connection: EventConnection = {
  id: 'con_sample',
  name: 'Username-Password-Authentication',
  strategy: 'auth0',
  metadata: {},
}
const request: EventRequest = {
  ip: '192.0.2.1',
  method: 'POST',
  hostname: 'id.example.com',
  language: 'en',
  user_agent: 'Mozilla/5.0',
  query: {},
  body: {},
  geoip: {},
}
const transaction: EventTransaction = {
  acr_values: [],
  locale: 'en',
  protocol: 'oidc-basic-profile',
  redirect_uri: 'https://app.example.com/callback',
  requested_scopes: ['openid', 'profile', 'email'],
  response_mode: 'query',
  response_type: ['code'],
  state: 'sample-state',
  ui_locales: [],
}
const user: EventUser = {
  user_id: 'auth0|sample',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  nickname: 'ada',
  picture: 'https://example.com/ada.png',
  user_metadata: { language: 'en' },
  app_metadata: { plan: 'gold' },
  created_at: '2026-01-01T08:00:00.000Z',
  updated_at: TIME,
  identities: [{ connection: connection.name, provider: 'auth0', user_id: 'sample', isSocial: false }],
  enrolledFactors: [],
}
const authentication = { methods: [{ name: 'pwd', timestamp: TIME }] }
const authorization = { roles: ['Clerk'] }
const stats = { logins_count: 3 }

export const SAMPLES: TriggerEvents = {
  'post-login': {
    ...{ tenant, client, connection, request, transaction, user, authentication, authorization, stats },
    resource_server: { identifier: 'https://api.example.com' },
  },
  'credentials-exchange': {
    ...{ tenant, client, request },
    accessToken: { customClaims: {}, scope: ['read:orders'] },
    resource_server: { identifier: 'https://api.example.com' },
    transaction: { requested_scopes: ['read:orders'], target_scopes: ['read:orders'] },
  },
  'custom-token-exchange': {
    ...{ tenant, client, request },
    resource_server: { identifier: 'https://api.example.com' },
    transaction: {
      protocol: 'oauth2-token-exchange',
      requested_scopes: ['openid', 'read:orders'],
      subject_token: 'sample-token',
      subject_token_type: 'urn:example:legacy-token',
    },
  },
  'pre-user-registration': {
    ...{ tenant, client, connection, request, transaction },
    user: { email: 'ada@example.com', name: 'Ada Lovelace', user_metadata: {}, app_metadata: {} },
  },
  'post-user-registration': { tenant, connection, request, transaction, user },
  'password-reset-post-challenge': {
    ...{ tenant, client, connection, request, user, authentication, authorization, stats },
    transaction: {},
  },
  'post-change-password': { tenant, connection, request, transaction, user },
  'send-phone-message': {
    ...{ tenant, client, request, user },
    message_options: {
      action: 'second-factor-authentication',
      code: '123456',
      message_type: 'sms',
      recipient: '+15551234567',
      text: '123456 is your verification code.',
    },
  },
  'custom-phone-provider': {
    ...{ tenant, client, connection, request, user },
    notification: {
      as_text: '123456 is your verification code.',
      as_voice: 'Your verification code is 1, 2, 3, 4, 5, 6.',
      code: '123456',
      delivery_method: 'text',
      locale: 'en',
      message_type: 'otp_verify',
      recipient: '+15551234567',
    },
  },
  'custom-email-provider': {
    ...{ tenant, client, connection, request, user },
    notification: {
      from: 'Shop <hello@shop.example>',
      html: '<p>Welcome</p>',
      locale: 'en',
      message_type: 'welcome_email',
      subject: 'Welcome',
      text: 'Welcome',
      to: 'ada@example.com',
    },
  },
}
