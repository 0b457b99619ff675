// One operation: a signed-in browser sends an authorization request, receives a code without a page, and the code is exchanged.

import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { signIn, signInAgain } from '../lib/oauth.mjs'

export default {
  name: 'SSO login',
  target: 0.5,
  operations: 500,
  async prepare({ side, http, nextPerson }) {
    const browser = createBrowser(http)
    await signIn(side, http, browser, nextPerson(), API)
    return { browser }
  },
  run: ({ side, http }, { browser }) => signInAgain(side, http, browser, API),
}
