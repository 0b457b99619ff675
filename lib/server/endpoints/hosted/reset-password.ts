// /u/reset-password: the link of a reset mail. Opening it shows the form and changes nothing (mail scanners open links).
// Submitting the form sets the password, once, and signs no one in (threat-model.md DB6). A step of the portal leads back there, in the
// session that outlasts it.

import { PORTAL_PATH } from '../../../data/clients/portal'
import { displayNameOf } from '../../../data/users/user'
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../../http/message'
import { type OpenReset, openReset, type PasswordStep, resetPassword } from '../../../identity/accounts/reset-password'
import { eventRequest } from '../../../identity/tenant-code/event-request'
import { reasonOfDenial } from '../../../identity/tenant-code/trigger'
import { accessDenied } from '../../../kernel/errors'
import { startReset } from '../../../login/begin/start-reset'
import { checkBinding } from '../../../login/browser'
import { expiredLink } from '../../../login/expired-link'
import { brokenRules, passwordHints } from '../../../login/flow/password-hints'
import { localeOf, respondWithPage } from '../../../pages/respond'
import type { NoticeCode } from '../../../pages/view'
import { PASSWORD_STEP } from '../../../protocols/portal/password-step'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { makerOf } from '../../portal/step'
import { continueUrlOf } from '../../requests/mail-link'
import type { Runtime } from '../../runtime/runtime'

const PATH = '/u/reset-password'

export const resetPasswordPage = defineEndpoint<Runtime>({
  name: 'u.reset-password',
  limit: 'pages',
  shed: 'last',
  refused: 'password_change_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      const { ticket = '', passed } = queryParameters(request)
      return ask(await opened(ticket, passed, request, runtime), request, runtime)
    },
    async POST(request, runtime) {
      const { ticket = '', password, passed } = bodyParameters(request)
      const link = await opened(ticket, passed, request, runtime)
      if (password === undefined) return ask(link, request, runtime, { notice: 'missing_password' })
      return reset(link, password, request, runtime)
    },
  },
})

/** `passed` is from the rules (lib/identity/accounts/reset-triggers.ts). */
type Link = { ticket: string; passed?: string | undefined; open: OpenReset; step?: PasswordStep }

/** The link of a mail, or a step of the portal in the session of this browser. */
async function opened(
  ticket: string,
  passed: string | undefined,
  request: HttpRequest,
  runtime: Runtime,
): Promise<Link> {
  const open = await openReset(ticket, runtime)
  if (open) return { ticket, passed, open }
  const by = await makerOf(request, runtime)
  const step = by && { kind: PASSWORD_STEP, by, keepsSession: true as const }
  const openStep = step && (await openReset(ticket, runtime, step))
  if (openStep) return { ticket, open: openStep, step }
  throw expiredLink('reset-password')
}

async function reset(link: Link, password: string, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const visitor = readVisitor(request, runtime)
  const isBound = (browser: Uint8Array) => checkBinding(visitor, browser) === 'bound'
  const passed = link.passed === undefined ? undefined : { text: link.passed, isBound }
  const context = {
    ...{ ip: request.ip, locale: localeOf(request, runtime.settings), passed },
    request: () =>
      eventRequest({ ...request, baseUrl: runtime.baseUrl }, queryParameters(request), bodyParameters(request)),
  }
  const result = await resetPassword(link.ticket, password, context, runtime, link.step)
  if (result.outcome === 'expired') throw expiredLink('reset-password')
  if (result.outcome === 'suspended') {
    return respondToVisitor(await startReset(link.ticket, result.open, result.effects, visitor, runtime), runtime)
  }
  if (result.outcome === 'denied')
    throw accessDenied(result.denied.reason, { reason: reasonOfDenial(result.denied), redirectable: false })
  if (result.outcome === 'refused') {
    return ask(link, request, runtime, { notice: 'weak_password', broken: brokenRules(result.refusal) })
  }
  if (link.step && result.resultUrl !== undefined) return redirect(result.resultUrl, 303)
  const wayOn = { continueUrl: runtime.baseUrl + PORTAL_PATH, ...(await continueUrlOf(result, runtime)) }
  return respondWithPage({ screen: 'reset-password', phase: 'done', ...wayOn }, request, runtime)
}

type Flaw = { notice: NoticeCode; broken?: string[] }

function ask(
  { ticket, passed, open, step }: Link,
  request: HttpRequest,
  runtime: Runtime,
  flaw?: Flaw,
): Promise<HttpResponse> {
  const { user, policy } = open
  const rules = passwordHints(policy, flaw?.broken)
  const notice = flaw && { notice: flaw.notice }
  return respondWithPage(
    {
      screen: 'reset-password',
      phase: 'ask',
      action: PATH,
      ticket,
      user: user.email ?? displayNameOf(user),
      rules,
      ...(passed === undefined ? {} : { passed }),
      ...(step ? { keepsSession: true as const } : {}),
      ...notice,
    },
    request,
    runtime,
    flaw ? { status: 400 } : {},
  )
}
