// Second factors in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

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

  it('an unsupported factor may be disabled, not enabled', async () => {
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

describe('the settings of keys', () => {
  const ROAMING = '/guardian/factors/webauthn-roaming/settings'
  const PLATFORM = '/guardian/factors/webauthn-platform/settings'

  it('say whether a security key has to recognize the person, and are applied', async () => {
    const before = { userVerification: 'discouraged', overrideRelyingParty: false }
    expect((await manager.get(ROAMING)).json()).toEqual(before)
    const wanted = { userVerification: 'required', overrideRelyingParty: false }
    expect((await manager.put(ROAMING, wanted)).json()).toEqual(wanted)
    expect((await manager.get(ROAMING)).json()).toEqual(wanted)
    expect((await applied()).guardianWebauthnRoaming).toEqual({ userVerification: 'required' })
    expect((await manager.get(PLATFORM)).json()).toEqual({ overrideRelyingParty: false })
    expect((await manager.put(PLATFORM, { overrideRelyingParty: false })).status).toBe(200)
  })

  it.each<[string, object]>([
    [ROAMING, { userVerification: 'sometimes' }],
    [ROAMING, { overrideRelyingParty: true, relyingPartyIdentifier: 'other.test' }],
    [ROAMING, { unknown: 1 }],
    [PLATFORM, { userVerification: 'required' }],
    [PLATFORM, { overrideRelyingParty: true }],
  ])('the settings at %s refuse %j', async (path, body) => {
    expect((await manager.put(path, body)).json()).toMatchObject(INVALID)
  })
})

describe('the sender of text messages and calls', () => {
  const SELECTED = '/guardian/factors/phone/selected-provider'
  const ACCOUNT = '/guardian/factors/sms/providers/twilio'

  it('is this server, until an account is stored and chosen', async () => {
    expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'auth0' })
    expect((await manager.get(ACCOUNT)).json()).toEqual({})
    expect((await manager.put(SELECTED, { provider: 'twilio' })).json()).toMatchObject(INVALID)
    const stored = await manager.put(ACCOUNT, { from: '+15550000', sid: 'AC1', auth_token: 'of-the-provider' })
    expect(stored.json()).toEqual({ from: '+15550000', sid: 'AC1', auth_token: '********' })
    expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'auth0' })
    expect((await manager.put('/guardian/factors/sms/selected-provider', { provider: 'twilio' })).status).toBe(200)
    expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'twilio' })
    const [provider] = (await manager.get('/branding/phone/providers')).json().providers as object[]
    expect(provider).toMatchObject({ disabled: false, configuration: { sid: 'AC1', default_from: '+15550000' } })
    const changed = await manager.put(ACCOUNT, { messaging_service_sid: 'MG1', sid: 'AC1', auth_token: '********' })
    expect(changed.json()).toEqual({ messaging_service_sid: 'MG1', sid: 'AC1', auth_token: '********' })
    expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'twilio' })
    expect((await manager.put(SELECTED, { provider: 'auth0' })).json()).toEqual({ provider: 'auth0' })
    expect(JSON.stringify(await server.audited())).not.toContain('of-the-provider')
    await manager.remove('/branding/phone/providers/pro_twilio')
  })

  it.each<[string, object]>([
    ['no account', { from: '+15550000', auth_token: 'x' }],
    ['no secret', { from: '+15550000', sid: 'AC1' }],
    ['a mask in place of the first secret', { from: '+15550000', sid: 'AC1', auth_token: '********' }],
    ['no sender', { sid: 'AC1', auth_token: 'x' }],
    ['an unknown member', { from: '+15550000', sid: 'AC1', auth_token: 'x', region: 'eu' }],
  ])('is refused with %s', async (_what, body) => {
    expect((await manager.put(ACCOUNT, body)).json()).toMatchObject(INVALID)
    expect((await manager.get(ACCOUNT)).json()).toEqual({})
  })

  it('is no other service', async () => {
    expect((await manager.put(SELECTED, { provider: 'pigeon' })).json()).toMatchObject(INVALID)
  })
})

describe('prompts on devices', () => {
  it('need no service', async () => {
    const path = '/guardian/factors/push-notification/selected-provider'
    expect((await manager.get(path)).json()).toEqual({ provider: 'guardian' })
    expect((await manager.put(path, { provider: 'guardian' })).json()).toEqual({ provider: 'guardian' })
    expect((await manager.put(path, { provider: 'sns' })).json()).toMatchObject(INVALID)
  })

  it.each([
    'push-notification/providers/sns',
    'push-notification/providers/apns',
    'push-notification/providers/fcm',
    'push-notification/providers/fcmv1',
    'duo/settings',
  ])('%s is refused by name', async (service) => {
    const path = `/guardian/factors/${service}`
    expect((await manager.get(path)).text).toMatch(/^\{\}$|errorCode/)
    const name = service.split('/').at(service.startsWith('duo') ? 0 : -1) ?? ''
    expect((await manager.put(path, { key: 'x' })).json()).toMatchObject({
      ...INVALID,
      message: expect.stringContaining(`${name} does not exist here`),
    })
    expect((await manager.patch(path, { key: 'x' })).json()).toMatchObject(INVALID)
  })
})

it('takes templates of text messages as one value, and refuses what is no Liquid', async () => {
  const templates = { enrollment_message: 'Enroll {{code}}', verification_message: 'Verify {{code}}' }
  expect((await manager.put('/guardian/factors/sms/templates', templates)).json()).toEqual(templates)
  expect((await manager.get('/guardian/factors/phone/templates')).json()).toEqual(templates)
  for (const wrong of [{ enrollment_message: 'x' }, { ...templates, enrollment_message: '{% if' }])
    expect((await manager.put('/guardian/factors/sms/templates', wrong)).json()).toMatchObject(INVALID)
})
