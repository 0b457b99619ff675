import { afterAll, beforeAll, expect, it } from 'vitest'
import { BLANK_PERSON } from '../../../data/users/user'
import { type TestServer, testServer } from '../../../testing/server'
import { changeUser, insertUsers } from './user-writes'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

it('says that a user was made or deleted meanwhile, for the operator who applies a file', async () => {
  const at = server.clock.now()
  const user = { ...BLANK_PERSON, id: 'auth0|gone', userMetadata: {}, appMetadata: {}, createdAt: at }
  const keys = { emailKey: 'gone@mail.test', usernameKey: null, fileCredential: null, profile: {} }
  const account = { connectionId: 'con_database', providerUserId: 'gone', ...keys }
  const write = { isNew: true, user, account, factors: [] }
  const prisma = await server.db.prisma()
  const changing = prisma.$transaction((tx) => changeUser(tx, 'default', write, undefined, at))
  await expect(changing).rejects.toThrow('A user was made, changed or deleted meanwhile: try again.')
  await prisma.$transaction((tx) => insertUsers(tx, 'default', [write], at))
  const twice = prisma.$transaction((tx) => insertUsers(tx, 'default', [write], at))
  await expect(twice).rejects.toThrow('A user was made, changed or deleted meanwhile: try again.')
})
