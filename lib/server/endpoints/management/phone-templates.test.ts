// Templates of text messages and calls: put by the Management API, applied to the codes that a tenant sends.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { type LogLine, recordingLog, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const PATH = '/branding/phone/templates'
const VERIFY = `${PATH}/tem_otp_verify`
const OLDER = '/guardian/factors/phone/templates'

let server: TestServer
let manager: Manager
let count = 0
const lines: LogLine[] = []

beforeAll(async () => {
  // A slow load would let the cache serve the configuration from before the change.
  await import('../../../pages/messages/phone-templates')
  server = await testServer({ log: recordingLog(lines) })
  manager = await addManager(server)
  await server.setTenant({
    tenant: { friendly_name: 'Acme', rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } },
    guardianFactors: [{ name: 'sms', enabled: true }],
    guardianPhoneFactorMessageTypes: { message_types: ['sms', 'voice'] },
  })
})
afterEach(async () => {
  for (const type of ['otp_verify', 'otp_enroll']) await manager.remove(`${PATH}/tem_${type}`)
  server.clock.advance(60)
})
afterAll(() => server.close())

const contentOf = (body: object, more: object = {}) => ({ syntax: 'liquid', body, ...more })
async function make(type: string, content: object, disabled = false): Promise<TestResponse> {
  const made = await manager.post(PATH, { type, disabled, content })
  expect(made.status, made.text).toBe(201)
  server.clock.advance(60)
  return made
}

/** The message that confirms a new phone of a new user, by an enrollment ticket. */
async function enrolling(factor: 'sms' | 'voice' = 'sms') {
  const browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  const user_id = await server.addUser({ email: `${server.random.hex(8)}@mail.test` })
  const { ticket_id } = (await manager.post('/guardian/enrollments/ticket', { user_id })).json()
  count += 1
  const phone = `+4915112${String(300_000 + count)}`
  const form = { state: `${ticket_id}.`, action: 'mfa-enroll', factor, phone }
  expect((await browser.post('/u/enroll', { form, headers: { origin: 'https://id.test' } })).status).toBe(303)
  const [message] = await mailsTo(server, phone)
  return { text: message?.text ?? '', code: message?.code ?? 'none' }
}

const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]

describe('the words of a message', () => {
  it('are ours without a template', async () => {
    const { text, code } = await enrolling()
    expect(text).toMatch(new RegExp(`${code}[^]*@id.test #${code}$`))
  })

  it('are those of the enabled template of its type, and end in the origin-bound form', async () => {
    const text = '{{ friendly_name }}/{{ tenant.friendly_name }} {{ message_type }} {{ locale }} {{ code }}'
    await make('otp_enroll', contentOf({ text, voice: 'Call {{ code }}{{ pause }}{{ code }}' }))
    await make('otp_verify', contentOf({ text: 'Verify {{ code }}', voice: 'Verify {{ code }}' }))
    const sms = await enrolling()
    expect(sms.text).toBe(`Acme/Acme sms en ${sms.code}\n\n@id.test #${sms.code}`)
    const call = await enrolling('voice')
    const spelt = [...call.code].join('.')
    expect(call.text).toBe(`Call ${spelt}, ${spelt}`)
    await manager.patch(`${PATH}/tem_otp_enroll`, { disabled: true })
    server.clock.advance(60)
    expect((await enrolling()).text).not.toContain('Acme/Acme')
  })

  it('name the vendor’s variables, and what a person typed only in plain words', async () => {
    const known = [
      'tenant',
      'tenant.friendlyName',
      'application.name',
      'connection',
      'user.nickname',
      'user.phone_number',
    ]
    const absent = ['organization', 'user.email', 'custom_domain', 'user.given_name']
    const conditions = absent.map((name) => `{% if ${name} %}${name}{% endif %}`).join('')
    const text = `{{ code }}|${known.map((name) => `{{ ${name} }}`).join('|')}|${conditions}`
    await make('otp_enroll', contentOf({ text }))
    const sms = await enrolling()
    expect(sms.text).toMatch(/^\d{6}\|[^|]+\|Acme\|Acme\|Users\|\|\|\n/)
    expect(sms.text.split('|')[1]).toBe((await server.runtime()).tenantName)
  })

  it('are those of the older templates of factors where no phone template is enabled', async () => {
    await manager.put(OLDER, { enrollment_message: 'Older {{ code }}', verification_message: 'Other {{ code }}' })
    server.clock.advance(60)
    expect((await enrolling()).text).toMatch(/^Older \d{6}\n/)
    await make('otp_enroll', contentOf({ text: 'Newer {{ code }}' }))
    expect((await enrolling()).text).toMatch(/^Newer \d{6}\n/)
    await server.database.pool.query("DELETE FROM document WHERE id = 'guardian'")
  })

  it.each([
    ['leaves the code out', 'Hello'],
    ['is too long', `{{ code }}${'x'.repeat(1600)}`],
    ['does not end', '{{ code }}{% for i in (1..100000000) %}x{% endfor %}'],
  ])('are ours where the template %s, with a warning', async (_what, text) => {
    await make('otp_enroll', contentOf({ text }))
    const before = lines.length
    const { text: sent, code } = await enrolling()
    expect(sent).toContain(code)
    expect(sent).not.toMatch(/Hello|xxx/)
    expect(lines.slice(before).map(({ sentence }) => sentence)).toContain(
      'A template failed, so the standard message is sent.',
    )
  })
})

describe('templates', () => {
  it('are made once, read, changed by parts, reset and removed', async () => {
    expect((await manager.get(PATH)).json()).toEqual({ templates: [] })
    const made = (await make('otp_verify', contentOf({ text: 'A {{ code }}' }, { from: '+15550000' }), true)).json()
    expect(made).toMatchObject({
      id: 'tem_otp_verify',
      type: 'otp_verify',
      channel: 'phone',
      disabled: true,
      content: { syntax: 'liquid', from: '+15550000', body: { text: 'A {{ code }}', voice: expect.any(String) } },
    })
    expect(outcome(await manager.post(PATH, { type: 'otp_verify' }))).toEqual([409, 'phone_template_conflict'])
    const changed = await manager.patch(VERIFY, { content: { body: { voice: 'V {{ code }}' } } })
    expect(changed.json()).toEqual({
      ...made,
      content: { ...(made.content as object), body: { text: 'A {{ code }}', voice: 'V {{ code }}' } },
    })
    expect((await manager.get(VERIFY)).json()).toEqual(changed.json())
    expect((await manager.get(PATH, { query: { disabled: 'false' } })).json()).toEqual({ templates: [] })
    expect((await manager.get(PATH)).json()).toEqual({ templates: [changed.json()] })
    const stale = await manager.patch(VERIFY, { disabled: false }, { 'if-match': '"of-another-version"' })
    expect(stale.status).toBe(412)
    const reset = (await manager.patch(`${VERIFY}/reset`, {})).json()
    expect(reset).toMatchObject({ disabled: true, content: { body: { text: '{{ code }} - {{ friendly_name }}' } } })
    expect((await manager.remove(VERIFY)).status).toBe(204)
    expect(outcome(await manager.get(VERIFY))).toEqual([404, 'inexistent_phone_template'])
    expect((await manager.remove(VERIFY)).status).toBe(204)
  })

  it('are made by one of two at the same time', async () => {
    const both = await Promise.all([1, 2].map(() => manager.post(PATH, { type: 'otp_verify' })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it.each<[string, object]>([
    ['an unknown type', { type: 'welcome' }],
    ['no Liquid', { type: 'otp_verify', content: contentOf({ text: '{% if' }) }],
    ['a tag that does not exist', { type: 'otp_verify', content: contentOf({ voice: '{% script %}' }) }],
    ['another syntax', { type: 'otp_verify', content: { syntax: 'ejs', body: {} } }],
    ['an invalid sender', { type: 'otp_verify', content: { from: 'a@b' } }],
    ['an unknown member', { type: 'otp_verify', language: 'en' }],
  ])('are refused with %s', async (_what, body) => {
    expect(outcome(await manager.post(PATH, body))).toEqual([400, 'invalid_body'])
  })

  it('are absent under an unknown id', async () => {
    for (const id of ['none', 'tem_none', 'guardian', 'tem_guardian']) {
      expect(outcome(await manager.get(`${PATH}/${id}`))).toEqual([404, 'inexistent_phone_template'])
      expect((await manager.patch(`${PATH}/${id}`, {})).status).toBe(404)
      expect((await manager.patch(`${PATH}/${id}/reset`, {})).status).toBe(404)
      expect((await manager.post(`${PATH}/${id}/try`, { to: '+4915112349167' })).status).toBe(404)
      expect((await manager.remove(`${PATH}/${id}`)).status).toBe(204)
    }
  })

  it('are not tried without a provider, and not with a template that fails', async () => {
    await make('otp_verify', contentOf({ text: '{{ code }}', voice: '{% for i in (1..100000000) %}x{% endfor %}' }))
    expect(outcome(await manager.post(`${VERIFY}/try`, { to: '+4915112349167' }))).toEqual([
      400,
      'phone_provider_failed',
    ])
    const voice = await manager.post(`${VERIFY}/try`, { to: '+4915112349167', delivery_method: 'voice' })
    expect(outcome(voice)).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.post(`${VERIFY}/try`, { to: '12' }))).toEqual([400, 'invalid_body'])
  })
})
