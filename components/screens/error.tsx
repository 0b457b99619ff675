import type { ErrorPageCode, MailedLink, UpstreamCause } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen, type ScreenProps } from '../define-screen'
import { TextLink } from '../text-link'

type ErrorView = {
  status: number
  code: ErrorPageCode
  /** The link that no longer works. */
  link?: MailedLink
  /** Why the answer of an identity provider is refused. */
  cause?: UpstreamCause
  /** Details for the developer, shown as a list: parameter name → value. */
  detail?: Record<string, string>
  requestId?: string
  /** The link to continue; without it the page explains what to do. `label` defaults to the catalogue's text. */
  back?: { href: string; label?: string }
  /** The page with the result of the test of which the login was, in place of other ways on. */
  testUrl?: string
  /** The address that restarts the same sign-in; shown before `back`. */
  restartUrl?: string
}

/** States what happened and how to continue, for the user; parameter names and values, for the developer of the app. */
function ErrorScreen({ view, t }: ScreenProps<ErrorView>) {
  const { back, restartUrl, testUrl, code, cause } = view
  const { supportUrl } = view.branding
  return (
    <AuthCard title={t(`error.${code}.title`)} lead={t(cause ? `error.cause.${cause}` : `error.${code}.body`)}>
      {cause && <p>{t('error.cause.next')}</p>}
      {testUrl && (
        <TextLink href={testUrl} look="primary">
          {t('shared_test.result')}
        </TextLink>
      )}
      {restartUrl && (
        <TextLink href={restartUrl} look="secondary">
          {t('common.restart')}
        </TextLink>
      )}
      {back && (
        <TextLink href={back.href} look="secondary">
          {back.label ?? t('common.back')}
        </TextLink>
      )}
      {supportUrl && (
        <p>
          <TextLink href={supportUrl}>{t('common.help')}</TextLink>
        </p>
      )}
      <Facts view={view} t={t} />
    </AuthCard>
  )
}

function Facts({ view: { detail = {}, requestId }, t }: { view: ErrorView; t: Translate }) {
  const facts = Object.entries(detail)
  if (requestId) facts.push([t('common.reference'), requestId])
  if (facts.length === 0) return null
  return (
    <div className="facts">
      <h2 className="facts-heading">{t('common.details')}</h2>
      <dl className="facts-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

export const screen = defineScreen<ErrorView>({
  title: ({ code }, t) => t(`error.${code}.title`),
  component: ErrorScreen,
  door: 'shut',
  samples: [
    { status: 400, code: 'invalid_request', requestId: 'r1' },
    { status: 400, code: 'upstream_unfit', cause: 'upstream_audience', requestId: 'r1' },
    { status: 400, code: 'upstream_unfit', testUrl: '/shared-login/the-secret' },
  ],
})
