// The endpoints of the demo page: /demo/received and /demo/invitation.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { type TestServer, testServer } from '../../../testing/server'
import { applyText } from '../../../testing/tenant-file'

let server: TestServer

/** The demo is there for this machine alone. */
const here = () => server.browser({ ip: '127.0.0.1' })

beforeAll(async () => {
  server = await testServer({ demo: true })
  const text = await readFile(new URL('../../../../prisma/demo-tenant.yaml', import.meta.url), 'utf8')
  const variables = { APP_URL: 'https://id.test', DEMO_PROVIDER_URL: 'https://acme.test' }
  expect((await applyText(server, FIRST_TENANT, text, variables)).notApplied).toEqual([])
})
afterAll(() => server.close())

describe.each(['/demo/received', '/demo/invitation'])('%s', (path) => {
  it('does not exist outside demo mode, or for another machine', async () => {
    const outside = server.instance({ demo: false }).browser({ ip: '127.0.0.1' })
    for (const browser of [outside, server.browser({ ip: '192.168.1.9' })])
      expect((await browser.post(path, { form: { SAMLResponse: 'x' } })).status).toBe(404)
  })

  it('takes no form of another site', async () => {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const answer = await here().post(path, { form: { SAMLResponse: 'x' }, headers })
    expect(answer.status).toBe(403)
  })
})

it.each([
  ['SAMLResponse', 'PHg+', 'PHg+'],
  ['wresult', '<x>', Buffer.from('<x>').toString('base64')],
])('/demo/received passes %s on to the page, in the fragment', async (name, value, received) => {
  const answer = await here().post('/demo/received', { form: { [name]: value } })
  const location = new URL(answer.header('location') ?? '')
  expect([answer.status, location.origin, location.pathname, location.search]).toEqual([
    303,
    'https://id.test',
    '/demo',
    '',
  ])
  expect(Object.fromEntries(new URLSearchParams(location.hash.slice(1)))).toEqual({ received })
})

it('/demo/received refuses a form without a response', async () => {
  expect((await here().post('/demo/received', { form: {} })).status).toBe(400)
})

it('/demo/invitation invites a guest of its own each time, and mails the link that it continues at', async () => {
  const { pool } = server.database
  const links = []
  for (let guest = 0; guest < 2; guest += 1) {
    const answer = await here().post('/demo/invitation', { form: {} })
    expect(answer.status).toBe(303)
    links.push(new URL(answer.header('location') ?? ''))
  }
  const { rows } = await pool.query('SELECT email, client_id FROM organization_invitation')
  expect(new Set(rows.map(({ email }) => email)).size).toBe(2)
  for (const link of links) {
    expect(link.href).toMatch(/^https:\/\/id\.test\/demo\?/)
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ organization_name: 'night-shift' })
    expect(link.searchParams.get('invitation')).toBeTruthy()
  }
})
