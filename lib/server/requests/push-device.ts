// The page of a phone that approves logins: what it shows, and what its forms do.

import { displayNameOf, type User } from '../../data/users/user'
import { writeCookie } from '../../http/cookies'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters, withHeaders } from '../../http/message'
import { maskedAccount } from '../../identity/mfa/authenticator'
import { answerPrompt, enrollDevice, enrolledBy, promptsOf } from '../../identity/mfa/device'
import { DEVICE_PATH } from '../../identity/mfa/factors/push'
import { DomainError } from '../../kernel/errors'
import { digest, equalsConstantTime } from '../../kernel/secret'
import { bindBrowser, checkBinding } from '../../login/browser'
import { expiredLink } from '../../login/expired-link'
import type { Visitor } from '../../login/visitor'
import { respondWithPage } from '../../pages/respond'
import type { ViewOf } from '../../pages/screens'
import { setCookies } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'

/** The longest lifetime that browsers accept for a cookie. */
const COOKIE_SECONDS = 400 * 86400

export function showDevice(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { enrollment_tx_id: ticket } = queryParameters(request)
  const visitor = readVisitor(request, runtime)
  return ticket === undefined ? showWaiting(visitor, request, runtime) : askToConnect(ticket, visitor, request, runtime)
}

export function answerByDevice(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { action, ...sent } = bodyParameters(request)
  const visitor = readVisitor(request, runtime)
  return action === 'connect'
    ? connect(sent, visitor, request, runtime)
    : answer(sent, action === 'approve', visitor, request, runtime)
}

type Sent = Record<string, string | undefined>

async function askToConnect(
  ticket: string,
  visitor: Visitor,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const enrolled = await enrolledBy(ticket, runtime)
  if (!enrolled) throw expiredLink()
  const browser = bindBrowser(visitor, runtime)
  const current = await currentDevice(visitor, runtime)
  const confirmation = `${Buffer.from(browser.digest).toString('base64url')}.${replacementOf(current, ticket)}`
  const names = { user: maskedAccount(enrolled.user), client: enrolled.clientName }
  const replaces = current && { replaces: { user: nameOf(current.user), since: current.since.toISOString() } }
  const page = await show({ phase: 'connect', ticket, confirmation, ...names, ...replaces }, request, runtime)
  return setCookies(page, browser.cookies, runtime)
}

async function connect(
  { ticket = '', confirmation = '' }: Sent,
  visitor: Visitor,
  request: HttpRequest,
  runtime: Runtime,
) {
  const [bound = '', replacement = ''] = confirmation.split('.')
  const binding = checkBinding(visitor, Buffer.from(bound, 'base64url'))
  if (binding === 'no-cookie') throw refused('cookies_off')
  const wasShown = replacement === replacementOf(await currentDevice(visitor, runtime), ticket)
  if (binding === 'other-browser' || !wasShown) return askToConnect(ticket, visitor, request, runtime)
  const token = await enrollDevice(ticket, deviceName(visitor), runtime)
  if (token === null) throw expiredLink()
  return withHeaders(await show({ phase: 'connected' }, request, runtime), keep(token, runtime))
}

/** Ties the button to the connection that its page named: one that was made since is not replaced unseen. */
const replacementOf = (current: { token: string } | null, ticket: string): string =>
  current === null ? '' : confirmationOf(current.token, ticket).toString('base64url')

const keep = (token: string, runtime: Runtime) => writeCookie('device', token, runtime, COOKIE_SECONDS)

const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'] as const

/** A name that the user will recognize among the other sign-in methods. */
const deviceName = ({ userAgent }: Visitor): string =>
  SYSTEMS.find((system) => userAgent?.includes(system)) ?? 'Browser'

async function showWaiting(visitor: Visitor, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { token, user, prompts } = await deviceOf(visitor, runtime)
  const [newest] = prompts
  const name = nameOf(user)
  const page = newest
    ? {
        phase: 'prompt' as const,
        prompt: newest.id,
        confirmation: confirmationOf(token, newest.id).toString('base64url'),
        user: name,
        client: newest.clientName,
        ip: newest.ip,
        number: newest.asksNumber,
      }
    : { phase: 'idle' as const, user: name }
  return withHeaders(await show(page, request, runtime), keep(token, runtime))
}

async function answer(
  { prompt = '', confirmation = '', number }: Sent,
  approve: boolean,
  visitor: Visitor,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const { token } = await deviceOf(visitor, runtime)
  const isConfirmed = equalsConstantTime(Buffer.from(confirmation, 'base64url'), confirmationOf(token, prompt))
  if (!isConfirmed) return showWaiting(visitor, request, runtime)
  const counted = await answerPrompt(token, prompt, { approve, number }, runtime)
  return show({ phase: approve && counted ? 'approved' : 'rejected' }, request, runtime)
}

/** Computing it needs the device's token, which no page shows. */
const confirmationOf = (token: string, prompt: string): Buffer => digest(`${token} ${prompt}`)

const nameOf = (user: User): string => user.email ?? displayNameOf(user)

async function currentDevice({ cookies: { device: token } }: Visitor, runtime: Runtime) {
  const found = token === undefined ? null : await promptsOf(token, runtime)
  return token === undefined || found === null ? null : { token, ...found }
}

async function deviceOf(visitor: Visitor, runtime: Runtime) {
  const found = await currentDevice(visitor, runtime)
  if (found) return found
  throw refused('no_device')
}

const refused = (code: 'cookies_off' | 'no_device') =>
  new DomainError('access_denied', 'This browser is no device that approves', {
    reason: code === 'cookies_off' ? 'cookies_missing' : 'device_unknown',
    redirectable: false,
    page: { code },
  })

type WithoutFrame<View> = View extends unknown ? Omit<View, 'screen' | 'action' | 'nextUrl'> : never

function show(
  page: WithoutFrame<ViewOf<'push-device'>>,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const frame = { screen: 'push-device' as const, action: DEVICE_PATH, nextUrl: DEVICE_PATH }
  return respondWithPage({ ...frame, ...page }, request, runtime)
}
