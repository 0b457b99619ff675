// /doctor: the findings of `npm run doctor`, and how this request arrived through the proxy, which only a request can show. For
// operators: it needs LATCHKEY_OPERATOR_TOKEN, sent by a form and not stored; in demo mode it needs no token. Otherwise 404.

import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse } from '../../../http/message'
import { notFound } from '../../../kernel/errors'
import { digest, equalsConstantTime } from '../../../kernel/secret'
import { respondWithPage } from '../../../pages/respond'
import type { ViewOf } from '../../../pages/screens'
import { worst } from '../../doctor/finding'
import type { Runtime } from '../../runtime/runtime'

const PATH = '/doctor'

export const doctor = defineEndpoint<Runtime>({
  name: 'doctor',
  limit: { GET: 'pages', POST: 'activate' },
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  // It reports the name at which it was asked.
  anyHost: true,
  posts: 'own-pages',
  methods: {
    GET(request, runtime) {
      const { demo } = examinerOf(runtime)
      return demo ? examine(request, runtime) : show({ screen: 'doctor', action: PATH, phase: 'ask' }, request, runtime)
    },
    async POST(request, runtime) {
      const { tokenDigest, demo } = examinerOf(runtime)
      const { token = '' } = bodyParameters(request)
      if (demo || (tokenDigest && equalsConstantTime(digest(token), tokenDigest))) return examine(request, runtime)
      const view = { screen: 'doctor', action: PATH, phase: 'ask', notice: 'wrong_operator_token' } as const
      return { ...(await show(view, request, runtime)), status: 403 }
    },
  },
})

function examinerOf({ examiner, demo }: Runtime) {
  if (!examiner || !(demo || examiner.tokenDigest)) throw notFound('There is nothing here', { redirectable: false })
  return { ...examiner, demo }
}

async function examine(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { headers, ip } = request
  const findings = await examinerOf(runtime).examine({
    ip,
    forwardedFor: headers['x-forwarded-for'],
    forwarded: headers.forwarded,
    forwardedProto: headers['x-forwarded-proto'],
    host: headers.host,
  })
  return show({ screen: 'doctor', phase: 'found', health: worst(findings), findings }, request, runtime)
}

const show = (view: ViewOf<'doctor'>, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> =>
  respondWithPage(view, request, runtime)
