// Users whose logins require a second factor, with their authenticator apps. For Latchkey only; the peer has no second factors.
// A code is accepted once, so every user uses each time step once; there are enough users that a row need not wait.
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PEOPLE = 640
const STEP_MS = 30_000
/** Servers also accept the previous and the next time step (RFC 6238 5.2). The last one is not used, because clocks differ. */
const DRIFT = 1
/** A code of the previous step, used this close to the end of the current one, might arrive in the next. */
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

/** A user with an unused code. */
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
  throw new Error('every user has used the code of this time step: run fewer rounds, or add users')
}
