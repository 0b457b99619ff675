// Second factors in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../testing/management'
import { type TestServer, testServer } from '../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const applied = async () => {
  server.clock.advance(2)
  return (await server.runtime()).settings
}
const INVALID = { statusCode: 400, errorCode: 'invalid_body' }

describe('a factor', () => {
  it('is listed among all of the vendor’s, disabled until it is enabled', async () => {
    const listed = JSON.parse((await manager.get('/guardian/factors')).text) as { name: string; enabled: boolean }[]
    expect(listed.map(({ name }) => name).sort()).toEqual(
      'duo email otp push-notification recovery-code sms webauthn-platform webauthn-roaming'.split(' '),
    )
    expect(listed.every(({ enabled }) => !enabled)).toBe(true)
    expect((await manager.put('/guardian/factors/otp', { enabled: true })).json()).toEqual({ enabled: true })
    expect((await applied()).guardianFactors).toContainEqual({ name: 'otp', enabled: true })
    await manager.put('/guardian/factors/sms', { enabled: true })
    expect((await manager.put('/guardian/factors/otp', { enabled: false })).json()).toEqual({ enabled: false })
    const after = (await applied()).guardianFactors.filter(({ enabled }) => enabled)
    expect(after).toEqual([{ name: 'sms', enabled: true }])
  })

  it('that does not exist here may be disabled, not enabled', async () => {
    expect((await manager.put('/guardian/factors/duo', { enabled: false })).status).toBe(200)
    expect((await manager.put('/guardian/factors/duo', { enabled: true })).json()).toMatchObject(INVALID)
    expect((await manager.put('/guardian/factors/telepathy', { enabled: true })).status).toBe(404)
    expect((await manager.put('/guardian/factors/otp', { enabled: 'yes' })).json()).toMatchObject(INVALID)
  })
})

it('takes policies as an array, and applies them', async () => {
  expect((await manager.get('/guardian/policies')).text).toBe('[]')
  expect((await manager.put('/guardian/policies', ['all-applications'])).text).toBe('["all-applications"]')
  expect((await manager.get('/guardian/policies')).text).toBe('["all-applications"]')
  expect((await applied()).guardianPolicies).toEqual({ policies: ['all-applications'] })
  expect((await manager.put('/guardian/policies', ['some'])).json()).toMatchObject(INVALID)
  expect((await manager.put('/guardian/policies', { policies: [] })).json()).toMatchObject(INVALID)
})

it('takes the types of messages to phones, and applies them', async () => {
  const path = '/guardian/factors/phone/message-types'
  expect((await manager.get(path)).json()).toEqual({ message_types: ['sms'] })
  expect((await manager.put(path, { message_types: ['sms', 'voice'] })).json()).toEqual({
    message_types: ['sms', 'voice'],
  })
  expect((await applied()).guardianPhoneFactorMessageTypes.message_types).toEqual(['sms', 'voice'])
  expect((await manager.put(path, { message_types: ['pigeon'] })).json()).toMatchObject(INVALID)
})

describe('the sender of messages', () => {
  it.each([
    ['phone', 'auth0'],
    ['sms', 'auth0'],
    ['push-notification', 'guardian'],
  ])('of %s is %s and no other', async (factor, provider) => {
    const path = `/guardian/factors/${factor}/selected-provider`
    expect((await manager.get(path)).json()).toEqual({ provider })
    expect((await manager.put(path, { provider })).json()).toEqual({ provider })
    expect((await manager.put(path, { provider: 'twilio' })).json()).toMatchObject(INVALID)
  })

  it('has no credentials in the tenant, and refuses them', async () => {
    const path = '/guardian/factors/sms/providers/twilio'
    expect((await manager.get(path)).json()).toEqual({})
    const refused = await manager.put(path, { from: '+15550000', sid: 'AC1', auth_token: 'of the provider' })
    expect(refused.json()).toMatchObject(INVALID)
  })
})

it('keeps the templates of text messages', async () => {
  const templates = { enrollment_message: 'Enroll {{code}}', verification_message: 'Verify {{code}}' }
  expect((await manager.put('/guardian/factors/sms/templates', templates)).json()).toEqual(templates)
  expect((await manager.get('/guardian/factors/phone/templates')).json()).toEqual(templates)
  expect((await manager.put('/guardian/factors/sms/templates', { enrollment_message: 'x' })).json()).toMatchObject(
    INVALID,
  )
})
