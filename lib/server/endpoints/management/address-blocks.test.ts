// Blocked addresses in the Management API: shown, and lifted.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SPA, signIn } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const IP = '192.0.2.99'
const PATH = `/anomaly/blocks/ips/${IP}`

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.setTenant({
    attackProtection: {
      suspiciousIpThrottling: { enabled: true, stage: { 'pre-login': { max_attempts: 3, rate: 1 } } },
    },
  })
})
afterAll(() => server.close())

const hasLoggedIn = async (email: string): Promise<boolean> =>
  (await signIn(server.browser({ ip: IP }), email)).has('code')

it('shows a block while it stands, and lifts it', async () => {
  expect((await manager.get(PATH)).json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_block' })
  for (const name of ['a', 'b', 'c']) await hasLoggedIn(`${name}@mail.test`)
  expect((await manager.get(PATH)).status).toBe(200)
  expect(await hasLoggedIn('kim@mail.test')).toBe(false)
  expect((await manager.remove(PATH)).status).toBe(204)
  expect((await manager.get(PATH)).status).toBe(404)
  expect(await hasLoggedIn('kim@mail.test')).toBe(true)
})

it('takes addresses alone', async () => {
  expect((await manager.get('/anomaly/blocks/ips/none')).json()).toMatchObject({
    statusCode: 400,
    errorCode: 'invalid_uri',
  })
  expect((await manager.remove('/anomaly/blocks/ips/none')).status).toBe(400)
  expect((await manager.get('/anomaly/blocks/ips/2001:db8::1')).status).toBe(404)
})
