// The page of an enrollment ticket: the ways to add a second factor, and each step of one.

import * as z from 'zod'
import { PORTAL_PATH } from '../../data/clients/portal'
import { displayNameOf } from '../../data/users/user'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../http/message'
import type { MfaSubject } from '../../identity/mfa/deps'
import { beginEnrollment } from '../../identity/mfa/enroll'
import { keysOf, listFactors } from '../../identity/mfa/enrolled'
import {
  ENROLLMENT_PATH,
  endEnrollment,
  type OpenEnrollment,
  openEnrollment,
} from '../../identity/mfa/enrollment-ticket'
import { FACTORS, factorNamed, maskedName } from '../../identity/mfa/factors/index'
import { type FactorOccasion, factorOccasion } from '../../identity/mfa/policy'
import { prove } from '../../identity/mfa/prove'
import { DomainError } from '../../kernel/errors'
import { expiredLink } from '../../login/expired-link'
import { answerTo, type Enrolling, enrollingOf, questionDigest, shownOf } from '../../login/flow/mfa-draft'
import { noticeOf } from '../../login/steps/mfa-challenge'
import { enrollmentPhase } from '../../login/steps/mfa-enroll'
import { localeOf, respondWithPage } from '../../pages/respond'
import type { NoticeCode } from '../../pages/view'
import { makerOf } from '../portal/step'
import type { Runtime } from '../runtime/runtime'
import { continueUrlOf } from './mail-link'

const MAX_PHONE = 40
const PURPOSE = 'enrollment-page'

const draft = z.object({
  factor: z.enum(FACTORS.map(({ id }) => id)),
  phone: z.string().optional(),
  shown: z.string().optional(),
  question: z.string().optional(),
})

export async function showEnrollment(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { ticket = '', draft } = queryParameters(request)
  return ask(await opened(ticket, request, runtime), readDraft(draft, runtime))
}

export async function enrollBy(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { state = '', action, ...sent } = bodyParameters(request)
  if (action === 'mfa-saved')
    return done(
      OCCASIONS.find((each) => each === state),
      request,
      runtime,
    )
  const [ticket = '', sealed] = state.split('.')
  const link = await opened(ticket, request, runtime)
  if (action === 'mfa-enroll') return begin(link, sent)
  const waiting = readDraft(sealed, runtime)
  return action === 'mfa-confirm' && waiting?.shown !== undefined ? confirm(link, waiting, sent) : ask(link)
}

type Link = OpenEnrollment & { ticket: string; subject: MfaSubject; request: HttpRequest; runtime: Runtime }
const OCCASIONS: readonly FactorOccasion[] = ['each', 'risky', 'never']

/** One that is added in the portal is wanted. */
const occasionOf = ({ isOwn, user, runtime }: Link): FactorOccasion =>
  factorOccasion(runtime.settings, isOwn || user.factorWantedAt !== null)

type Sent = Readonly<Record<string, string | undefined>>

async function opened(ticket: string, request: HttpRequest, runtime: Runtime): Promise<Link> {
  const open = await openEnrollment(ticket, await makerOf(request, runtime), runtime)
  if (!open) throw expiredLink('enroll')
  const { user, login } = open
  runtime.trail.context({ user })
  const locale = localeOf(request, runtime.settings)
  const subject = { user, login, typed: null, clientName: runtime.tenantName, ip: request.ip, locale }
  return { ...open, ticket, subject, request, runtime }
}

async function begin(link: Link, { factor: name, phone }: Sent): Promise<HttpResponse> {
  const { offered, vouched, subject, runtime } = link
  const factor = offered.find((each) => each === name)
  if (!factor) return ask(link)
  const byPhone = factorNamed(factor).page.asksFor === 'phone'
  if (byPhone && phone === undefined) return ask(link, { factor })
  const phoneNumber = byPhone ? phone?.slice(0, MAX_PHONE).toWellFormed() : undefined
  const typed: Enrolling | null = phoneNumber === undefined ? null : { factor, phone: phoneNumber }
  try {
    const enrolment = await beginEnrollment(subject, factor, { phoneNumber }, { vouched }, runtime)
    return goTo(link, enrollingOf(enrolment, factor, maskedName(enrolment.authenticator), runtime))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'too_many_requests') return ask(link, typed, 'too_many_messages')
    if (error.code === 'invalid_request' && byPhone) return ask(link, typed, 'invalid_phone')
    throw error
  }
}

async function confirm(link: Link, enrolling: Enrolling, sent: Sent): Promise<HttpResponse> {
  const { subject, ticket, user, request, runtime } = link
  const factor = factorNamed(enrolling.factor)
  const verdict = await prove(factor.names.authenticatorType, answerTo(enrolling, sent), subject, runtime)
  if (verdict.outcome === 'pending') return goTo(link, enrolling)
  if (verdict.outcome !== 'passed') {
    const isOver = verdict.outcome === 'gone' || verdict.outcome === 'rejected'
    return ask(link, isOver ? null : enrolling, noticeOf(verdict, factor))
  }
  if (link.isOwn) await runtime.authenticators.want(user.id, runtime.clock.now())
  await endEnrollment(ticket, runtime)
  const recovery = shownOf(enrolling, runtime)?.recoveryCode
  if (recovery === undefined) return done(occasionOf(link), request, runtime)
  const view = { action: ENROLLMENT_PATH, state: occasionOf(link), client: clientOf(runtime), code: recovery }
  const name = user.email ?? displayNameOf(user)
  return respondWithPage({ screen: 'mfa-recovery-code', ...view, user: name }, request, runtime)
}

async function ask(link: Link, enrolling: Enrolling | null = null, notice?: NoticeCode): Promise<HttpResponse> {
  const { ticket, login, offered, subject, user, request, runtime } = link
  const question = enrolling?.question
  const challenge =
    question === undefined
      ? null
      : await runtime.challenges.find(
          { digest: questionDigest(question), transactionDigest: login },
          runtime.clock.now(),
        )
  const enrolments = await listFactors(user, runtime)
  const mfa = { enrolments, challenge, keys: await keysOf(user, enrolments, runtime) }
  const phase = enrollmentPhase(enrolling, mfa, subject, runtime) ?? { phase: 'choose' as const, factors: offered }
  return respondWithPage(
    {
      screen: 'mfa-enroll',
      action: ENROLLMENT_PATH,
      state: `${ticket}.${enrolling ? writeDraft(enrolling, runtime) : ''}`,
      client: clientOf(runtime),
      ...(notice && { notice }),
      other: offered.length > 1,
      cancel: false,
      occasion: occasionOf(link),
      ...phase,
    },
    request,
    runtime,
    notice ? { status: 400 } : {},
  )
}

/** An address of its own, so that a page that waits for a device can ask for itself again. */
function goTo({ ticket, runtime }: Link, enrolling: Enrolling): HttpResponse {
  const query = new URLSearchParams({ ticket, draft: writeDraft(enrolling, runtime) })
  return redirect(`${runtime.baseUrl}${ENROLLMENT_PATH}?${query}`, 303)
}

async function done(
  occasion: FactorOccasion | undefined,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const portal = runtime.baseUrl + PORTAL_PATH
  const wayOn = { continueUrl: portal, ...(await continueUrlOf({ clientId: null }, runtime)) }
  const view = { action: ENROLLMENT_PATH, state: '', client: clientOf(runtime), other: false, cancel: false }
  const page = {
    screen: 'mfa-enroll' as const,
    ...view,
    phase: 'done' as const,
    ...(occasion && { occasion }),
    ...wayOn,
  }
  return respondWithPage(page, request, runtime)
}

const clientOf = ({ tenantName }: Runtime) => ({ name: tenantName })

const writeDraft = (enrolling: Enrolling, { vault, random }: Runtime): string =>
  vault.sealText(PURPOSE, JSON.stringify(enrolling), random)

function readDraft(text: string | undefined, { vault }: Runtime): Enrolling | null {
  const plain = text === undefined ? null : vault.openText(PURPOSE, text)
  return plain === null ? null : (draft.parse(JSON.parse(plain)) as Enrolling)
}
