// The page of a link for a person without an account (lib/server/endpoints/hosted/shared-login.ts): what it shows, and the login that it starts.
// - Of a copy of one login (docs/adr/0071), the copy.
// - Of a test (docs/adr/0077), what is tested, a button that starts a login, and the copy of the login that this browser started.
import { newLoginId } from '../../data/audit/login-id'
import { type OpenedShare, openShare, type SharedTest, sharePath, takeTry } from '../../data/login-tests/login-share'
import { beginLinkedTest, testInCookie } from '../../data/login-tests/login-test'
import { type SharedLogin, type SharedStep, testedLoginOf } from '../../data/logins/shared-login'
import { readCookies } from '../../http/cookies'
import { type HttpRequest, type HttpResponse, redirect } from '../../http/message'
import { invalidRequest } from '../../kernel/errors'
import { hintOf } from '../../kernel/reasons'
import { respondWithPage } from '../../pages/respond'
import type { ViewOf } from '../../pages/screens'
import { setCookies } from '../login-http/respond'
import type { Runtime } from '../runtime/runtime'

export async function showShare(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { secret = '' } = request.params
  const tested = testedHere(secret, request, runtime)
  const share = await openShare(secret, runtime, tested === null)
  if (!share) throw shareOver()
  const view = share.kind === 'report' ? reportOf(share.login, share) : await testOf(share, secret, tested, runtime)
  return withoutReferrer(await respondWithPage(view, request, runtime))
}

export async function startSharedTest({ params }: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { secret = '' } = params
  const login = newLoginId(runtime.random)
  const test = await takeTry(secret, login, runtime)
  if (!test) throw shareOver()
  const { to, cookie } = beginLinkedTest(test.wish, login, secret, runtime)
  return setCookies(redirect(to, 303), [cookie], runtime)
}

/** The login that this browser began by this link; null without one. */
function testedHere(secret: string, request: HttpRequest, runtime: Runtime): string | null {
  const started = testInCookie(readCookies(request, runtime).test, runtime)
  return started?.link === secret ? started.login : null
}

const shareOver = (): Error =>
  invalidRequest('The link to a login is not valid any more', {
    reason: 'share_over',
    redirectable: false,
    page: { code: 'link_expired' },
  })

/** The secret is in the address, so that no link of the page says where it was. */
const withoutReferrer = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: [
    ...response.headers.filter(([name]) => name !== 'referrer-policy'),
    ['referrer-policy', 'no-referrer'],
    ['x-robots-tag', 'noindex'],
  ],
})

const OUTCOMES = ['failed', 'succeeded', 'waiting'] as const

const reportOf = (login: SharedLogin, { expiresAt }: Pick<OpenedShare, 'expiresAt'>): ViewOf<'shared-login'> => ({
  screen: 'shared-login',
  until: expiresAt.toISOString(),
  ...copyOf(login),
})

async function testOf(
  { test, expiresAt, triesLeft }: { test: SharedTest } & Pick<OpenedShare, 'expiresAt' | 'triesLeft'>,
  secret: string,
  tested: string | null,
  runtime: Runtime,
): Promise<ViewOf<'shared-test'>> {
  const { wish, application, connection, organization, maker } = test
  // The login of a moment ago may wait in memory.
  if (tested !== null) await runtime.storeLogins()
  const login = tested === null ? null : await runtime.loginRecords.find(tested)
  return {
    screen: 'shared-test',
    action: sharePath(secret),
    until: expiresAt.toISOString(),
    triesLeft,
    ...(application === null ? {} : { application }),
    ...(connection === null ? {} : { connection }),
    ...(organization === null ? {} : { organization }),
    ...(maker === null ? {} : { maker }),
    parameters: Object.entries(wish.parameters).filter(([name]) => !NAMED_APART.has(name)),
    ...(login === null ? {} : { login: copyOf(testedLoginOf(login)) }),
  }
}

/** The page says them in words. */
const NAMED_APART: ReadonlySet<string> = new Set(['connection', 'organization'])

function copyOf(login: SharedLogin): NonNullable<ViewOf<'shared-test'>['login']> {
  const { id, outcome, startedAt, application, connection, person, steps } = login
  return {
    id,
    outcome: OUTCOMES.find((each) => each === outcome) ?? 'waiting',
    startedAt,
    ...(application === null ? {} : { application }),
    ...(connection === null ? {} : { connection }),
    ...(person === null ? {} : { person }),
    ...wrongOf(login),
    steps: steps.map(({ kind, subject, outcome: result, says, lines, claims }) => ({
      ...{ kind, subject, outcome: result, lines, claims },
      ...(says === undefined ? {} : { says }),
    })),
  }
}

/** The first step that failed by the reason of the login. */
function wrongOf({ outcome, reason, steps }: SharedLogin): Pick<ViewOf<'shared-login'>, 'wrong'> {
  if (outcome !== 'failed' || reason === null) return {}
  const step = steps.find((each: SharedStep) => each.outcome === 'failed' && each.reason === reason)
  const hint = hintOf(reason as Parameters<typeof hintOf>[0])
  return {
    wrong: {
      reason,
      says: step?.says ?? reason,
      // The line that the sentence is about says the same.
      lines: step?.lines.filter(({ verdict, says }) => verdict === 'failed' && says && says !== step.says) ?? [],
      ...(hint === undefined ? {} : { hint }),
    },
  }
}
