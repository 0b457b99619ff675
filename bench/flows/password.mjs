// The password grant: what was typed into the application, for the same tokens as a login. The peer has no such grant.
import { byPassword } from '../lib/oauth.mjs'

export default {
  name: 'password grant',
  sides: ['Latchkey'],
  operations: 96,
  async prepare() {},
  run: ({ side, http, nextPerson }) => byPassword(side, http, nextPerson()),
}
