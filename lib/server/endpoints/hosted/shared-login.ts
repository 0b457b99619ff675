// GET /shared-login/{secret}: the copy of one login behind a link that an administrator made (docs/adr/0071). It needs no session. Links that are
// unknown, expired or withdrawn get one answer.
import { openShare } from '../../../data/logins/login-share'
import type { SharedLogin, SharedStep } from '../../../data/logins/shared-login'
import { defineEndpoint } from '../../../http/endpoint'
import type { HttpResponse } from '../../../http/message'
import { invalidRequest } from '../../../kernel/errors'
import { hintOf } from '../../../kernel/reasons'
import { respondWithPage } from '../../../pages/respond'
import type { ViewOf } from '../../../pages/screens'
import type { Runtime } from '../../runtime/runtime'

export const sharedLogin = defineEndpoint<Runtime>({
  name: 'shared_login',
  limit: 'pages',
  shed: 'first',
  refused: null,
  cors: 'none',
  errors: 'page',
  methods: {
    async GET(request, runtime) {
      const share = await openShare(request.params.secret ?? '', runtime)
      if (!share) throw shareOver()
      return withoutReferrer(await respondWithPage(viewOf(share.login, share.expiresAt), request, runtime))
    },
  },
})

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

function viewOf(login: SharedLogin, until: Date): ViewOf<'shared-login'> {
  const { id, outcome, startedAt, application, connection, person, steps } = login
  return {
    screen: 'shared-login',
    until: until.toISOString(),
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
