// What an action learns of where a login comes from: the place of its address, the way from the last login, and the TLS connection.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GeoLocation } from '../../../identity/tenant-code/geoip'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { payloadOf, SPA, signInForTokens } from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'

const PLACES: Record<string, GeoLocation> = {
  '198.51.100.7': { countryCode: 'DE', latitude: 52.52, longitude: 13.4 },
  '203.0.113.9': { countryCode: 'AU', latitude: -33.87, longitude: 151.21 },
}
const CLAIM = 'https://acme.example/seen'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ placeOf: (ip) => PLACES[ip] ?? {} })
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await bindAction(
    server,
    'post-login',
    postLogin(`api.idToken.setCustomClaim('${CLAIM}', {
      geoip: event.request.geoip, risk: event.authentication.riskAssessment, tls: event.security_context ?? null })`),
    { tenant: { default_directory: 'Users' } },
  )
})
afterAll(() => server.close())

const seenAt = async (options: Parameters<TestServer['browser']>[0]) =>
  payloadOf((await signInForTokens(server.browser(options), 'kim@mail.test', {})).id_token as string)[CLAIM]

const travel = (confidence: string, code: string) => ({
  ...{ confidence, version: '1' },
  assessments: { ImpossibleTravel: { confidence, code } },
})

it('has the place of the address, and judges the travel from the last login', async () => {
  expect(await seenAt({})).toEqual({
    ...{ geoip: PLACES['198.51.100.7'], tls: null },
    risk: travel('neutral', 'initial_login'),
  })
  server.clock.advance(3600)
  expect(await seenAt({ ip: '203.0.113.9' })).toMatchObject({
    geoip: { countryCode: 'AU' },
    risk: travel('low', 'impossible_travel_from_last_login'),
  })
  expect(await seenAt({ ip: '192.0.2.1' })).toMatchObject({ geoip: {}, risk: travel('neutral', 'missing_geoip') })
})

it('has the fingerprints that a proxy states', async () => {
  expect(await seenAt({ fingerprint: { ja4: 't13d1516h2_8daaf' } })).toMatchObject({ tls: { ja4: 't13d1516h2_8daaf' } })
})
