// Which pages of other origins may read an answer (threat-model.md TK5).
// - `open`: any, without credentials; the caller proves itself in the request or not at all.
// - `client`: with cookies, so only an origin that the application named in the request allows, and that very origin is
//   echoed. A preflight names no application: there the origin must be some application's. Every other caller is refused
//   before anything is done, so no foreign page can make a browser try or set anything.
// - `registered`: without cookies, from an origin of some first-party application, which is echoed. Whether it is one of
//   the application that the token was issued to, the endpoint checks: only a verified token tells (oauth/bearer.ts).
// - `none`: none.
import { asDomainError, DomainError } from '../kernel/errors'
import { openCors, preflight } from './headers'
import { type HttpRequest, parametersOf } from './message'

export type CorsKind = 'open' | 'client' | 'registered' | 'none'

/** Whether pages of `origin` may call with cookies for that client; for any client where none is named. */
export type OriginRule = (origin: string, clientId?: string) => Promise<boolean>

/** `refusal`: the request goes no further. */
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
    if (origin !== undefined && (asking || named !== undefined) && (await allows(origin, named))) {
      return { headers: [...forOrigin(open, origin), WITH_COOKIES, VARY] }
    }
  } catch (error) {
    return { headers: [VARY], refusal: asDomainError(error) }
  }
  const refusal = new DomainError('access_denied', 'The origin is not allowed for this application')
  return { headers: [VARY], refusal }
}

async function decideForRegistered(
  { headers: { origin } }: HttpRequest,
  open: [string, string][],
  allows: OriginRule,
): Promise<CorsDecision> {
  try {
    if (origin === undefined || !(await allows(origin))) return { headers: [VARY] }
    return { headers: [...forOrigin(open, origin), VARY] }
  } catch (error) {
    return { headers: [VARY], refusal: asDomainError(error) }
  }
}

/** What an open answer says, for one origin alone. */
const forOrigin = (open: [string, string][], origin: string): [string, string][] => [
  ['access-control-allow-origin', origin],
  ...open.filter(([name]) => name !== 'access-control-allow-origin'),
]

const WITH_COOKIES: [string, string] = ['access-control-allow-credentials', 'true']
