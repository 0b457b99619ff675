// GET and POST /authorize (the contract's "Authorize"; OIDC Core 3.1.2): prove the target, read the request, begin the login.
import type { Client } from '../clients/client'
import { throughGet } from '../http/cross-site'
import { defineEndpoint } from '../http/endpoint'
import { type HttpRequest, type HttpResponse, parametersOf } from '../http/message'
import { accessDenied, DomainError, invalidRequest } from '../kernel/errors'
import { startLogin } from '../login/start'
import { readIdTokenHint } from '../protocols/oidc/id-token-hint'
import { parseRequest, parseTarget } from '../protocols/oidc/request'
import { refuse } from '../protocols/oidc/response'
import type { Runtime } from '../runtime/runtime'

/** What a GET could bring at most: the request is stored with the login, by anybody who asks. */
const MAX_REQUEST = 16 * 1024

export const authorize = defineEndpoint<Runtime>({
  name: 'authorize',
  cors: 'none',
  errors: 'page',
  maxBody: MAX_REQUEST,
  methods: { GET: handle, POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = parametersOf(request)
  const anew = throughGet(request, parameters, `${runtime.baseUrl}/authorize`)
  if (anew) return anew
  const found = parameters.client_id === undefined ? null : await runtime.clients.find(parameters.client_id)
  const target = parseTarget(parameters, found)
  try {
    const [api, subject] = await Promise.all([
      findApi(parameters.audience, runtime),
      hintedSubject(parameters.id_token_hint, target.client, runtime),
    ])
    const parsed = parseRequest(parameters, target, api, subject)
    return await startLogin({ protocol: 'oidc', request: parsed.request }, parsed.wants, request, runtime)
  } catch (error) {
    if (!(error instanceof DomainError) || !error.redirectable) throw error
    runtime.report(error, request, 'authorize')
    return refuse(target.returnTo, error, runtime)
  }
}

async function findApi(asked: string | undefined, runtime: Runtime) {
  const audience = asked ?? runtime.settings.tenant.default_audience
  if (audience === undefined || audience === '') return null
  const api = await runtime.apis.find(audience)
  if (!api) throw accessDenied(`Service not found: ${audience}`)
  return api
}

/** The user of an ID token of ours for this client, expired or not; a hint that proves nothing is refused rather than ignored. */
async function hintedSubject(hint: string | undefined, { clientId }: Client, runtime: Runtime): Promise<string | null> {
  if (hint === undefined) return null
  const known = await readIdTokenHint(hint, runtime)
  if (known?.aud !== clientId) throw invalidRequest('Invalid parameter: id_token_hint')
  return known.sub
}
