// Passwordless login by a one-time code. The page responds the same for every address (threat-model.md PW4). A code belongs to
// the client of the login. The transaction stores the address, so the user types only the code.

import type { PasswordlessConnection } from '../../data/connections/connection'
import { familiarTo } from '../../data/users/allowance'
import type { User } from '../../data/users/user'
import { authenticateByCode, methodOf, readAddress, sendCode } from '../../identity/strategies/passwordless'
import { ageOf } from '../../kernel/clock'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import { draftOf } from '../flow/captcha'
import { refuseOther } from '../flow/linking'
import type { LoginState } from '../login-state'
import type { FormAction, FormActionContext, FormResult, GuardedAction } from './action'
import { MAX_IDENTIFIER } from './password'

/** Seconds before another code can be sent to the same address. */
const RESEND_SECONDS = 30

export const waitBeforeResend = ({ decisions: { code }, now }: Pick<LoginState, 'decisions' | 'now'>): number =>
  code ? Math.max(0, Math.ceil(RESEND_SECONDS - ageOf(new Date(code.sentAt), now))) : 0

export const sendLoginCode: GuardedAction = {
  name: 'send-code',
  guard: { use: 'passwordless', draft: draftOf('address') },
  async run(state, input, context, deps): Promise<FormResult> {
    const typed = (input.address ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const connection = connectionFor(typed, state.passwordless)
    const address = connection && (await readAddress(connection, typed))
    if (connection && address) return send(connection, address, state, context, deps)
    const notice = connection?.strategy === 'sms' ? 'invalid_phone' : 'invalid_email'
    return { kind: 'again', notice, decisions: { ...state.decisions, identifier: typed } }
  },
}

export const resendLoginCode: FormAction = {
  name: 'resend-code',
  run(state, _input, context, deps): Promise<FormResult> | FormResult {
    const sent = sentIn(state)
    return sent ? send(sent.connection, sent.address, state, context, deps) : startOver(state)
  },
}

export const checkLoginCode: FormAction = {
  name: 'check-code',
  async run(state, input, { ip, browsers }, deps): Promise<FormResult> {
    const sent = sentIn(state)
    if (!sent) return startOver(state)
    const { connection, address } = sent
    const again = (notice: NoticeCode): FormResult => ({ kind: 'again', notice, decisions: state.decisions })
    if (!input.code) return again('wrong_code')
    const { client, organization } = state
    const attempt = { address, code: input.code, ip, browsers, clientId: client.clientId, organization }
    const verdict = await authenticateByCode(connection, attempt, deps)
    if (verdict.outcome !== 'proven') return again(NOTICES[verdict.outcome])
    if (verdict.user.blocked) {
      recordBlocked(deps)
      return again('wrong_code')
    }
    return signedIn(verdict.user, { ...sent, at: verdict.at }, state, deps)
  },
}

type Proof = { connection: PasswordlessConnection; address: string; at: string }

/** The page says the same as of a wrong code. */
export const recordBlocked = ({ trail }: Pick<LoginDeps, 'trail'>): void =>
  trail.record('login_refused', { reason: 'user_blocked', sentence: 'user is blocked' })

/** The owner of the proven address is signed in, if the login does not expect another user. */
export function signedIn(
  user: User,
  { connection, address, at }: Proof,
  state: LoginState,
  deps: Pick<LoginDeps, 'trail'>,
): FormResult {
  if (state.wants.subject !== null && state.wants.subject !== user.id)
    return { kind: 'again', notice: refuseOther(state, deps), decisions: state.decisions }
  const evidence = [{ method: methodOf(connection), at, connection: connection.name }]
  // Consent given earlier in this transaction belongs to the previously signed-in user, so it is dropped.
  const familiar = familiarTo({ connectionId: connection.id, address }).tag
  return { kind: 'progress', user, evidence, familiar, decisions: { identifier: address, account: 'selected' } }
}

const NOTICES = {
  wrong: 'wrong_code',
  expired: 'wrong_code',
  exhausted: 'code_exhausted',
  too_many: 'too_many_codes',
} as const satisfies Record<string, NoticeCode>

/** Where both strategies are usable, the typed value decides. */
function connectionFor(typed: string, usable: readonly PasswordlessConnection[]): PasswordlessConnection | undefined {
  const strategy = typed.includes('@') ? 'email' : 'sms'
  return usable.find((connection) => connection.strategy === strategy) ?? usable[0]
}

async function send(
  connection: PasswordlessConnection,
  address: string,
  state: LoginState,
  { ip, browsers, locale, handle, login }: FormActionContext,
  deps: LoginDeps,
): Promise<FormResult> {
  const decisions = { ...state.decisions, identifier: address }
  const screen = 'passwordless-code'
  if (state.decisions.code?.address === address && waitBeforeResend(state) > 0) {
    return { kind: 'again', screen, notice: 'wait_for_code', decisions }
  }
  const codeRequest = {
    address,
    clientId: state.client.clientId,
    request: null,
    login: { handle, digest: login },
    ip,
    browsers,
    locale,
    organization: state.organization,
  }
  const sent = await sendCode(connection, codeRequest, deps)
  if (sent === 'not_served') return { kind: 'again', notice: 'invalid_phone', decisions }
  if (sent === 'too_many') return { kind: 'again', notice: 'too_many_messages', decisions }
  const code = { connectionId: connection.id, address, sentAt: deps.clock.now().toISOString() }
  const notice = state.decisions.code ? { notice: 'code_sent' as const } : {}
  return { kind: 'again', screen, ...notice, decisions: { ...decisions, code } }
}

/** The connection and address of the last code of this login. */
export function sentIn({ decisions: { code }, passwordless }: Pick<LoginState, 'decisions' | 'passwordless'>) {
  const connection = passwordless.find(({ id }) => id === code?.connectionId)
  return code && connection && { connection, address: code.address }
}

export const startOver = ({ decisions: { code: _, ...decisions } }: LoginState): FormResult => ({
  kind: 'again',
  screen: 'passwordless',
  decisions,
})
