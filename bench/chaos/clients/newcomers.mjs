// Users who sign up, sign in, and then stay, sign out or revoke their application's token. Every acknowledged change is
// recorded and verified at the end (threat-model.md RE1).
import { randomBytes } from 'node:crypto'
import { createBrowser } from '../../lib/browser.mjs'
import { API, CLIENT_ID, PASSWORD } from '../../lib/definition.mjs'
import { expectStatus, formPost } from '../../lib/http.mjs'
import { signIn } from '../../lib/oauth.mjs'
import { CONNECTION, FAREWELL } from '../tenant.mjs'
import { attempt, persist, repeat } from './persist.mjs'

const PAUSE_MS = 200

export function newcomers(setting) {
  const http = setting.sender('sign-up')
  const ends = [stay, signOut, revoke]
  return repeat(setting, 'sign-up', PAUSE_MS, async (number) => {
    const email = `new-${randomBytes(6).toString('hex')}@bench.test`
    if (!(await signUp(setting, http, email))) return
    await ends[number % ends.length](setting, http, await enter(setting, http, email))
  })
}

/** A separate network for each user: one network may sign up fifty accounts a minute. */
const fromAnywhere = () => ({ 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` })

/** False if there was no response and the retry says that the address is registered. */
async function signUp({ promises }, http, email) {
  const fields = { client_id: CLIENT_ID, connection: CONNECTION, email, password: PASSWORD }
  const send = () => http.send(formPost('/dbconnections/signup', fields, fromAnywhere()))
  const first = await attempt(send)
  const answer = first ?? (await persist(send))
  if (first === null && answer.status === 400) return false
  expectStatus(answer, 200, 'sign-up')
  promises.people.push(email)
  return true
}

const enter = ({ side }, http, email) =>
  persist(async () => {
    const browser = createBrowser(http)
    return { browser, tokens: await signIn(side, http, browser, { email }, API) }
  })

async function stay({ promises }, _http, { browser, tokens }) {
  promises.sessions.push(browser.cookies)
  promises.families.push({ token: tokens.refresh_token, spent: [] })
}

async function signOut({ promises }, http, { browser }) {
  const before = new Map(browser.cookies)
  const path = `/v2/logout?${new URLSearchParams({ client_id: CLIENT_ID, returnTo: FAREWELL })}`
  const { left, page } = await persist(() => createBrowser(http, new Map(before)).open(path))
  if (left?.href !== FAREWELL) throw new Error(`a logout ended at ${left ?? page.status}`)
  promises.loggedOut.push(before)
}

async function revoke({ promises }, http, { tokens }) {
  const fields = { client_id: CLIENT_ID, token: tokens.refresh_token }
  expectStatus(await persist(() => http.send(formPost('/oauth/revoke', fields))), 200, 'revocation')
  promises.revoked.push(tokens.refresh_token)
}
