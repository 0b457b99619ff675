// A laptop is suspended for eight hours, then its wall clock is set back by two (threat-model.md RE7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSystemClock, epochSeconds } from '../../../kernel/clock'
import { payloadOf, SPA, userinfo } from '../../../testing/journey'
import { type SteppableMachine, steppableMachine } from '../../../testing/machine'
import { addPasswordless, messagesTo, OTP_GRANT, redeemCode, sendTo } from '../../../testing/passwordless'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const HOUR = 3600
const WRONG = [403, 'Wrong email or verification code.']
const EXPIRED = [403, 'The verification code has expired. Please try to login again.']

let machine: SteppableMachine
let server: TestServer
let browser: Browser
beforeAll(async () => {
  machine = steppableMachine('2027-01-15T08:00:00.000Z')
  server = await testServer({ clock: createSystemClock({ sources: machine }) })
  await addPasswordless(server)
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: [OTP_GRANT] } })
  browser = server.browser()
})
afterAll(() => server.close())

async function codeFor(mail: string): Promise<string> {
  await sendTo(browser, mail)
  machine.run(1)
  const [message] = await messagesTo(server, mail)
  return message?.code ?? 'none'
}

async function redeeming(mail: string, code: string) {
  const answer = await redeemCode(browser, mail, code)
  return [answer.status, answer.json().error_description]
}

const wallSeconds = () => epochSeconds(machine.wallTime())

describe('a suspended laptop', () => {
  let unusedCode: string
  let usedCode: string
  let oldToken: unknown

  it('signs users in before the suspend', async () => {
    usedCode = await codeFor('used@mail.test')
    const tokens = (await redeemCode(browser, 'used@mail.test', usedCode, { scope: 'openid' })).json()
    oldToken = tokens.access_token
    expect((await userinfo(browser, oldToken)).status).toBe(200)
    unusedCode = await codeFor('unused@mail.test')
  })

  it('dates tokens right once it is opened again, and has ended what expired meanwhile', async () => {
    machine.step(8 * HOUR)
    expect(await redeeming('unused@mail.test', unusedCode)).toEqual(EXPIRED)
    const code = await codeFor('new@mail.test')
    const { id_token, access_token } = (await redeemCode(browser, 'new@mail.test', code, { scope: 'openid' })).json()
    expect(payloadOf(id_token).iat).toBe(wallSeconds())
    expect((await userinfo(browser, access_token)).status).toBe(200)
  })

  it('revives no code when its wall clock is set back, and continues from the time that it issued', async () => {
    const before = wallSeconds()
    machine.step(-2 * HOUR)
    expect(await redeeming('unused@mail.test', unusedCode)).toEqual(EXPIRED)
    expect(await redeeming('used@mail.test', usedCode)).toEqual(WRONG)
    const code = await codeFor('after@mail.test')
    const tokens = (await redeemCode(browser, 'after@mail.test', code, { scope: 'openid' })).json()
    expect(payloadOf(tokens.id_token).iat).toBeGreaterThanOrEqual(before)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(200)
  })

  it('revives no token either', async () => {
    machine.step(26 * HOUR)
    expect((await userinfo(browser, oldToken)).status).toBe(401)
    machine.step(-26 * HOUR)
    expect((await userinfo(browser, oldToken)).status).toBe(401)
  })
})
