// Twenty concurrent callers on PostgreSQL: exactly one redeems a code, a TOTP step, a recovery code, a prompt's answer and an
// mfa_token (threat-model.md MF2, MF4, MF6, MF7), and no burst of guesses exceeds its limit (MF5).
import { describe, expect } from 'vitest'
import { answerPrompt, enrollDevice, promptsOf } from '../../identity/mfa/device'
import type { Browser, TestResponse } from '../../testing/browser'
import {
  associate,
  challenge,
  codeOf,
  demand,
  enrollApp,
  enrollPhone,
  mfaToken,
  OOB,
  OTP,
  RECOVERY,
  token,
} from '../../testing/mfa'
import { mfaTest } from '../../testing/mfa-test'
import { codeTo, wrong } from '../../testing/passwordless'
import type { TestServer } from '../../testing/server'

const CALLERS = 20

let server: TestServer
let browser: Browser
let user: string
let phone: string

const it = mfaTest((server) => demand(server))
it.beforeEach(({ mfa }) => {
  ;({ server, browser, user, phone } = mfa)
})

const together = (call: (index: number) => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: CALLERS }, (_, index) => call(index)))
const winners = (answers: TestResponse[]): number => answers.filter(({ status }) => status === 200).length
const manyTokens = async (): Promise<string[]> => {
  const tokens: string[] = []
  for (let i = 0; i < CALLERS; i++) tokens.push(await mfaToken(browser, user))
  return tokens
}

describe('twenty concurrent callers', () => {
  it('one code of an app is accepted once, over one token and over twenty', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    const otp = codeOf(server, secret)
    expect(winners(await together(() => token(browser, { grant_type: OTP, mfa_token, otp })))).toBe(1)
    server.clock.advance(7200)
    const tokens = await manyTokens()
    const next = codeOf(server, secret)
    const answers = await together((i) => token(browser, { grant_type: OTP, mfa_token: tokens[i], otp: next }))
    expect(winners(answers)).toBe(1)
  })

  it('the code that confirms an app is accepted once', async () => {
    const tokens = await manyTokens()
    const { secret } = (await associate(browser, tokens[0], { authenticator_types: ['otp'] })).json()
    const otp = codeOf(server, secret)
    expect(winners(await together((i) => token(browser, { grant_type: OTP, mfa_token: tokens[i], otp })))).toBe(1)
  })

  it('one recovery code is accepted once', async () => {
    const { recoveryCode } = await enrollApp(server, browser, user)
    const tokens = await manyTokens()
    const fields = { grant_type: RECOVERY, recovery_code: recoveryCode }
    expect(winners(await together((i) => token(browser, { ...fields, mfa_token: tokens[i] })))).toBe(1)
  })

  it('a code that was sent is accepted once', async () => {
    await enrollPhone(browser, user, () => codeTo(server, phone), phone)
    const mfa_token = await mfaToken(browser, user)
    const oob_code = String((await challenge(browser, mfa_token)).json().oob_code)
    const binding_code = await codeTo(server, phone)
    const answers = await together(() => token(browser, { grant_type: OOB, mfa_token, oob_code, binding_code }))
    expect(winners(answers)).toBe(1)
  })

  it('with a device’s approval, and of twenty answers one counts', async () => {
    const first = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
    const added = (await associate(browser, first, parameters)).json()
    const ticket = new URL(String(added.barcode_uri)).searchParams.get('enrollment_tx_id') ?? ''
    const runtime = await server.runtime()
    const claims = await Promise.all(
      Array.from({ length: CALLERS }, (_, i) => enrollDevice(ticket, `Phone ${i}`, runtime)),
    )
    const [device = ''] = claims.filter((each) => each !== null)
    expect(claims.filter((each) => each !== null)).toHaveLength(1)
    await token(browser, { grant_type: OOB, mfa_token: first, oob_code: String(added.oob_code) })
    const mfa_token = await mfaToken(browser, user)
    const oob_code = String((await challenge(browser, mfa_token)).json().oob_code)
    const [prompt] = (await promptsOf(device, runtime))?.prompts ?? []
    const counted = await Promise.all(
      Array.from({ length: CALLERS }, () => answerPrompt(device, prompt?.id ?? '', { approve: true }, runtime)),
    )
    expect(counted.filter(Boolean)).toHaveLength(1)
    expect(winners(await together(() => token(browser, { grant_type: OOB, mfa_token, oob_code })))).toBe(1)
  })
})

describe('a burst of guesses', () => {
  it('is judged as often as is left, whatever token it comes with', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const tokens = await manyTokens()
    const otp = wrong(codeOf(server, secret))
    const answers = await together((i) => token(browser, { grant_type: OTP, mfa_token: tokens[i], otp }))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })
})
