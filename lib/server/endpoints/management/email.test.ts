// Mail templates in the Management API.
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

const INVALID = { statusCode: 400, errorCode: 'invalid_body' }
const TEMPLATE = {
  body: '<p>{{ user.name }}</p>',
  from: 'Acme <login@acme.test>',
  subject: 'Hello',
  syntax: 'liquid',
  enabled: false,
}

describe('a mail template', () => {
  const PATH = '/email-templates/verify_email'

  it('is absent until it is created, and is then changed and replaced', async () => {
    expect((await manager.get(PATH)).json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_email_template' })
    expect((await manager.patch(PATH, { enabled: false })).status).toBe(404)
    const made = await manager.post('/email-templates', { template: 'verify_email', ...TEMPLATE })
    expect([made.status, made.json()]).toEqual([201, { template: 'verify_email', ...TEMPLATE }])
    expect((await manager.post('/email-templates', { template: 'verify_email', ...TEMPLATE })).status).toBe(409)
    const changed = await manager.patch(PATH, { subject: 'Changed', resultUrl: 'https://acme.test/' })
    expect(changed.json()).toEqual({
      template: 'verify_email',
      ...TEMPLATE,
      subject: 'Changed',
      resultUrl: 'https://acme.test/',
    })
    expect((await manager.get(PATH)).json()).toEqual(changed.json())
    expect((await manager.put(PATH, TEMPLATE)).json()).toEqual({ template: 'verify_email', ...TEMPLATE })
  })

  it.each([{ syntax: 'handlebars' }, { enabled: 'yes' }, { urlLifetimeInSeconds: -1 }])(
    'the template refuses %j',
    async (body) => {
      expect((await manager.patch(PATH, body)).json()).toMatchObject(INVALID)
    },
  )

  it('has one of the vendor’s names', async () => {
    expect((await manager.get('/email-templates/newsletter')).status).toBe(404)
    expect((await manager.put('/email-templates/newsletter', TEMPLATE)).status).toBe(404)
    expect((await manager.post('/email-templates', { template: 'newsletter', ...TEMPLATE })).json()).toMatchObject(
      INVALID,
    )
  })
})
