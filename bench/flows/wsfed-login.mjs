// One operation: a signed-in browser sends a WS-Federation request and receives a signed SAML 1.1 token. The peer does not
// support WS-Federation.
import { createBrowser } from '../lib/browser.mjs'
import { checkSigned, signInByWsFed } from '../lib/federation.mjs'
import { signIn } from '../lib/oauth.mjs'

export default {
  name: 'WS-Fed login',
  sides: ['Latchkey'],
  operations: 400,
  async prepare({ side, http, nextPerson }) {
    const browser = createBrowser(http)
    await signIn(side, http, browser, nextPerson())
    await checkSigned(http, await signInByWsFed(browser))
    return { browser }
  },
  run: (_context, { browser }) => signInByWsFed(browser),
}
