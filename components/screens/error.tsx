import type { Translate } from '../../lib/pages/texts/messages'
import type { ErrorView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { TextLink } from '../text-link'

type Props = { view: ErrorView; helpUrl: string | undefined; t: Translate }

/** States what happened and how to continue, for the user; parameter names and values, for the developer of the app. */
export function ErrorScreen({ view, helpUrl, t }: Props) {
  const { back, restartUrl, code } = view
  return (
    <AuthCard title={t(`error.${code}.title`)} lead={t(`error.${code}.body`)}>
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
      {helpUrl && (
        <p>
          <TextLink href={helpUrl}>{t('common.help')}</TextLink>
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
