// One user-info request, with the access token a login without an API yields: the kind meant for this endpoint.
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
