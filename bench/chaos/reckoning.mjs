// When everything is over: is what was acknowledged still so? Asked of the servers by the clients that were told it, through
// the same proxy; nobody looks into the database.
import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { authorizationRequest, byPassword, exchangeRequest, refresh, refreshRequest } from '../lib/oauth.mjs'
import { persist } from './clients/persist.mjs'
import { LEEWAY_SECONDS } from './tenant.mjs'

const AT_ONCE = 4
/** How many rotations back nothing is a retry any more. */
const GENERATIONS = 2

async function each(items, work) {
  const left = [...items]
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return items.length
}

export async function reckon({ side, journal, promises, sender }) {
  const http = sender('reckoning', { counted: false })
  const ask = (request) => persist(() => http.send(request))

  /** What a browser with these cookies is told without a page: a code, or why not. */
  async function silently(cookies) {
    const { path } = authorizationRequest(side, API, { prompt: 'none' })
    const { left } = await persist(() => createBrowser(http, new Map(cookies)).open(path))
    return left?.searchParams.get('error') ?? (left?.searchParams.get('code') ? 'code' : 'a page')
  }

  async function mustHold(sentence, work) {
    try {
      if (await work()) return
      journal.breach(sentence)
    } catch (error) {
      journal.breach(`${sentence}: ${error.message}`)
    }
  }

  const refused = async (request) => (await ask(request)).status === 403
  const signsIn = (email) => persist(() => byPassword(side, http, { email }))

  const counts = {
    people: await each(promises.people, (email) =>
      mustHold('an acknowledged sign-up is lost', async () => Boolean((await signsIn(email)).access_token)),
    ),
    revocations: await each(promises.revoked, (token) =>
      mustHold('an acknowledged revocation is undone', () => refused(refreshRequest(side, token))),
    ),
    logouts: await each(promises.loggedOut, (cookies) =>
      mustHold('an acknowledged logout is undone', async () => (await silently(cookies)) === 'login_required'),
    ),
    sessions: await each(promises.sessions, (cookies) =>
      mustHold('a session is broken', async () => (await silently(cookies)) === 'code'),
    ),
    families: await each(promises.families, (family) =>
      mustHold('a refresh family is broken', async () => {
        const { refresh_token } = await persist(() => refresh(side, http, family.token))
        const { refresh_token: last } = await persist(() => refresh(side, http, refresh_token))
        return last !== family.token
      }),
    ),
    // From here on families and tokens end: what is used twice is taken for stolen.
    codes: await each(promises.codes, (granted) =>
      mustHold('a code was honoured twice', () => refused(exchangeRequest(side, granted))),
    ),
    tokens: await each(oldTokens(promises.families), (token) =>
      mustHold('a refresh token was honoured twice', () => refused(refreshRequest(side, token))),
    ),
  }
  http.close()
  return counts
}

/** One of each family that rotated: two generations or the leeway old, so that it is no retry. */
const oldTokens = (families) =>
  families.flatMap(({ spent }) => {
    const late = performance.now() - LEEWAY_SECONDS * 1000
    const old = spent.filter(({ at }, index) => at < late || index < spent.length - GENERATIONS)
    return old.length > 0 ? [old[Math.floor(old.length / 2)].token] : []
  })
