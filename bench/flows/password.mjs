// One operation: the password grant, with the same tokens as a login. The peer does not have this grant.
import { byPassword } from '../lib/oauth.mjs'

export default {
  name: 'password grant',
  sides: ['Latchkey'],
  operations: 96,
  async prepare() {},
  run: ({ side, http, nextPerson }) => byPassword(side, http, nextPerson()),
}
