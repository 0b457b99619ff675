// A login with a second factor over the API: the password, refused with a token for the next step, then the code of an
// authenticator app. The peer has neither.
import { guardedLogin } from '../lib/guarded-people.mjs'
import { byPasswordAndCode } from '../lib/oauth.mjs'

export default {
  name: 'MFA login',
  sides: ['Latchkey'],
  operations: 24,
  async prepare() {},
  run: ({ side, http }) => byPasswordAndCode(side, http, guardedLogin()),
}
