// What users of a deleted connection leave: no login of theirs opens the account of a user who is made again with the same id (threat-model.md
// BF26).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { locationOf } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { enterPortal } from '../../../testing/portal'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

it('the deletion of a user by the address of an account ends the logins of the user', async () => {
  const email = 'again@mail.test'
  const user = await server.addUser({ id: 'again', email, data: { emailVerified: true } })
  const browser = server.browser()
  expect((await enterPortal(browser, email)).pathname).toBe('/account/profile')
  const { rows } = await server.database.pool.query('SELECT connection_id AS id FROM identity WHERE user_id = $1', [
    user,
  ])
  const deleted = await manager.remove(`/connections/${rows[0]?.id}/users?email=${encodeURIComponent(email)}`)
  expect(deleted.status).toBe(204)
  expect(await server.addUser({ id: 'again', email, data: { emailVerified: true } })).toBe(user)
  expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
})

it('the deletion of a connection ends the logins of its users, and of those who linked an account of it', async () => {
  const email = 'linked@mail.test'
  const user = await server.addUser({ email, data: { emailVerified: true } })
  const browser = server.browser()
  await enterPortal(browser, email)
  const made = await manager.post('/connections', { name: 'Short-lived', strategy: 'auth0' })
  const id = String(made.json().id)
  await server.database.pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', $1, 'x', 'auth0', $2)`,
    [id, user],
  )
  expect((await manager.remove(`/connections/${id}`)).status).toBeLessThan(300)
  expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
})
