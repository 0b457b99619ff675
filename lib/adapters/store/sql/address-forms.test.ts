// Accounts from before addresses had one form: they get it, and collisions are reported and stay as they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPA, signIn } from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'
import { findCollisions, unifyAddresses } from './address-forms'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
})
afterAll(() => server.close())

async function addOld(id: string, key: string): Promise<void> {
  await server.addUser({ id, email: `${id}@mail.test`, data: { emailVerified: true } })
  const { pool } = server.database
  await pool.query('UPDATE identity SET email_key = $2 WHERE provider_user_id = $1', [id, key])
  await pool.query('UPDATE "user" SET email = $2 WHERE id = $1', [`auth0|${id}`, key])
}

const addressesOf = async (id: string): Promise<string[]> => {
  const { rows } = await server.database.pool.query(
    'SELECT i.email_key, u.email FROM identity i JOIN "user" u ON u.id = i.user_id WHERE i.provider_user_id = $1',
    [id],
  )
  return Object.values(rows[0] ?? {})
}

describe('the form of stored addresses', () => {
  it('is made where no other account has it', async () => {
    await addOld('punycode', 'i@xn--bcher-kva.example')
    await addOld('parts', 'jose\u0301@mail.test')
    await addOld('dot', 'kim@mail.test.')
    await addOld('plain', 'lee@mail.test')
    expect(await unifyAddresses(server.database.pool)).toEqual([])
    expect(await addressesOf('punycode')).toEqual(['i@bücher.example', 'i@bücher.example'])
    expect(await addressesOf('parts')).toEqual(['jos\u00e9@mail.test', 'jos\u00e9@mail.test'])
    expect(await addressesOf('dot')).toEqual(['kim@mail.test', 'kim@mail.test'])
    expect(await addressesOf('plain')).toEqual(['lee@mail.test', 'lee@mail.test'])
    expect((await signIn(server.browser(), 'I@XN--BCHER-KVA.example')).get('code')).toBeTruthy()
  })

  it('is not made where another account has it, which is reported each time', async () => {
    await addOld('second', 'i@xn--bcher-kva.example')
    for (const find of [unifyAddresses, findCollisions])
      expect(await find(server.database.pool)).toEqual([
        expect.objectContaining({ userId: 'auth0|second', form: 'i@bücher.example' }),
      ])
    expect(await addressesOf('second')).toEqual(['i@xn--bcher-kva.example', 'i@xn--bcher-kva.example'])
    expect((await signIn(server.browser(), 'i@xn--bcher-kva.example')).get('code')).toBeTruthy()
  })

  it('of two old spellings goes to one account', async () => {
    await addOld('one', 'a@xn--strae-oqa.example')
    await addOld('two', 'a@straße.example.')
    const found = await unifyAddresses(server.database.pool)
    expect(found.map(({ form }) => form).sort()).toEqual(['a@straße.example', 'i@bücher.example'])
    const all = [...(await addressesOf('one')), ...(await addressesOf('two'))]
    expect(all.filter((address) => address === 'a@straße.example')).toHaveLength(2)
  })
})
