// One operation: a signed-in browser sends a signed AuthnRequest and receives a signed assertion. The peer does not support
// SAML.
import { createBrowser } from '../lib/browser.mjs'
import { checkSigned, signInBySaml } from '../lib/federation.mjs'
import { signIn } from '../lib/oauth.mjs'

export default {
  name: 'SAML login',
  sides: ['Latchkey'],
  operations: 300,
  async prepare({ side, http, nextPerson }) {
    const browser = createBrowser(http)
    await signIn(side, http, browser, nextPerson())
    await checkSigned(http, await signInBySaml(side, browser))
    return { browser }
  },
  run: ({ side }, { browser }) => signInBySaml(side, browser),
}
