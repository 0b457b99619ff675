// One operation: a login with a mailed code: request it, read it, exchange it for tokens. Reading it from the developers'
// outbox is part of the figures. The peer does not have this login.
import { byMailedCode } from '../lib/oauth.mjs'

const ADDRESSES = 512
let next = 0

export default {
  name: 'passwordless login',
  sides: ['Latchkey'],
  operations: 180,
  async prepare() {},
  run: ({ side, http }) => byMailedCode(side, http, `mailed${next++ % ADDRESSES}@bench.test`),
}
