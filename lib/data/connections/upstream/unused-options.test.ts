import { expect, it } from 'vitest'
import { unusedOptions } from './unused-options'

const ADDRESSES = {
  domain: 'id.example.com',
  issuer: 'https://id.example.com',
  discovery_url: 'https://id.example.com/d',
}

it('an option of a server whose address is always the same has no effect', () => {
  const options = { client_id: 'x', scope: ['a'], userinfo_endpoint: 'https://x.test', ...ADDRESSES }
  expect(unusedOptions('google-oauth2', options)).toEqual(['userinfo_endpoint', 'domain', 'discovery_url'])
})

it('an address of a customer’s own server counts: by hand, as metadata, or in the discovery document', () => {
  const endpoints = { token_endpoint: 'https://id.test/t', authorization_endpoint: 'https://id.test/a' }
  const whole = { issuer: 'https://id.test', jwks_uri: 'https://id.test/k', ...endpoints }
  for (const strategy of ['oidc', 'okta', 'keycloak', 'auth0-oidc']) {
    expect(unusedOptions(strategy, { issuer: 'https://id.test', ...endpoints })).toEqual([])
    expect(unusedOptions(strategy, { ...whole, discovery_url: 'https://id.test/d' })).toEqual([])
    expect(unusedOptions(strategy, { oidc_metadata: whole })).toEqual([])
    expect(unusedOptions(strategy, { oidc_metadata: whole, discovery_url: 'https://id.test/d' })).toEqual([
      'discovery_url',
    ])
  }
  expect(unusedOptions('oauth2', { ...endpoints, logoutUrl: 'https://id.test/bye' })).toEqual([])
  expect(unusedOptions('google-oauth2', { oidc_metadata: whole })).toEqual(['oidc_metadata'])
})

it('an option of one protocol, or of one way to authenticate, counts there alone', () => {
  const plain = { fieldsMap: {}, authParams: {}, authParamsMap: {}, customHeaders: {} }
  expect(unusedOptions('oauth2', plain)).toEqual([])
  expect(unusedOptions('oidc', plain)).toEqual(Object.keys(plain))
  expect(unusedOptions('github', plain)).toEqual(Object.keys(plain))
  const signing = { token_endpoint_auth_signing_alg: 'RS256', token_endpoint_jwtca_aud_format: 'issuer' }
  expect(unusedOptions('oidc', signing)).toEqual(Object.keys(signing))
  expect(unusedOptions('oidc', { ...signing, token_endpoint_auth_method: 'private_key_jwt' })).toEqual([])
  expect(unusedOptions('oidc', { useOauthSpecScope: true, send_back_channel_nonce: false })).toEqual([])
  expect(unusedOptions('oidc', { useOauthSpecScope: false })).toEqual(['useOauthSpecScope'])
  expect(unusedOptions('github', { send_back_channel_nonce: true })).toEqual(['send_back_channel_nonce'])
})

it('a signing key is Apple’s alone, and Apple’s authentication is always by it', () => {
  const options = { team_id: 'a', kid: 'b', token_endpoint_auth_method: 'client_secret_basic' }
  expect(unusedOptions('apple', options)).toEqual(['token_endpoint_auth_method'])
  expect(unusedOptions('oidc', options)).toEqual(['team_id', 'kid'])
})

it('a connection to Microsoft uses the options of the protocol that it speaks', () => {
  const options = { client_id: 'a', tenant_domain: 'a.test', scope: ['x'], fieldsMap: { email: 'mail' } }
  expect(unusedOptions('waad', options)).toEqual(['fieldsMap'])
  expect(unusedOptions('waad', { ...options, waad_protocol: 'ws-federation' })).toEqual(['client_id', 'scope'])
})

it('options that are not set, and those of other protocols, are not named', () => {
  expect(unusedOptions('google-oauth2', { domain: '', discovery_url: null })).toEqual([])
  expect(unusedOptions('samlp', { domain: 'a.test' })).toEqual([])
})
