// One operation: a login with a passkey in the API: a challenge, then its signature for tokens. Signing is the client's work and not
// part of the figures. The peer does not have this.
import { randomUUID } from 'node:crypto'
import { byPasskey, signUpWithPasskey } from '../lib/oauth.mjs'
import { newPasskey } from '../lib/passkey.mjs'

/** The passkeys of one visitor: of all visitors less than the fifty accounts that one network may make in a minute. */
const PASSKEYS = 4

export default {
  name: 'passkey login',
  sides: ['Latchkey'],
  operations: 400,
  async prepare({ side, http }) {
    const passkeys = Array.from({ length: PASSKEYS }, () => newPasskey(side.origin))
    for (const passkey of passkeys) await signUpWithPasskey(side, http, `${randomUUID()}@bench.test`, passkey)
    return { passkeys, next: 0 }
  },
  run: ({ side, http }, state) => byPasskey(side, http, state.passkeys[state.next++ % PASSKEYS]),
}
