import { describe, expect, it } from 'vitest'
import { clientSettings, toClient } from './client'
import { contradictionOf, underProfile } from './fapi2'

const clientOf = (settings: object) => toClient({ clientId: 'x', name: 'X', secretDigest: null, settings })
const placeOf = (settings: object) => contradictionOf({ ...settings }, 'fapi2')?.issues[0]?.path.join('.')

describe('the profile fapi2', () => {
  it('leaves a record without it alone', () => {
    const client = clientOf({ grant_types: ['implicit'] })
    expect([client.profile, [...client.grantTypes]]).toEqual([null, ['implicit']])
    expect(underProfile(client, undefined)).toBe(client)
    expect(contradictionOf({ grant_types: ['implicit'] }, undefined)).toBeNull()
  })

  it('turns on all that it demands, whatever is stored', () => {
    const stored = {
      app_type: 'spa',
      grant_types: ['authorization_code', 'implicit', 'password', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_signing_alg: 'RS256',
      refresh_token: { rotation_type: 'rotating' },
      allow_userinfo_query_token: true,
      authorization_signed_response_alg: 'ES256',
      userinfo_signed_response_alg: 'RS256',
      callbacks: ['https://app.test/cb', 'http://app.test/cb', 'https://*.app.test/cb', 'http://127.0.0.1/cb'],
    }
    const demanded = {
      profile: 'fapi2',
      isPublic: false,
      authMethod: 'private_key_jwt',
      authMethods: new Set(['private_key_jwt']),
      grantTypes: new Set(['authorization_code', 'refresh_token']),
      refresh: { rotating: false },
      settings: {
        require_pushed_authorization_requests: true,
        require_proof_of_possession: true,
        allow_userinfo_query_token: false,
        token_endpoint_auth_signing_alg: 'PS256',
        request_object_signing_alg: 'PS256',
        jwt_configuration: { alg: 'PS256' },
        authorization_signed_response_alg: 'ES256',
        userinfo_signed_response_alg: 'PS256',
        callbacks: ['https://app.test/cb'],
      },
    }
    expect(clientOf({ ...stored, security_profile: 'fapi2' })).toMatchObject(demanded)
    expect(underProfile(clientOf(stored), 'fapi2')).toMatchObject(demanded)
  })

  it('lets a native application return to its own device', () => {
    const callbacks = [
      'http://127.0.0.1/cb',
      'com.example.app:/cb',
      'http://localhost/cb',
      'http://127.0.0.1.evil.test/cb',
    ]
    const client = clientOf({ app_type: 'native', callbacks, security_profile: 'fapi2' })
    expect(client.settings.callbacks).toEqual(['http://127.0.0.1/cb', 'com.example.app:/cb'])
  })

  it.each<[string, object]>([
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'none' }],
    ['app_type', { app_type: 'spa' }],
    ['grant_types.1', { grant_types: ['authorization_code', 'implicit'] }],
    ['grant_types.0', { grant_types: ['password'] }],
    ['grant_types.0', { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] }],
    ['token_endpoint_auth_signing_alg', { token_endpoint_auth_signing_alg: 'RS256' }],
    ['request_object_signing_alg', { request_object_signing_alg: 'RS384' }],
    ['require_pushed_authorization_requests', { require_pushed_authorization_requests: false }],
    ['require_proof_of_possession', { require_proof_of_possession: false }],
    ['allow_userinfo_query_token', { allow_userinfo_query_token: true }],
    ['refresh_token.rotation_type', { refresh_token: { rotation_type: 'rotating' } }],
    ['jwt_configuration.alg', { jwt_configuration: { alg: 'RS256' } }],
    ['userinfo_signed_response_alg', { userinfo_signed_response_alg: 'RS256' }],
    ['authorization_signed_response_alg', { authorization_signed_response_alg: 'RS256' }],
    ['callbacks.1', { callbacks: ['https://app.test/cb', 'http://app.test/cb'] }],
    ['callbacks.0', { callbacks: ['https://*.app.test/cb'] }],
    ['callbacks.0', { callbacks: ['http://127.0.0.1/cb'] }],
  ])('contradicts %s in %j', (place, settings) => {
    expect(clientSettings.safeParse(settings).success).toBe(true)
    expect(placeOf(settings)).toBe(place)
  })

  it('contradicts nothing in a record that follows it', () => {
    const settings = {
      app_type: 'native',
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code', 'client_credentials'],
      jwt_configuration: { alg: 'ES256', lifetime_in_seconds: 60 },
      refresh_token: { rotation_type: 'non-rotating', leeway: 0 },
      callbacks: ['http://127.0.0.1/cb', 'https://app.test/cb'],
    }
    expect(contradictionOf(settings, 'fapi2')).toBeNull()
    expect(contradictionOf({}, 'fapi2')).toBeNull()
  })
})
