import { expect, it } from 'vitest'
import { authorizeQuery, locationOf, WEB, webCredentials } from '../../../testing/journey'
import { organizationsOf } from '../../../testing/organizations'
import { testServer } from '../../../testing/server'

it('pushes an invitation, and stores its digest alone', async () => {
  const server = await testServer()
  const organizations = organizationsOf(server)
  await server.addClient({ ...WEB, settings: { ...WEB.settings, organization_usage: 'require' } })
  const acme = await organizations.add('acme')
  const invitation = await organizations.invite(acme, 'f@mail.test', { clientId: 'web' })
  const browser = server.browser()
  const form = { ...authorizeQuery({ organization: acme, invitation }), ...webCredentials() }
  const pushed = (await browser.post('/oauth/par', { form })).json()
  expect(pushed).toMatchObject({ request_uri: expect.any(String) })
  const query = { client_id: 'web', request_uri: String(pushed.request_uri) }
  const { rows } = await server.database.pool.query('SELECT payload::text AS text FROM ticket')
  expect(rows.filter(({ text }) => text.includes(invitation))).toEqual([])
  const first = locationOf(await browser.get('/authorize', { query }))
  expect(first.href).toContain('/u/signup')
  await server.close()
})
