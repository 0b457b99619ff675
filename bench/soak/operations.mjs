// The load: mostly refreshes and API calls, some logins and sign-ups, as in applications. Each counts as one operation,
// whatever the number of its requests.
import { randomBytes } from 'node:crypto'
import { CONNECTION } from '../chaos/tenant.mjs'
import { createBrowser } from '../lib/browser.mjs'
import { API, CLIENT_ID, PASSWORD, people } from '../lib/definition.mjs'
import { guardedLogin } from '../lib/guarded-people.mjs'
import { expectStatus, formPost } from '../lib/http.mjs'
import { byPasswordAndCode, clientCredentials, refresh, signIn } from '../lib/oauth.mjs'

const FAMILIES = 48

export async function createOperations(side, http) {
  let turn = 0
  const enter = (person, api) => signIn(side, http, createBrowser(http), person, api)
  const families = []
  for (let index = 0; index < FAMILIES; index++) families.push((await enter(people[index], API)).refresh_token)
  const { access_token: opaque } = await enter(people[0])

  /** A token family is used by one operation at a time. */
  async function rotate() {
    const token = families.shift()
    if (token === undefined) return
    families.push((await refresh(side, http, token)).refresh_token)
  }

  async function userInfo() {
    const headers = { authorization: `Bearer ${opaque}` }
    expectStatus(await http.send({ path: side.paths.userinfo, headers }), 200, 'user-info')
  }

  async function signUp() {
    const email = `new-${randomBytes(6).toString('hex')}@bench.test`
    const fields = { client_id: CLIENT_ID, connection: CONNECTION, email, password: PASSWORD }
    const from = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` }
    expectStatus(await http.send(formPost('/dbconnections/signup', fields, from)), 200, 'sign-up')
    await enter({ email }, API)
  }

  const mfaLogin = () => byPasswordAndCode(side, http, guardedLogin())
  const machine = () => clientCredentials(side, http)
  const login = () => enter(people[turn % people.length], API)
  const mix = [
    ...Array(5).fill(rotate),
    ...Array(2).fill(machine),
    ...Array(2).fill(userInfo),
    login,
    ...Array(5).fill(rotate),
    ...Array(2).fill(machine),
    ...Array(2).fill(userInfo),
    signUp,
    ...Array(5).fill(rotate),
    mfaLogin,
  ]
  return () => mix[turn++ % mix.length]()
}
