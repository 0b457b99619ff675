// Mails that a login for an organization causes: they show its name, logo and colour; those of other logins do not.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { beginLogin, SPA } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { organizationsOf } from '../../../testing/organizations'
import { addPasswordless } from '../../../testing/passwordless'
import { CONNECTION_ID } from '../../../testing/seed'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let organization: string
let to: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  await addPasswordless(server)
  const { rows } = await server.database.pool.query("SELECT id FROM connection WHERE strategy = 'email'")
  const use = { assignMembership: true, signupEnabled: true }
  organization = await organizationsOf(server).add('acme', {
    settings: {
      display_name: 'Acme Boats',
      branding: { logo_url: 'https://cdn.test/acme.png', colors: { primary: '#a1b2c3' } },
    },
    connections: { [CONNECTION_ID]: use, [rows[0].id]: { assignMembership: true } },
  })
})
afterAll(() => server.close())
beforeEach(() => {
  count += 1
  to = `p${count}@mail.test`
})

const NEW_PASSWORD = 'a lantern over the harbour wall'

const CAUSES: [string, Record<string, string>, () => Promise<unknown>][] = [
  ['a verification', { action: 'sign-up', password: NEW_PASSWORD }, async () => undefined],
  ['a password reset', { action: 'request-reset' }, () => server.addUser({ email: to })],
  ['an address that is taken', { action: 'sign-up', password: NEW_PASSWORD }, () => server.addUser({ email: to })],
  ['a code to sign in', { action: 'send-code' }, async () => undefined],
]

async function mailOf(form: Record<string, string>, extra: Record<string, string>): Promise<string> {
  const browser = server.browser({ ip: `203.0.113.${count}` })
  const state = await beginLogin(browser, extra)
  await browser.post('/u/submit', { form: { state, email: to, username: to, address: to, ...form } })
  const mails = await mailsTo(server, to)
  expect(mails).toHaveLength(1)
  return mails[0]?.html ?? ''
}

it.each(CAUSES)('the mail for %s has the look of the organization', async (_case, form, prepare) => {
  await prepare()
  const html = await mailOf(form, { organization })
  for (const part of ['src="https://cdn.test/acme.png"', 'Acme Boats', '#a1b2c3']) expect(html).toContain(part)
})

it.each(CAUSES)('the mail for %s has no look of an organization without one', async (_case, form, prepare) => {
  await prepare()
  const html = await mailOf(form, {})
  for (const part of ['https://cdn.test/acme.png', 'Acme Boats', '#a1b2c3']) expect(html).not.toContain(part)
})
