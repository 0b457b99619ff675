// What is recorded and logged about a request, and the page of an error.
import { createOncePerMinute } from '../../../data/audit/once-per-minute'
import { refusalFields } from '../../../data/audit/trail'
import { sharePath } from '../../../data/login-tests/login-share'
import { testInCookie } from '../../../data/login-tests/login-test'
import { readCookies } from '../../../http/cookies'
import type { HttpRequest } from '../../../http/message'
import { hintOf } from '../../../kernel/reasons'
import { providerFailureStep } from '../../../login/inspected-steps'
import { errorPage } from '../../../pages/error-page'
import type { RenderDeps } from '../../../pages/respond'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

/** What each record of the audit log of this tenant has. */
export const openRecording = ({
  tenant,
  site: { baseUrl },
  shared: { audit, loginLog, clock, random, log },
}: Opening) => ({
  tenantId: tenant.id,
  hostname: new URL(baseUrl).host,
  audit,
  clock,
  random,
  logins: { log: loginLog, policy: tenant.settings.tenant.login_inspector },
  oncePerMinute: createOncePerMinute(clock),
  note: (fields: Record<string, unknown>, says: string) => log.info(fields, says),
})

export function openReports(pages: RenderDeps, { tenant, shared }: Opening) {
  const { log } = shared
  const { compat } = tenant.settings.tenant
  /** Of preflights, which no limit counts. */
  const oncePerMinute = createOncePerMinute(shared.clock)
  return {
    noteUpstream(this: Runtime, connection, error) {
      const { failure, reason, message } = error
      this.trail.step(providerFailureStep(connection, error))
      this.trail.record('login_refused', { connection, reason, sentence: message })
      const fields = { connection: connection.name, failure, reason, hint: hintOf(reason), detail: message }
      log.warn(fields, 'A login at an identity provider failed.')
    },
    noteMissed({ name }, reason) {
      log.warn({ connection: name, reason }, 'An identity provider signed a user in, but did not say everything.')
    },
    afterwards(work) {
      work.catch((error: unknown) => log.error({ err: error }, 'A background task failed.'))
    },
    errorPage(this: Runtime, error, request) {
      const explains = this.demo || this.devOutbox
      return errorPage(error, request, { compat: compat.errors, explains, testUrl: testUrlOf(request, this) }, pages)
    },
    storeLogins: () => shared.loginLog.flush(),
    report(this: Runtime, error, request, endpoint) {
      this.trail.refused(error, endpoint)
      shared.metrics?.refused(endpoint.name, error.code)
      const about = refusalFields(error.reason, { ...this.trail.known, parameter: error.parameter }, sourceOf(request))
      const fields = { ...about, endpoint: endpoint.name, code: error.code, detail: error.detail }
      if (error.code === 'server_error') log.error({ ...fields, err: error.cause }, 'A request failed.')
      else log.info(fields, error.description)
      if (error.code === 'temporarily_unavailable')
        shared.outages.report(error, { request: request.id, endpoint: endpoint.name })
    },
    reportPreflight(error, request, { name: endpoint }) {
      if (error.code !== 'access_denied' || !oncePerMinute(`${endpoint} ${request.ip}`)) return
      const fields = { ...refusalFields(error.reason, {}, sourceOf(request)), endpoint, code: error.code }
      log.info({ ...fields, detail: error.detail }, 'The browser was refused a request from a page of another origin.')
    },
  } satisfies Partial<Runtime>
}

/** Where the login is of a test that this browser began by a link, the page of that link. */
function testUrlOf(request: HttpRequest, runtime: Runtime): string | undefined {
  if (!runtime.trail.known.tested) return undefined
  const started = testInCookie(readCookies(request, runtime).test, runtime)
  return started?.link && started.login === runtime.trail.known.login
    ? runtime.baseUrl + sharePath(started.link)
    : undefined
}

export const sourceOf = ({ id, ip, headers }: HttpRequest) => ({
  requestId: id,
  ip,
  userAgent: headers['user-agent'],
  language: headers['accept-language'],
})
