// One instance has a new login in its cache while another one, on the same database, continues it (docs/adr/0024): nothing
// happens twice, no redirect loop occurs, and an outdated page is shown at most once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, redeem, SPA } from '../../../testing/journey'
import { statementsOf as sentTo } from '../../../testing/sent-statements'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let here: Browser
let there: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  const asking = { app_type: 'spa', callbacks: ['https://third.test/cb'], is_first_party: false }
  await server.addClient({ clientId: 'third', settings: asking })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())
beforeEach(() => {
  here = server.browser()
  there = server.instance().browser()
  server.clock.advance(60)
})

/** One browser whose requests reach either instance. */
const as = (who: Browser): Browser => {
  const other = who === here ? there : here
  for (const [name, value] of other.cookies) who.cookies.set(name, value)
  return who
}
const THIRD = { client_id: 'third', redirect_uri: 'https://third.test/cb', scope: 'openid email', prompt: 'consent' }
const SIGN_IN = { action: 'login', username: 'kim@mail.test', password: PASSWORD }

const begin = async (extra: Record<string, string> = {}) => {
  const first = locationOf(await here.get('/authorize', { query: authorizeQuery(extra) }))
  return { first: first.pathname + first.search, state: first.searchParams.get('state') ?? '' }
}
const formOf = (page: TestResponse): string => /action="(\/u\/submit[^"]*)"/.exec(page.text)?.[1] ?? 'none'
const submit = (browser: Browser, path: string, state: string, fields: Record<string, string> = SIGN_IN) =>
  browser.post(path, { form: { state, ...fields } })
const FRESH = '/u/submit?fresh=1'
const codeOf = (answer: TestResponse) => locationOf(answer).searchParams.get('code')
const placeOf = (answer: TestResponse) => locationOf(answer).pathname
const followed = (browser: Browser, answer: TestResponse) => {
  const { pathname, search } = locationOf(answer)
  return browser.get(pathname + search)
}
const countOf = async (table: string): Promise<number> =>
  (await server.database.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count
const isOver = (page: TestResponse) => page.status === 400 && !page.text.includes('name="password"')

/** The SQL statements of a login that `work` sends. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentTo(server.database.pool, work)).filter((name) => /^(transaction|attempt|account|family)-/.test(name))

describe('where one instance does it all', () => {
  it('a login by password takes four statements', async () => {
    const names = await statementsOf(async () => {
      const { first, state } = await begin()
      const page = await here.get(first)
      const code = codeOf(await submit(here, formOf(page), state))
      expect((await redeem(here, code ?? '')).status).toBe(200)
    })
    expect(names).toEqual(['transaction-insert', 'attempt-count-guess', 'transaction-finish-plain', 'family-redeem'])
  })

  it('a login that is over says so, by back button and by double submit', async () => {
    const { first, state } = await begin()
    const page = await here.get(first)
    const [one, two] = await Promise.all([submit(here, formOf(page), state), submit(here, formOf(page), state)])
    expect([codeOf(one), codeOf(two)].filter((code) => code !== null)).toHaveLength(1)
    expect(isOver(await here.get(first))).toBe(true)
    expect(isOver(await submit(here, FRESH, state))).toBe(true)
  })

  it('a cancelled transaction is over on every instance', async () => {
    const { first, state } = await begin()
    expect(locationOf(await submit(here, FRESH, state, { action: 'cancel' })).searchParams.get('error')).toBe(
      'access_denied',
    )
    expect(isOver(await here.get(first))).toBe(true)
  })

  it('what was typed last is seen', async () => {
    const { first, state } = await begin()
    await submit(here, FRESH, state, { ...SIGN_IN, password: 'wrong' })
    expect((await here.get(first)).text).toContain('kim@mail.test')
  })

  it('an expired one has expired', async () => {
    const { first, state } = await begin()
    server.clock.advance(3_601)
    expect(isOver(await here.get(first))).toBe(true)
    expect(isOver(await submit(here, FRESH, state))).toBe(true)
  })

  it('is bound to its browser', async () => {
    const { first, state } = await begin()
    const stranger = server.browser()
    await stranger.get('/authorize', { query: authorizeQuery() })
    expect((await stranger.get(first)).text).not.toContain('name="password"')
    expect(codeOf(await submit(stranger, FRESH, state))).toBeNull()
  })

  it('another address of the login asks the database', async () => {
    const { state } = await begin()
    const openPage = () => here.get('/u/login', { query: { state } })
    expect(await statementsOf(openPage)).toEqual(['transaction-find'])
  })

  it('what the tenant and the application say now counts', async () => {
    const { first } = await begin()
    expect((await here.get(first)).text).toContain('/u/signup')
    const settings = `UPDATE connection SET settings = jsonb_set(settings::jsonb, '{options}', '{"disable_signup": true}')`
    const { first: again } = await begin()
    await server.database.pool.query(settings)
    server.clock.advance(2)
    expect((await here.get(again)).text).not.toContain('/u/signup')
    await server.database.pool.query(`UPDATE connection SET settings = settings::jsonb - 'options'`)
    server.clock.advance(2)
    await server.addClient({ clientId: 'gone', settings: SPA.settings })
    const { first: last, state } = await begin({ client_id: 'gone' })
    await server.database.pool.query(`DELETE FROM client WHERE client_id = 'gone'`)
    server.clock.advance(2)
    expect((await here.get(last)).text).not.toContain('name="password"')
    expect(codeOf(await submit(here, FRESH, state))).toBeNull()
  })
})

describe('another instance finished it', () => {
  it('the page is out of date once, and what is sent from it opens nothing', async () => {
    const { first, state } = await begin()
    expect(codeOf(await submit(as(there), '/u/submit', state))).not.toBeNull()
    const sessions = await countOf('session')
    const page = await as(here).get(first)
    expect(page.text).toContain('name="password"')
    const lost = await submit(here, formOf(page), state)
    expect([codeOf(lost), placeOf(lost)]).toEqual([null, '/u/login'])
    expect(await countOf('session')).toBe(sessions)
    expect(isOver(await followed(here, lost))).toBe(true)
    expect(isOver(await here.get(first))).toBe(true)
  })

  it('a page without a step sees it end as well', async () => {
    const { first, state } = await begin()
    await submit(as(there), '/u/submit', state)
    const pages = [await as(here).get(first), await here.get(first), await here.get(first)]
    expect(pages.map(isOver)).toEqual([false, true, true])
  })

  it('cancelling it here has no effect', async () => {
    const { first, state } = await begin()
    await submit(as(there), '/u/submit', state)
    const cancelled = await submit(as(here), FRESH, state, { action: 'cancel' })
    expect(placeOf(cancelled)).toBe('/u/login')
    expect(isOver(await followed(here, cancelled))).toBe(true)
    expect(isOver(await here.get(first))).toBe(true)
  })

  it('of submits to both at once one wins', async () => {
    const { state } = await begin()
    as(there)
    const answers = await Promise.all([here, there, here, there].map((browser) => submit(browser, FRESH, state)))
    expect(answers.map(codeOf).filter((code) => code !== null)).toHaveLength(1)
  })
})

describe('another instance went on with it', () => {
  it('the next step on another instance is shown here at once', async () => {
    const { state } = await begin(THIRD)
    const next = await submit(as(there), '/u/submit', state)
    expect(placeOf(next)).toBe('/u/consent')
    const consent = await followed(as(here), next)
    expect([consent.status, formOf(consent)]).toEqual([200, '/u/submit'])
    const agreed = await submit(here, formOf(consent), state, { action: 'accept' })
    expect(codeOf(agreed)).not.toBeNull()
  })

  it('an old form sent here undoes nothing and leads to where it stands', async () => {
    const { state } = await begin(THIRD)
    await submit(as(there), '/u/submit', state)
    const late = await submit(as(here), FRESH, state)
    expect(placeOf(late)).toBe('/u/consent')
    expect((await followed(here, late)).status).toBe(200)
    const { rows } = await server.database.pool.query('SELECT max(revision) AS revision FROM login_transaction')
    expect(rows[0].revision).toBe(1)
    expect(codeOf(await submit(as(there), '/u/submit', state, { action: 'accept' }))).not.toBeNull()
    expect(codeOf(await submit(as(here), '/u/submit', state, { action: 'accept' }))).toBeNull()
  })

  it('a wrong guess here changes nothing that was proven there', async () => {
    const { state } = await begin(THIRD)
    await submit(as(there), '/u/submit', state)
    await submit(as(here), FRESH, state, { ...SIGN_IN, username: 'lee@mail.test', password: 'wrong' })
    expect(placeOf(await here.get('/u/login', { query: { state } }))).toBe('/u/consent')
  })

  it('input from there is shown here when the login continues', async () => {
    const { state } = await begin()
    const wrong = await submit(as(there), '/u/submit', state, { ...SIGN_IN, password: 'wrong' })
    const page = await followed(as(here), wrong)
    expect(page.text).toContain('kim@mail.test')
    expect(formOf(page)).toBe('/u/submit')
  })

  it('cancelled there, it is cancelled here', async () => {
    const { first, state } = await begin()
    await submit(as(there), '/u/submit', state, { action: 'cancel' })
    const lost = await submit(as(here), FRESH, state)
    expect(codeOf(lost)).toBeNull()
    expect(isOver(await followed(here, lost))).toBe(true)
    expect(isOver(await here.get(first))).toBe(true)
  })
})

it('guesses count the same by whatever instance and address', async () => {
  const { state } = await begin()
  const wrong = { ...SIGN_IN, username: 'nobody@mail.test', password: 'wrong' }
  const notices: (string | null)[] = []
  for (let i = 0; i < 12; i++) {
    const answer = await submit(as(i % 2 ? here : there), FRESH, state, wrong)
    notices.push(locationOf(answer).searchParams.get('notice'))
  }
  expect(notices.slice(9)).toEqual(['wrong_credentials', 'too_many_attempts', 'too_many_attempts'])
})
