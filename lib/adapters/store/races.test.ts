// Concurrent redemption, decided by PostgreSQL alone (threat-model.md CO1, RT3, RT4, RL2, RE3).
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addSeconds } from '../../kernel/clock'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  outcomeOf,
  redeem,
  refresh,
  SPA,
  signIn,
  submitPassword,
  userinfo,
} from '../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../testing/server'
import { endLogins } from './sql/end-logins'

const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'strict', settings: { ...SPA.settings, refresh_token: { leeway: 0 } } })
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())

const tokensOf = async (client_id = 'spa') => {
  const code = (await signIn(server.browser(), 'kim@mail.test', { client_id })).get('code') ?? ''
  return (await redeem(server.browser(), code, { client_id })).json()
}
const idOf = async (email: string): Promise<string> =>
  (await server.database.pool.query('SELECT id FROM "user" WHERE email = $1', [email])).rows[0]?.id
const won = (answers: TestResponse[]) => answers.filter(({ status }) => status === 200)
const statuses = (answers: TestResponse[]) => [...new Set(answers.map(({ status }) => status))].sort()
const dead = async (token: unknown, client_id = 'spa') =>
  (await refresh(server.browser(), token, { client_id })).status === 403

describe('twenty redemptions of one code', () => {
  it('have exactly one winner, and the losers end the winner’s tokens', async () => {
    const code = (await signIn(server.browser(), 'kim@mail.test')).get('code') ?? ''
    const answers = await Promise.all(TWENTY.map(() => redeem(server.browser(), code)))
    expect(won(answers)).toHaveLength(1)
    expect(statuses(answers)).toEqual([200, 403])
    const tokens = won(answers)[0]?.json()
    expect(await dead(tokens?.refresh_token)).toBe(true)
    expect((await userinfo(server.browser(), tokens?.access_token)).status).toBe(401)
  })

  it('make exactly one family', async () => {
    const { pool } = server.database
    const count = async () => Number((await pool.query('SELECT count(*) FROM token_family')).rows[0]?.count)
    const before = await count()
    const code = (await signIn(server.browser(), 'kim@mail.test')).get('code') ?? ''
    await Promise.all(TWENTY.map(() => redeem(server.browser(), code)))
    expect(await count()).toBe(before + 1)
  })
})

describe('twenty uses of one refresh token', () => {
  it('share one successor within the leeway, which lives on', async () => {
    const tokens = await tokensOf()
    const answers = await Promise.all(TWENTY.map(() => refresh(server.browser(), tokens.refresh_token)))
    expect(statuses(answers)).toEqual([200])
    const successors = new Set(answers.map((answer) => answer.json().refresh_token))
    expect(successors.size).toBe(1)
    expect((await refresh(server.browser(), [...successors][0])).status).toBe(200)
  })

  it('end nothing when the fastest of them has gone on meanwhile', async () => {
    const tokens = await tokensOf()
    const chain: TestResponse[] = []
    const goOn = async () => {
      let token = tokens.refresh_token
      for (let i = 0; i < 8; i++) {
        const answer = await refresh(server.browser(), token)
        chain.push(answer)
        token = answer.json().refresh_token
      }
    }
    const late = async (_: unknown, i: number) => {
      for (let turn = 0; turn < i; turn++) await userinfo(server.browser(), tokens.access_token)
      return refresh(server.browser(), tokens.refresh_token)
    }
    const [answers] = await Promise.all([Promise.all(TWENTY.map(late)), goOn()])
    expect(statuses(chain)).toEqual([200])
    const second = chain[0]?.json().refresh_token
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.json().refresh_token).toBe(second)
      else expect([answer.status, answer.json().error]).toEqual([403, 'invalid_grant'])
    }
    expect(await dead(tokens.refresh_token)).toBe(true)
    expect((await refresh(server.browser(), chain.at(-1)?.json().refresh_token)).status).toBe(200)
  })

  it('rotate once each in two chains at once, and forget no rotation', async () => {
    const tokens = await tokensOf()
    const chain = async () => {
      const seen = [tokens.refresh_token]
      for (let i = 0; i < 6; i++) {
        const answer = await refresh(server.browser(), seen.at(-1))
        if (answer.status !== 200) break
        seen.push(answer.json().refresh_token)
      }
      return seen
    }
    const [one, two] = await Promise.all([chain(), chain()])
    const [longer, shorter] = one.length > two.length ? [one, two] : [two, one]
    expect(longer.slice(0, shorter.length)).toEqual(shorter)
    for (const token of longer.slice(0, -2)) expect(await dead(token)).toBe(true)
    expect((await refresh(server.browser(), longer.at(-1))).status).toBe(200)
  })

  it('have one winner without leeway, and end the family as the reuse they are', async () => {
    const tokens = await tokensOf('strict')
    const answers = await Promise.all(
      TWENTY.map(() => refresh(server.browser(), tokens.refresh_token, { client_id: 'strict' })),
    )
    expect(won(answers)).toHaveLength(1)
    expect(statuses(answers)).toEqual([200, 403])
    expect(await dead(won(answers)[0]?.json().refresh_token, 'strict')).toBe(true)
  })
})

describe('revoking while others refresh', () => {
  it('leaves nothing alive that was minted before, meanwhile or after', async () => {
    for (const round of [1, 2, 3]) {
      const tokens = await tokensOf()
      const minted: TestResponse[] = []
      const refreshing = TWENTY.map(async () => minted.push(await refresh(server.browser(), tokens.refresh_token)))
      const revoked = await server
        .browser()
        .post('/oauth/revoke', { form: { client_id: 'spa', token: String(tokens.refresh_token) } })
      expect(revoked.status, `round ${round}`).toBe(200)
      await Promise.all(refreshing)
      for (const { access_token, refresh_token } of won(minted).map((answer) => answer.json())) {
        expect(await dead(refresh_token)).toBe(true)
        expect((await userinfo(server.browser(), access_token)).status).toBe(401)
      }
    }
  })

  it('catches what a code gives at that moment', async () => {
    const first = await tokensOf()
    const code = (await signIn(server.browser(), 'kim@mail.test')).get('code') ?? ''
    const [answer] = await Promise.all([
      redeem(server.browser(), code),
      server.browser().post('/oauth/revoke', { form: { client_id: 'spa', token: String(first.refresh_token) } }),
    ])
    expect([200, 403]).toContain(answer.status)
    expect(await dead(first.refresh_token)).toBe(true)
  })
})

describe('a session that ends while its code is redeemed', () => {
  it('leaves no token alive', async () => {
    const { sessions } = await server.runtime()
    const sids = async () =>
      (await server.database.pool.query<{ sid: string }>('SELECT sid FROM session')).rows.map(({ sid }) => sid)
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const before = await sids()
      const browser = server.browser()
      const code = (await signIn(browser, 'kim@mail.test')).get('code') ?? ''
      const own = (await sids()).find((sid) => !before.includes(sid)) ?? ''
      const [answer, hasEnded] = await Promise.all([
        redeem(browser, code),
        sessions.revoke(own, server.clock.now(), true),
      ])
      expect(hasEnded, `round ${round}`).toBe(true)
      const { refresh_token = null } = answer.json()
      expect(refresh_token === null || (await dead(refresh_token)), `round ${round}`).toBe(true)
    }
  })
})

describe('a session that is replaced while its code is redeemed', () => {
  it('goes on, and so does the code', async () => {
    const browser = server.browser()
    const code = (await signIn(browser, 'kim@mail.test')).get('code') ?? ''
    const replacing = await server.database.pool.connect()
    try {
      await replacing.query('BEGIN')
      await replacing.query(`SELECT 1 FROM "user" WHERE email = 'kim@mail.test' FOR NO KEY UPDATE`)
      const redeeming = redeem(browser, code)
      const waits = 'SELECT 1 FROM pg_stat_activity WHERE wait_event_type = $1 AND datname = current_database()'
      while ((await server.database.pool.query(waits, ['Lock'])).rowCount === 0) await nextTurn()
      await replacing.query(`WITH newest AS (SELECT * FROM session WHERE ended_at IS NULL ORDER BY created_at DESC LIMIT 1), copied AS (
        INSERT INTO session SELECT (jsonb_populate_record(NULL::session, to_jsonb(newest) || jsonb_build_object('id_digest', '\\x01'))).* FROM newest
      ) UPDATE session SET ended_at = now() FROM newest WHERE session.id_digest = newest.id_digest`)
      await replacing.query('COMMIT')
      expect((await redeeming).status).toBe(200)
    } finally {
      replacing.release()
    }
  })
})

describe('twenty submits of one login form', () => {
  it('twenty submits of one login form give one code and one session', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const sessions = async () =>
      Number((await server.database.pool.query('SELECT count(*) FROM session')).rows[0]?.count)
    const before = await sessions()
    const answers = await Promise.all(TWENTY.map(() => submitPassword(browser, state, 'kim@mail.test')))
    expect(answers.filter((answer) => locationOf(answer).searchParams.has('code'))).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
  })

  it('a submit and a cancellation at the same time have exactly one outcome', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const answers = await Promise.all([
      submitPassword(browser, state, 'kim@mail.test'),
      browser.post('/u/submit', { form: { state, action: 'cancel' } }),
    ])
    const expected = answers.filter((answer) => locationOf(answer).origin === 'https://app.test')
    expect(expected).toHaveLength(1)
  })
})

it('a password proven just before its user is signed out everywhere opens nothing (threat-model.md RT7)', async () => {
  const { pool } = server.database
  const browser = server.browser()
  const state = await beginLogin(browser)
  const client = await pool.connect()
  await client.query('BEGIN')
  await endLogins(client, 'default', await idOf('kim@mail.test'), addSeconds(server.clock.now(), 1))
  const submitted = submitPassword(browser, state, 'kim@mail.test')
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
  await client.query('COMMIT')
  client.release()
  expect(locationOf(await submitted).pathname).toBe('/u/login')
  const query = authorizeQuery({ prompt: 'none' })
  expect(locationOf(await browser.get('/authorize', { query })).searchParams.get('error')).toBe('login_required')
  await pool.query('UPDATE "user" SET not_before = NULL')
})

it('a guess costs one attempt however many are made at once, over accounts that exist and others', async () => {
  const browser = server.browser({ ip: '192.0.2.77' })
  const state = await beginLogin(browser)
  for (const name of ['kim@mail.test', 'nobody@mail.test']) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => submitPassword(browser, state, name, 'wrong')))
    const evaluated = answers.filter((answer) => locationOf(answer).searchParams.get('notice') === 'wrong_credentials')
    expect(evaluated, name).toHaveLength(10)
  }
})

it('good and bad logins of one account from several instances do not wait for each other in a circle', async () => {
  const instances = [server, server.instance(), server.instance()]
  const ip = '192.0.2.78'
  const blocks = async () => {
    const later = addSeconds(server.clock.now(), 2 * 86_400)
    const { rows } = await server.database.pool.query(
      'SELECT FROM attempt_counter WHERE count > 0 AND expires_at > $1',
      [later],
    )
    return rows.length
  }
  const before = await blocks()
  for (let round = 0; round < 5; round++) {
    const tries = Array.from({ length: 9 }, async (_, i) => {
      const browser = instances[i % 3]?.browser({ ip }) ?? server.browser({ ip })
      const state = await beginLogin(browser)
      const answer = await submitPassword(browser, state, 'kim@mail.test', i < 6 ? undefined : 'wrong')
      return i < 6 ? outcomeOf(answer) : answer.status
    })
    const outcomes = await Promise.all(tries)
    expect(outcomes, JSON.stringify(server.lines)).toEqual([...Array(6).fill('code'), ...Array(3).fill(303)])
    expect((await signIn(server.browser({ ip }), 'kim@mail.test')).has('code')).toBe(true)
    expect(await blocks()).toBe(before)
    server.clock.advance(60)
  }
})
