// An error page: what happened, the details for the developer, and how to continue.
import type { HttpRequest, HttpResponse } from '../http/message'
import { isRead, redirect, withHeaders } from '../http/message'
import { type Compat, retry, statusOf } from '../http/render-errors'
import type { DomainError } from '../kernel/errors'
import { REASONS, TROUBLESHOOTING_PATH } from '../kernel/reasons'
import { type RenderDeps, respondWithPage } from './respond'
import type { ViewOf } from './screens'
import {
  ERROR_CODES,
  type ErrorPageCode,
  MAILED_LINKS,
  type MailedLink,
  UPSTREAM_CAUSES,
  type UpstreamCause,
} from './view'

const BY_CODE: Partial<Record<DomainError['code'], ErrorPageCode>> = {
  access_denied: 'access_denied',
  method_not_allowed: 'method_not_allowed',
  not_found: 'not_found',
  server_error: 'server_error',
  temporarily_unavailable: 'busy',
  too_many_attempts: 'too_many_requests',
  too_many_requests: 'too_many_requests',
}

function linkOf({ page }: DomainError): { link?: MailedLink } {
  const link = MAILED_LINKS.find((each) => each === page?.link)
  return link === undefined ? {} : { link }
}

function causeOf({ page, reason }: DomainError): { cause?: UpstreamCause } {
  if (!page?.code.startsWith('upstream_')) return {}
  const cause = UPSTREAM_CAUSES.find((each) => each === reason)
  return cause === undefined ? {} : { cause }
}

/**
 * `explains`: the page shows what the log says, because it is in development and on this machine. `testUrl`: the page of the link by which this
 * browser tests the login.
 */
type Telling = { compat: Compat; explains: boolean; testUrl: string | undefined }

const explanationOf = ({ reason, detail, parameter }: DomainError): Record<string, string> => ({
  ...(detail === undefined ? {} : { detail }),
  code: reason,
  ...(parameter === undefined ? {} : { parameter }),
  hint: REASONS[reason],
  help: `${TROUBLESHOOTING_PATH}#${reason}`,
})

export async function errorPage(
  error: DomainError,
  request: HttpRequest,
  { compat, explains, testUrl }: Telling,
  deps: RenderDeps,
): Promise<HttpResponse> {
  const { elsewhere, restartUrl } = error.page ?? {}
  const back = deps.settings.tenant.default_redirection_uri
  if (elsewhere !== undefined && isRead(request)) return redirect(elsewhere)
  const status = statusOf(error, compat)
  const wayOn = () => {
    if (testUrl !== undefined) return { testUrl }
    return restartUrl !== undefined ? { restartUrl } : back === undefined ? {} : { back: { href: back } }
  }
  const view: ViewOf<'error'> = {
    screen: 'error',
    status,
    code: ERROR_CODES.find((code) => code === error.page?.code) ?? BY_CODE[error.code] ?? 'invalid_request',
    ...linkOf(error),
    ...causeOf(error),
    detail: {
      ...error.page?.values,
      ...(status < 500 ? { reason: error.description } : {}),
      ...(explains ? explanationOf(error) : {}),
    },
    requestId: request.id,
    ...wayOn(),
  }
  return withHeaders(await respondWithPage(view, request, deps, { status }), ...retry(error))
}
