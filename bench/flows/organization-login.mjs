// One operation: a login in a new browser for an organization, without hash cost: to compare with the row of the plain login. The peer
// does not have organizations.
import { createBrowser } from '../lib/browser.mjs'
import { API, ORGANIZATION } from '../lib/definition.mjs'
import { signIn } from '../lib/oauth.mjs'

export default {
  name: 'organization login without hash cost',
  sides: ['Latchkey'],
  operations: 400,
  async prepare() {},
  run: ({ side, http, nextPerson }) =>
    signIn(side, http, createBrowser(http), nextPerson(), API, { organization: ORGANIZATION }),
}
