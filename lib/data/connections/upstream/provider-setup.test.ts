import { expect, it } from 'vitest'
import { toConnection } from '../connection'
import { providerSetupOf } from './provider-setup'

const setup = (strategy: string, options: object = {}, more: object = {}) => {
  const connection = toConnection({ id: 'con_1', name: 'acme', strategy, settings: { options, ...more } })
  return connection && providerSetupOf(connection, { baseUrl: 'https://id.test', entityId: 'urn:id.test' })
}

const BEGINS = { initiate_login_uri: 'https://id.test/account?connection=acme' }
const SAML = {
  ...BEGINS,
  metadata_url: 'https://id.test/samlp/metadata?connection=acme',
  entity_id: 'urn:id.test:acme',
  acs_url: 'https://id.test/login/callback?connection=acme',
  logout_uri: 'https://id.test/logout/callback?connection=acme',
  certificate_url: 'https://id.test/pem',
}
const OPENID = {
  ...BEGINS,
  redirect_uri: 'https://id.test/login/callback',
  logout_uri: 'https://id.test/logout/callback',
}
const WS_FEDERATION = {
  ...BEGINS,
  realm: 'urn:id.test:acme',
  reply_url: 'https://id.test/login/callback',
}

it.each<[string, object, object]>([
  ['samlp', {}, SAML],
  ['oidc', { issuer: 'https://idp.test' }, OPENID],
  ['google-oauth2', {}, OPENID],
  ['waad', {}, OPENID],
  ['waad', { waad_protocol: 'ws-federation' }, WS_FEDERATION],
  ['adfs', {}, WS_FEDERATION],
  ['auth0', {}, {}],
  ['email', {}, {}],
])('a connection of strategy %s with options %j has the right setup', (strategy, options, expected) =>
  expect(setup(strategy, options)).toEqual(expected),
)

it('has the entity id that the connection names', () =>
  expect(setup('samlp', { entityId: 'urn:own' })).toMatchObject({ entity_id: 'urn:own' }))

it.each([
  ['is open to no application', { enabled_clients: [] }, undefined],
  ['belongs to an organization', { organization_id: 'org_1' }, undefined],
  ['is open to one', { enabled_clients: ['app'] }, BEGINS.initiate_login_uri],
])('has a page where a login begins only where the portal takes it: one that %s', (_what, more, expected) =>
  expect(setup('oidc', { issuer: 'https://idp.test' }, more)?.initiate_login_uri).toBe(expected),
)
