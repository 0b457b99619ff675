// One operation: a user-info request with the opaque access token of a login without an API.
import { createBrowser } from '../lib/browser.mjs'
import { expectStatus } from '../lib/http.mjs'
import { signIn } from '../lib/oauth.mjs'

export default {
  name: 'user-info',
  target: 0.4,
  operations: 4000,
  async prepare({ side, http, nextPerson }) {
    const tokens = await signIn(side, http, createBrowser(http), nextPerson())
    return { headers: { authorization: `Bearer ${tokens.access_token}` } }
  },
  async run({ side, http }, { headers }) {
    expectStatus(await http.send({ path: side.paths.userinfo, headers }), 200, 'user-info')
  },
}
