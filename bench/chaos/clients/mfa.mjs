// Logins with the code of an authenticator app. A code is accepted once (threat-model.md RE3, RE7): two concurrent uses are
// accepted at most once, and reuse in another login is refused, whatever the clocks say.
import { guardedLogin, guardedPeople } from '../../lib/guarded-people.mjs'
import { beginGuarded, codeRequest } from '../../lib/oauth.mjs'
import { attempt, persist, repeat } from './persist.mjs'

const PAUSE_MS = 250
const STEP_MS = 30_000

export function mfaLogins(setting) {
  const http = setting.sender('MFA login')
  return repeat(setting, 'MFA login', PAUSE_MS, async (number) => {
    if (number % 3 === 0) await showTwice(setting, http)
    else await showAgain(setting, http)
  })
}

const begin = ({ side }, http, email) => persist(() => beginGuarded(side, http, email))
const show = ({ side }, http, token, otp) => attempt(() => http.send(codeRequest(side, token, otp)))

/** Whether a code is still valid when the user has entered it: of this time step or the previous one (RFC 6238 5.2). */
function stillCounts(email) {
  const { used } = guardedPeople.find((person) => person.email === email)
  return Math.floor(Date.now() / STEP_MS) - used <= 1
}

async function showTwice(setting, http) {
  const { email, otp } = guardedLogin()
  const token = await begin(setting, http, email)
  const answers = await Promise.all([show(setting, http, token, otp), show(setting, http, token, otp)])
  const honoured = answers.filter((answer) => answer?.status === 200).length
  if (honoured > 1) setting.journal.breach('the code of an authenticator app was honoured twice at once')
  if (honoured === 0 && !answers.includes(null) && stillCounts(email))
    throw new Error(`a right code was refused: ${answers[0].text}`)
}

async function showAgain(setting, http) {
  const { email, otp } = guardedLogin()
  const answer = await show(setting, http, await begin(setting, http, email), otp)
  if (answer === null || (answer.status !== 200 && !stillCounts(email))) return
  if (answer.status !== 200) throw new Error(`a right code was refused: ${answer.status} ${answer.text.slice(0, 200)}`)
  const again = await show(setting, http, await begin(setting, http, email), otp)
  if (again?.status === 200) setting.journal.breach('the code of an authenticator app was honoured twice')
}
