// One operation: a login with a second factor in the API. The password is answered with an `mfa_token`, then the code of an
// authenticator app returns tokens. The peer does not have this.
import { guardedLogin } from '../lib/guarded-people.mjs'
import { byPasswordAndCode } from '../lib/oauth.mjs'

export default {
  name: 'MFA login',
  sides: ['Latchkey'],
  operations: 24,
  async prepare() {},
  run: ({ side, http }) => byPasswordAndCode(side, http, guardedLogin()),
}
