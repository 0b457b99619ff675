// Tests of second factors: a server for each file, and for each test a new user with a browser at an address of its own.
import { test } from 'vitest'
import { MFA_WEB } from './mfa'
import { type Browser, type TestServer, testServer } from './server'

export type MfaFixture = { server: TestServer; browser: Browser; user: string; phone: string; ip: string }

/** `prepare` adds what the tests of the file need besides the client. */
export function mfaTest(prepare: (server: TestServer) => Promise<void>) {
  let count = 0
  return (
    test
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern.
      .extend('server', { scope: 'file' }, async ({}, { onCleanup }): Promise<TestServer> => {
        const server = await testServer()
        onCleanup(() => server.close())
        await server.addClient(MFA_WEB)
        await prepare(server)
        return server
      })
      .extend('mfa', async ({ server }): Promise<MfaFixture> => {
        count += 1
        const user = `user${count}@mail.test`
        await server.addUser({ email: user })
        const ip = `203.0.113.${count}`
        return { server, browser: server.browser({ ip }), user, phone: `+49171${1000000 + count}`, ip }
      })
  )
}
