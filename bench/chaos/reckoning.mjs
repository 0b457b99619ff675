// Final verification: does every acknowledged change still hold? The clients ask the servers through the same proxy; the
// database is not read directly.
import { createBrowser } from '../lib/browser.mjs'
import { API } from '../lib/definition.mjs'
import { authorizationRequest, byPassword, exchangeRequest, refresh, refreshRequest } from '../lib/oauth.mjs'
import { persist } from './clients/persist.mjs'
import { LEEWAY_SECONDS } from './tenant.mjs'

const AT_ONCE = 4
/** Number of rotations after which a token no longer counts as a retry. */
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

  /** Throws unless a browser with these cookies and `prompt=none` gets a code (`code`) or this error. */
  async function silently(cookies, expected) {
    const { path } = authorizationRequest(side, API, { prompt: 'none' })
    const { left, page } = await persist(() => createBrowser(http, new Map(cookies)).open(path))
    const answer = left?.searchParams
    const got = answer?.get('error') ?? (answer?.get('code') ? 'code' : `a page with status ${page?.status}`)
    if (got !== expected) throw new Error(`prompt=none got ${got} ${answer?.get('error_description') ?? ''}`)
    return true
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
      mustHold('an acknowledged logout is undone', () => silently(cookies, 'login_required')),
    ),
    sessions: await each(promises.sessions, (cookies) =>
      mustHold('a session is broken', () => silently(cookies, 'code')),
    ),
    families: await each(promises.families, (family) =>
      mustHold('a refresh family is broken', async () => {
        const { refresh_token } = await persist(() => refresh(side, http, family.token))
        const { refresh_token: last } = await persist(() => refresh(side, http, refresh_token))
        return last !== family.token
      }),
    ),
    // From here on families and tokens end, because reuse counts as theft.
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

/** One token of each rotated family, two generations old or older than the leeway, so that it is not a retry. */
const oldTokens = (families) =>
  families.flatMap(({ spent }) => {
    const late = performance.now() - LEEWAY_SECONDS * 1000
    const old = spent.filter(({ at }, index) => at < late || index < spent.length - GENERATIONS)
    return old.length > 0 ? [old[Math.floor(old.length / 2)].token] : []
  })
