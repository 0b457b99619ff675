// /account and /account/{page}: the account portal. A user comes here through the tenant's own login, and goes through it again before a
// change of how they sign in (threat-model.md AP1 to AP4).
// - A form is accepted from our own pages alone, and only with the confirmation of the session that the page was made for.
// - What a form names is looked up among the user's own things.

import { PORTAL_PATH } from '../../../data/clients/portal'
import { ownerOf } from '../../../data/connections/connection'
import { displayNameOf } from '../../../data/users/user'
import { defineEndpoint, type Handler } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../../http/message'
import { notFound } from '../../../kernel/errors'
import { lazy } from '../../../kernel/lazy'
import { equalsConstantTime } from '../../../kernel/secret'
import { findSession } from '../../../login/begin/signed-in'
import { signedInTo } from '../../../login/begin/signed-in-to'
import { startLogin } from '../../../login/begin/start'
import type { SignedIn, Visitor } from '../../../login/visitor'
import { isLastOwner } from '../../../management/operations/console-administrators'
import { respondWithPage } from '../../../pages/respond'
import type { ScreenView } from '../../../pages/screens'
import { NOTICE_CODES, type NoticeCode, PORTAL_PAGES, type PortalPageName } from '../../../pages/view'
import { portalOrigin, portalWants } from '../../../protocols/portal/portal'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import type { PortalAction, PortalCall, PortalOutcome } from '../../portal/page'
import { isUpload, readUpload } from '../../portal/upload'
import type { Runtime } from '../../runtime/runtime'

/** No other request needs the pages. */
const loadPages = lazy(async () => (await import('../../portal/index')).PAGES)

const define = (name: string, methods: Record<'GET' | 'POST', Handler<Runtime>>) =>
  defineEndpoint<Runtime>({
    name,
    limit: { GET: 'pages', POST: 'submit' },
    shed: 'last',
    refused: 'change_refused',
    cors: 'none',
    errors: 'page',
    posts: 'own-pages',
    streams: isUpload,
    methods,
  })

export const portal = define('account', { GET: show, POST: act })

async function show(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const name = nameOf(request)
  const input = queryParameters(request)
  const visitor = readVisitor(request, runtime)
  const fresh = (await loadPages())[name].fresh === true
  const signedIn = await signedInTo(portalWants(fresh, runtime.baseUrl), visitor, runtime)
  if (!signedIn) return enter(pathOf(name, noticeOf(input.notice)), fresh, visitor, runtime, input.connection)
  return render(name, { ...signedIn, input, file: null, request, runtime, management: await runtime.management() })
}

async function act(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const name = nameOf(request)
  const { input, file } = isUpload(request) ? await readUpload(request) : { input: bodyParameters(request), file: null }
  const actions: Readonly<Record<string, PortalAction>> = (await loadPages())[name].actions
  const action = Object.hasOwn(actions, input.action ?? '') ? actions[input.action ?? ''] : undefined
  if (!action) return redirect(runtime.baseUrl + pathOf(name), 303)
  const visitor = readVisitor(request, runtime)
  const signedIn = await signedInTo(portalWants(action.fresh === true, runtime.baseUrl), visitor, runtime)
  if (!signedIn) return enter(pathOf(name, 'portal_repeat'), action.fresh === true, visitor, runtime)
  if (!isConfirmed(input.confirmation, signedIn, runtime)) {
    return redirect(runtime.baseUrl + pathOf(name, 'session_changed'), 303)
  }
  const call = { ...signedIn, input, file, request, runtime, management: await runtime.management() }
  const outcome = await action.run(call).catch((error: unknown) => explained(error, call))
  if ('response' in outcome) return outcome.response
  return redirect(runtime.baseUrl + ('to' in outcome ? outcome.to : pathOf(name, outcome.notice)), 303)
}

/** Nothing was changed. It is logged as the refusal that it is, and the page says why. */
function explained(error: unknown, { request, runtime }: PortalCall): PortalOutcome {
  if (!isLastOwner(error)) throw error
  runtime.report(error, request, portal)
  return { notice: 'last_owner' }
}

/** Through the login, and back to the page. A user who signs in again has the connection of the session. */
async function enter(to: string, fresh: boolean, visitor: Visitor, runtime: Runtime, named?: string) {
  const session = (await findSession(visitor, runtime))?.session
  const proving = session?.evidence.find((each) => each.connection !== '')?.connection ?? named ?? null
  // That of an organization signs in to its applications alone.
  const isOwned = (await runtime.connections.all()).some((each) => each.name === proving && ownerOf(each) !== null)
  const connection = isOwned ? null : proving
  const wants = { ...portalWants(fresh, runtime.baseUrl), connection }
  return respondToVisitor(await startLogin(portalOrigin(to), wants, visitor, runtime), runtime)
}

async function render(name: PortalPageName, call: PortalCall): Promise<HttpResponse> {
  const { user, input, request, runtime } = call
  const notice = noticeOf(input.notice)
  const { picture } = runtime.portray(user)
  const page: { view(call: PortalCall): Promise<object> } = (await loadPages())[name]
  const view: object = {
    screen: `account-${name}`,
    ...(await page.view(call)),
    confirmation: confirmationOf(call, runtime).toString('base64url'),
    account: {
      id: user.id,
      name: displayNameOf(user),
      ...(user.email === null ? {} : { email: user.email }),
      ...(picture === null ? {} : { picture }),
    },
    pages: await offeredPages(call),
    ...(notice === undefined ? {} : { notice }),
  }
  const { locale } = user.profile
  return respondWithPage(view as ScreenView, request, runtime, typeof locale === 'string' ? { uiLocales: locale } : {})
}

async function offeredPages(call: PortalCall): Promise<PortalPageName[]> {
  const pages = await loadPages()
  const offered = await Promise.all(PORTAL_PAGES.map((name) => pages[name].isOffered?.(call) ?? true))
  return PORTAL_PAGES.filter((_, at) => offered[at])
}

function nameOf({ params: { page = PORTAL_PAGES[0] } }: HttpRequest): PortalPageName {
  const name = PORTAL_PAGES.find((each) => each === page)
  if (!name) throw notFound('Not found', { redirectable: false })
  return name
}

const pathOf = (name: PortalPageName, notice?: NoticeCode): string =>
  `${PORTAL_PATH}/${name}${notice === undefined ? '' : `?notice=${notice}`}`

const noticeOf = (text: string | undefined): NoticeCode | undefined => NOTICE_CODES.find((code) => code === text)

const confirmationOf = ({ session }: SignedIn, { vault }: Runtime): Buffer => vault.mac('portal-form', session.sid)

const isConfirmed = (sent: string | undefined, signedIn: SignedIn, runtime: Runtime): boolean =>
  equalsConstantTime(Buffer.from(sent ?? '', 'base64url'), confirmationOf(signedIn, runtime))
