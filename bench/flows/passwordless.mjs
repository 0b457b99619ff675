// A login by a mailed code: asked for, read, exchanged for tokens. Reading it, from the page that shows developers what
// would have been sent, is part of the figures. The peer has no such login.
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
