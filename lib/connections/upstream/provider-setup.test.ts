import { expect, it } from 'vitest'
import { toConnection } from '../connection'
import { providerSetupOf } from './provider-setup'

const setup = (strategy: string, options: object = {}) => {
  const connection = toConnection({ id: 'con_1', name: 'acme', strategy, settings: { options } })
  return connection && providerSetupOf(connection, { baseUrl: 'https://id.test', entityId: 'urn:id.test' })
}

const SAML = {
  metadata_url: 'https://id.test/samlp/metadata?connection=acme',
  entity_id: 'urn:id.test:acme',
  acs_url: 'https://id.test/login/callback?connection=acme',
  logout_uri: 'https://id.test/logout/callback?connection=acme',
  certificate_url: 'https://id.test/pem',
}
const OPENID = {
  redirect_uri: 'https://id.test/login/callback',
  logout_uri: 'https://id.test/logout/callback',
}
const WS_FEDERATION = {
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
])('%s %j', (strategy, options, expected) => expect(setup(strategy, options)).toEqual(expected))

it('has the entity id that the connection names', () =>
  expect(setup('samlp', { entityId: 'urn:own' })).toMatchObject({ entity_id: 'urn:own' }))
