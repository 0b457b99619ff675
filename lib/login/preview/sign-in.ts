// How the person would sign in: the way that the pages lead to, and what the login judges of the account, in its order.
import {
  type Connection,
  type DatabaseConnection,
  isDatabase,
  isPasswordless,
  type PasswordlessConnection,
} from '../../data/connections/connection'
import { authenticatesByScript, isCustom } from '../../data/connections/custom-database'
import type { PreviewedLogin, PreviewQuestion } from '../../data/logins/preview'
import { type InspectedStep, lineOf, type StepLine } from '../../data/logins/step'
import type { Evidence } from '../../data/sessions/session'
import { refusesBreached } from '../../data/users/breached-passwords'
import { demandsCaptcha } from '../../identity/captcha/demand'
import { hides, wantsVerifiedAddress } from '../../identity/strategies/database'
import { methodOf } from '../../identity/strategies/passwordless'
import { networkOf } from '../../kernel/network'
import type { Reason } from '../../kernel/reasons'
import type { LoginScreen } from '../../pages/screens'
import type { LoginDeps } from '../deps'
import { databaseChoices } from '../flow/database'
import { homeOf } from '../flow/home-realm'
import type { LoginState } from '../login-state'

export type ForeseenSignIn = {
  step: InspectedStep
  reason: Reason | null
  proof: Evidence | null
  connection: string | null
  code: PreviewedLogin['code']
}

type Question = Pick<PreviewQuestion, 'user' | 'connections' | 'accounts' | 'ip'>

export async function foreseeSignIn(
  screen: LoginScreen,
  state: LoginState,
  question: Question,
  deps: LoginDeps,
): Promise<ForeseenSignIn> {
  const way = wayOf(state, question)
  if (!way) return noWay(screen, state, question, deps)
  const judged = isDatabase(way)
    ? await judgeDatabase(way, state, question, deps)
    : isPasswordless(way)
      ? await judgeCode(way, question, deps)
      : judgeProvider(way, question)
  const first = judged.lines.find(({ failed }) => failed !== null)
  const reason = first?.failed ?? null
  const lines = [
    lineOf('connection', 'ok', { value: `${way.name} (${way.strategy})` }),
    ...judged.lines.map(({ line }) => line),
  ]
  return {
    step: { ...stepOf(screen, reason, first?.line.says), lines },
    reason,
    proof: reason === null ? { method: judged.method, at: state.now.toISOString(), connection: way.name } : null,
    connection: way.name,
    code: judged.code ?? [],
  }
}

const stepOf = (screen: LoginScreen, reason: Reason | null, says: string | undefined): InspectedStep => ({
  kind: 'page',
  subject: screen,
  outcome: reason === null ? 'ok' : 'failed',
  reason: reason ?? undefined,
  says,
})

/** A typed address that belongs to a provider leads there, whatever accounts there are (home-realm.ts). */
function wayOf(state: LoginState, { user, connections }: Question): Connection | undefined {
  const home = user.email === null ? null : homeOf(user.email, state)
  if (home) return connections.includes(home.name) ? home : undefined
  const offered = [...state.databases, ...state.passwordless, ...state.federated]
  return offered.find(({ name }) => connections.includes(name))
}

async function noWay(
  screen: LoginScreen,
  state: LoginState,
  { user, connections }: Question,
  deps: LoginDeps,
): Promise<ForeseenSignIn> {
  const home = user.email === null ? null : homeOf(user.email, state)
  const known = await deps.connections.all()
  const own = known.filter(
    ({ name }) => connections.includes(name) && (state.wants.connection === null || name === state.wants.connection),
  )
  const reason: Reason = home === null && own.length > 0 ? 'connection_not_enabled' : 'no_such_account'
  const says = home
    ? `The address leads to ${home.name}, where the person has no account.`
    : own.length > 0
      ? `The account of the person is in ${own.map(({ name }) => name).join(', ')}, which this login does not offer.`
      : 'The person has no account in a connection of this login.'
  const offered = [...state.databases, ...state.passwordless, ...state.federated].map(({ name }) => name)
  return {
    step: {
      ...stepOf(screen, reason, says),
      lines: [
        lineOf('account', 'failed', { value: connections.join(', '), says }),
        lineOf('connections', 'none', { value: offered.join(', ') }),
      ],
    },
    ...{ reason, proof: null, connection: null, code: [] },
  }
}

type Judged = {
  method: Evidence['method']
  /** In the order in which a login judges them. */
  lines: readonly { line: StepLine; failed: Reason | null }[]
  code?: PreviewedLogin['code']
}

const passed = (name: string, says?: string) => ({ line: lineOf(name, 'ok', { says }), failed: null })
const unseen = (name: string, says: string) => ({ line: lineOf(name, 'unreached', { says }), failed: null })
const failing = (name: string, failed: Reason, says: string) => ({ line: lineOf(name, 'failed', { says }), failed })

async function judgeDatabase(
  database: DatabaseConnection,
  state: LoginState,
  { user, accounts, ip }: Question,
  deps: LoginDeps,
): Promise<Judged> {
  const own = accounts.find(({ connection }) => connection === database.name)
  const account = own ? await deps.users.findAccount(database.id, own.name) : null
  const byScript = authenticatesByScript(database)
  const asksScript = isCustom(database) && !account?.passwordHash
  const hasToChoose = databaseChoices(state).length > 0
  return {
    method: 'pwd',
    lines: [
      await captcha('login', ip, deps),
      ...(hasToChoose ? [passed('database', 'The person chooses the database.')] : []),
      await attempts(own, ip, deps),
      !byScript && hides(database, user)
        ? failing('account', 'wrong_password', 'An account whose address is not verified is treated as none here.')
        : passed('account'),
      blockOf(user),
      asksScript
        ? unseen('password', 'A script of the connection judges it.')
        : account?.passwordHash
          ? unseen('password', 'The person types it.')
          : failing('password', 'wrong_password', 'The account has no password.'),
      refusesBreached('login', deps.settings)
        ? unseen('breached_password', 'It is looked up in the list of leaked passwords.')
        : passed('breached_password', 'It is not looked up.'),
      wantsVerifiedAddress(database, user)
        ? failing('verified_address', 'address_unverified', 'The connection requires a verified address.')
        : passed('verified_address'),
    ],
    code: asksScript ? [{ at: 'database', name: `${database.name}: login` }] : [],
  }
}

async function judgeCode(connection: PasswordlessConnection, { user, ip }: Question, deps: LoginDeps): Promise<Judged> {
  return {
    method: methodOf(connection),
    lines: [
      await captcha('passwordless', ip, deps),
      unseen('code', 'A code or a link is sent, and the person proves it.'),
      blockOf(user),
    ],
  }
}

const judgeProvider = ({ name }: Connection, { user }: Question): Judged => ({
  method: 'fed',
  lines: [
    unseen('provider', `The person signs in at the provider of ${name}, whose answer is not known before.`),
    blockOf(user),
  ],
})

const blockOf = ({ blocked }: PreviewQuestion['user']) =>
  blocked ? failing('block', 'user_blocked', 'The person is blocked.') : passed('block')

async function captcha(use: 'login' | 'passwordless', ip: string, deps: LoginDeps) {
  return (await demandsCaptcha(use, ip, deps))
    ? unseen('captcha', 'The person has to solve one.')
    : passed('captcha', 'None is asked for.')
}

/** The block of a network concerns each of its addresses. */
async function attempts(account: PreviewQuestion['accounts'][number] | undefined, ip: string, deps: LoginDeps) {
  const blocks = account ? await deps.attempts.blocksOf([account]) : []
  if (blocks.some((block) => block.ip === null || networkOf(block.ip) === networkOf(ip)))
    return failing('attempts', 'account_locked', 'Too many wrong passwords of this account, from this address.')
  return (await deps.attempts.isBlocked(ip))
    ? failing('attempts', 'address_locked', 'Too many failed logins from this address.')
    : passed('attempts')
}
