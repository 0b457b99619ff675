// One operation: a read of the Management API, with a token that lives for the whole row. The peer does not have this.
import { CLIENT_ID } from '../lib/definition.mjs'
import { expectStatus } from '../lib/http.mjs'
import { managementToken } from '../lib/oauth.mjs'

const prepare = async ({ side, http }) => ({
  headers: { authorization: `Bearer ${await managementToken(side, http)}` },
})

export const managedClient = {
  name: 'management: one client',
  sides: ['Latchkey'],
  operations: 1200,
  prepare,
  async run({ http }, { headers }) {
    expectStatus(await http.send({ path: `/api/v2/clients/${CLIENT_ID}`, headers }), 200, 'a client')
  },
}

export const managedUsers = {
  name: 'management: users by e-mail',
  sides: ['Latchkey'],
  operations: 600,
  prepare,
  async run({ http, nextPerson }, { headers }) {
    const query = new URLSearchParams({ q: `email:"${nextPerson().email}"`, search_engine: 'v3' })
    const { text } = expectStatus(await http.send({ path: `/api/v2/users?${query}`, headers }), 200, 'users')
    if (JSON.parse(text).length !== 1) throw new Error(`the search found ${text}`)
  },
}
