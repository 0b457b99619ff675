// CORS: which pages of other origins may read a response (threat-model.md TK5).
// - `open`: any origin, without credentials. The request itself authenticates the caller, or the response is public.
// - `client`: with cookies, so only origins that the client of the request allows, and exactly that origin is echoed. A
//   preflight names no client, so there the origin of any client will do. Other requests are refused before they have an
//   effect, so no foreign page can make a browser guess or change anything.
// - `registered`: without cookies, for an origin of any first-party client, which is echoed. The endpoint checks that the
//   origin belongs to the client of the token, because that needs a verified token (oauth/bearer.ts).
// - `none`: no CORS headers.
import { asDomainError, DomainError, type Explained } from '../kernel/errors'
import { openCors, preflight } from './headers'
import { type HttpRequest, parametersOf } from './message'

export type CorsKind = 'open' | 'client' | 'registered' | 'none'

/** Whether pages of `origin` may call with cookies for this client, or for any client if none is given; or what the log says of a refusal. */
export type OriginRule = (origin: string, clientId?: string) => Promise<boolean | Explained>

/** With `refusal` the request is answered by that error and not handled. */
export type CorsDecision = { headers: [string, string][]; refusal?: DomainError }

const VARY: [string, string] = ['vary', 'Origin']

export function decideCors(
  kind: CorsKind,
  request: HttpRequest,
  methods: string[],
  allows: OriginRule,
): CorsDecision | Promise<CorsDecision> {
  const asking = request.method === 'OPTIONS'
  if (kind === 'none') return { headers: [] }
  if (kind === 'open') return { headers: asking ? preflight(methods) : openCors }
  if (kind === 'registered') return decideForRegistered(request, asking ? preflight(methods) : openCors, allows)
  return decideForClient(request, asking ? preflight(methods) : openCors, asking, allows)
}

async function decideForClient(
  request: HttpRequest,
  open: [string, string][],
  asking: boolean,
  allows: OriginRule,
): Promise<CorsDecision> {
  const { origin } = request.headers
  try {
    const named = asking ? undefined : parametersOf(request).client_id
    if (origin === undefined || (!asking && named === undefined)) return { headers: [VARY], refusal: refused(origin) }
    const verdict = await allows(origin, named)
    return verdict === true
      ? { headers: [...forOrigin(open, origin), WITH_COOKIES, VARY] }
      : { headers: [VARY], refusal: refused(origin, verdict || undefined) }
  } catch (error) {
    return { headers: [VARY], refusal: asDomainError(error) }
  }
}

const refused = (origin: string | undefined, why: Explained = { reason: 'origin_not_allowed' }): DomainError =>
  new DomainError('access_denied', 'The origin is not allowed for this application', {
    ...(origin === undefined ? {} : { detail: `the origin ${printable(origin)} is not allowed for this application` }),
    ...why,
  })

async function decideForRegistered(
  { headers: { origin } }: HttpRequest,
  open: [string, string][],
  allows: OriginRule,
): Promise<CorsDecision> {
  try {
    if (origin === undefined || (await allows(origin)) !== true) return { headers: [VARY] }
    return { headers: [...forOrigin(open, origin), VARY] }
  } catch (error) {
    return { headers: [VARY], refusal: asDomainError(error) }
  }
}

const printable = (value: string): string => value.replace(/[^!-~]/g, '?').slice(0, 100)

/** The headers of an open response, limited to one origin. */
const forOrigin = (open: [string, string][], origin: string): [string, string][] => [
  ['access-control-allow-origin', origin],
  ...open.filter(([name]) => name !== 'access-control-allow-origin'),
]

const WITH_COOKIES: [string, string] = ['access-control-allow-credentials', 'true']
