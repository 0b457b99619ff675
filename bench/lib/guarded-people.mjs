// People whose logins ask for a second factor, and the authenticator app of each. Ours alone: the peer has no second factors.
// A code counts once, so every person shows each step once; there are enough of them that a row need not wait for time.
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PEOPLE = 640
const STEP_MS = 30_000
/** Servers take the step before and the one after too (RFC 6238 5.2); the last is left out, for clocks that differ. */
const DRIFT = 1
/** A code of the step before that is shown this near the end of the present one might arrive in the next. */
const MARGIN_MS = 5_000

export const guardedPeople = Array.from({ length: PEOPLE }, (_, index) => {
  const number = String(index).padStart(3, '0')
  const secret = new Secret({ buffer: new Uint8Array(createHash('sha1').update(`seed ${index}`).digest()).buffer })
  return {
    id: `6a7c8ec7c33c6c004bbaf${number}`,
    email: `guarded${number}@bench.test`,
    name: `Guarded ${number}`,
    secret: secret.base32,
    app: new TOTP({ secret }),
    used: 0,
  }
})

let next = 0

/** Somebody with a code that they have not shown yet. */
export function guardedLogin() {
  const now = Math.floor(Date.now() / STEP_MS)
  const oldest = Date.now() % STEP_MS > STEP_MS - MARGIN_MS ? now : now - DRIFT
  for (let tried = 0; tried < PEOPLE; tried++) {
    const person = guardedPeople[next++ % PEOPLE]
    const step = Math.max(person.used + 1, oldest)
    if (step > now) continue
    person.used = step
    return { email: person.email, otp: person.app.generate({ timestamp: step * STEP_MS }) }
  }
  throw new Error('everybody has shown the code of this half minute: fewer rounds, or more people')
}
