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
  expect(unusedOptions('okta', { client_id: 'x', domain: 'a.test', discovery_url: 'https://a.test' })).toEqual([
    'discovery_url',
  ])
})

it('an endpoint of an OpenID Connect server counts only beside all that the discovery document would say', () => {
  const endpoints = { token_endpoint: 'https://id.test/t', authorization_endpoint: 'https://id.test/a' }
  expect(unusedOptions('oidc', { issuer: 'https://id.test', ...endpoints })).toEqual(Object.keys(endpoints))
  const whole = { issuer: 'https://id.test', jwks_uri: 'https://id.test/k', ...endpoints }
  expect(unusedOptions('oidc', whole)).toEqual([])
  expect(unusedOptions('oauth2', endpoints)).toEqual([])
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
