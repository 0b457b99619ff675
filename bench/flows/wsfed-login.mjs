// A browser that is signed in comes with a WS-Federation request and goes with a signed token of SAML 1.1. The peer does not
// speak it.
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
