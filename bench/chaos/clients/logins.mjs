// Users who sign in on the hosted page, each in a new browser. A code is exchanged once (threat-model.md RE3): two concurrent
// exchanges return tokens at most once, and every exchanged code is tried again at the end.
import { createBrowser } from '../../lib/browser.mjs'
import { API } from '../../lib/definition.mjs'
import { exchangeRequest, obtainCode } from '../../lib/oauth.mjs'
import { attempt, persist, repeat } from './persist.mjs'

const PAUSE_MS = 80
const TWICE_EVERY = 3

export function logins(setting) {
  const { side, keys, person } = setting
  const http = setting.sender('login')
  return repeat(setting, 'login', PAUSE_MS, async (number) => {
    const granted = await persist(() => obtainCode(side, createBrowser(http), person, API))
    if (number % TWICE_EVERY === 0) return exchangeTwice(setting, http, granted)
    const tokens = await exchangeOnce(setting, http, granted)
    if (tokens) await keys.check(tokens.id_token)
  })
}

async function exchangeTwice({ side, journal }, http, granted) {
  const send = () => attempt(() => http.send(exchangeRequest(side, granted)))
  const answers = await Promise.all([send(), send()])
  const honoured = answers.filter((answer) => answer?.status === 200).length
  if (honoured > 1) journal.breach('a code that was sent twice at once was honoured twice')
  if (honoured === 0 && !answers.includes(null))
    throw new Error('a code that was sent twice at once was never honoured')
}

/** The tokens; null if an exchange without a response had consumed the code. */
async function exchangeOnce({ side, promises }, http, granted) {
  const send = () => http.send(exchangeRequest(side, granted))
  const first = await attempt(send)
  const answer = first ?? (await persist(send))
  if (answer.status === 200) {
    promises.codes.push(granted)
    return JSON.parse(answer.text)
  }
  if (first) throw new Error(`a code was refused: ${answer.status} ${answer.text.slice(0, 200)}`)
  return null
}
