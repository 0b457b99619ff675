// The captcha of the login pages (threat-model.md BD1 to BD5). It stands before an action that guesses a password, creates an account or
// sends a message; with the policy `never` it costs nothing.
// - A solution counts for one submission. The page that comes back has a new challenge.
// - Without JavaScript, or where the challenge cannot be solved, a code is mailed to the address that was typed. The answer is the
//   same whether or not an account has it. A right code counts for this login and this address.

import { isMailAddress } from '../../data/outbox/message'
import { mayMail, takeAllowance } from '../../data/users/allowance'
import { canonical } from '../../data/users/user'
import { mailableAddress } from '../../identity/accounts/account-mail'
import { captchaPolicy, challengeFor, demandsCaptcha, judgeAnswer, tokenField } from '../../identity/captcha/demand'
import { WIDGETS } from '../../identity/captcha/providers'
import { addSeconds } from '../../kernel/clock'
import type { Parameters } from '../../kernel/parameters'
import { equalsConstantTime } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'
import type { CaptchaView, NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { CaptchaGuard, FormActionContext, FormResult } from '../forms/action'
import type { LoginState } from '../login-state'
import type { Decisions } from '../transaction'
import { chosenDatabase, databasesFor } from './database'

/** The state of the captcha in a login. */
export type CaptchaDraft = {
  /** It was demanded, so the page shows it. */
  shown: true
  /** A code was mailed for this identifier; `salt` makes the codes of two mails differ. */
  mailed?: { identifier: string; salt: string; until: string }
  /** The identifier whose mailed code was typed. */
  passed?: string
}

type Gate = { kind: 'passed'; state: LoginState } | FormResult

type Asking = Pick<FormActionContext, 'ip' | 'login'>

/** Whether the action may run, with the state that it runs with; else the page that asks for a solution. */
export async function passCaptcha(
  { use, draft }: CaptchaGuard,
  state: LoginState,
  input: Parameters,
  { ip, login }: Asking,
  deps: LoginDeps,
): Promise<Gate> {
  if (!(await demandsCaptcha(use, ip, deps))) return { kind: 'passed', state }
  const typed = draft(state, input)
  const identifier = canonical(typed.identifier ?? '')
  const { captcha: before = { shown: true } } = state.decisions
  if (before.passed !== undefined && before.passed === identifier) return { kind: 'passed', state }
  const again = (notice: NoticeCode): FormResult => ({
    kind: 'again',
    notice,
    decisions: { ...typed, captcha: before },
  })
  if (before.mailed && input.captcha_code) {
    if (!(await isMailedCode(before.mailed, input.captcha_code, identifier, login, deps))) return again('captcha_code')
    const captcha: CaptchaDraft = { shown: true, passed: identifier }
    return { kind: 'passed', state: { ...state, decisions: { ...state.decisions, captcha } } }
  }
  const answer = { session: input.captcha_session, number: input.captcha_number, token: tokenIn(input, deps) }
  const verdict = await judgeAnswer(answer, { ip, login: textOf(login) }, deps)
  if (verdict === 'solved') return { kind: 'passed', state }
  if (verdict === 'missing') deps.trail.record('bot_suspected', { sentence: `a captcha is demanded (${use})` })
  return again(verdict === 'missing' ? 'captcha_missing' : 'captcha_wrong')
}

function tokenIn(input: Parameters, deps: LoginDeps): string | undefined {
  const field = tokenField(deps)
  return field === undefined ? undefined : input[field]
}

const textOf = (login: Uint8Array): string => Buffer.from(login).toString('base64url')

/** Null where the page needs none; without an address, because an allowlist only spares the solution. */
export function captchaView(
  use: CaptchaGuard['use'],
  { decisions: { captcha } }: Pick<LoginState, 'decisions'>,
  login: Uint8Array,
  deps: Pick<LoginDeps, 'settings' | 'tenantId' | 'vault' | 'random' | 'clock'>,
): CaptchaView | null {
  const isAlways = captchaPolicy(use, '', deps) === 'always' && !isMonitoring(deps)
  if ((!isAlways && !captcha) || captcha?.passed !== undefined) return null
  if (captcha?.mailed) return { kind: 'code' }
  const challenge = challengeFor(textOf(login), deps)
  if (challenge.kind === 'work') return challenge
  const { script, place, sources } = WIDGETS[challenge.provider]
  return { kind: 'widget', siteKey: challenge.siteKey, script, place, sources }
}

const isMonitoring = ({ settings }: Pick<LoginDeps, 'settings'>): boolean =>
  settings.attackProtection.botDetection.monitoring_mode_enabled

const CODE_SECONDS = 900
const MAX_TRIES = 5
const SALT_BYTES = 12

/** Mails a code to the typed address; a username's goes to the address of its account, if it has one. */
export async function mailCaptchaCode(
  { draft }: CaptchaGuard,
  state: LoginState,
  input: Parameters,
  context: FormActionContext,
  deps: LoginDeps,
): Promise<FormResult> {
  const typed = draft(state, input)
  const identifier = canonical(typed.identifier ?? '')
  const again = (notice: NoticeCode, mailed?: CaptchaDraft['mailed']): FormResult => ({
    kind: 'again',
    notice,
    decisions: { ...typed, captcha: { shown: true, ...(mailed && { mailed }) } },
  })
  if (identifier === '') return again('missing_identifier')
  const salt = deps.random.token(SALT_BYTES)
  const until = addSeconds(deps.clock.now(), CODE_SECONDS)
  const code = codeFor(salt, identifier, context.login, deps)
  const sending = send(identifier, code, until, { ...state, decisions: typed }, context, deps)
  // A name is looked up: without waiting, the response takes as long for an unknown one.
  if (isMailAddress(identifier)) await sending
  else deps.afterwards(sending)
  return again('captcha_sent', { identifier, salt, until: until.toISOString() })
}

async function send(
  identifier: string,
  code: string,
  until: Date,
  state: LoginState,
  { ip, browsers, locale }: FormActionContext,
  deps: LoginDeps,
): Promise<void> {
  const ids = state.databases.length === 0 ? [''] : databasesFor(state).map(({ id }) => id)
  const [first = ''] = ids
  if (!(await mayMail('captcha', { connectionId: first, address: identifier }, { ip, browsers }, deps))) return
  const recipients = isMailAddress(identifier)
    ? [{ to: identifier, connectionId: first }]
    : await named(identifier, ids, deps)
  for (const { to, connectionId } of recipients) {
    const cause = { clientId: state.client.clientId, connectionId, organization: state.organization }
    await deps.accounts.notify(
      await deps.messenger.compose({ channel: 'email', to, code, locale, until, ip, ...cause }),
    )
  }
  deps.messenger.wake()
}

/** The mailboxes of a username; another person may have it in another database. */
async function named(username: string, connectionIds: readonly string[], { users }: Pick<LoginDeps, 'users'>) {
  const accounts = await Promise.all(connectionIds.map((id) => users.findAccount(id, username)))
  return accounts.flatMap((account) => {
    const to = account && mailableAddress(account)
    return account && to ? [{ to, connectionId: account.connectionId }] : []
  })
}

/** Six digits of a keyed digest, so nothing has to be stored for a code. */
function codeFor(salt: string, identifier: string, login: Uint8Array, { vault }: Pick<LoginDeps, 'vault'>): string {
  const mac = vault.mac('captcha-code', JSON.stringify([textOf(login), identifier, salt]))
  return String(mac.readUInt32BE() % 1_000_000).padStart(6, '0')
}

/** Every try counts, right or wrong, before it is compared. */
async function isMailedCode(
  { identifier: sentTo, salt, until }: NonNullable<CaptchaDraft['mailed']>,
  typed: string,
  identifier: string,
  login: Uint8Array,
  deps: LoginDeps,
): Promise<boolean> {
  const bound = { name: 'captcha-code', of: [textOf(login)], most: MAX_TRIES, seconds: 3600 }
  if (!(await takeAllowance([bound], deps))) return false
  if (identifier !== sentTo || new Date(until) <= deps.clock.now()) return false
  const expected = codeFor(salt, identifier, login, deps)
  return equalsConstantTime(Buffer.from(readCode(typed)), Buffer.from(expected))
}

/** A draft that keeps the identifier in the field of that name, and the choice of a database. */
export const draftOf =
  (field: string): CaptchaGuard['draft'] =>
  ({ decisions }: LoginState, input: Parameters): Decisions => ({
    ...decisions,
    identifier: (input[field] ?? '').slice(0, 320).toWellFormed(),
    ...chosenDatabase(input),
  })
