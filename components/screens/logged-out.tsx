import type { Translate } from '../../lib/pages/texts/messages'
import type { LoggedOutView } from '../../lib/pages/view'
import { AuthCard } from '../auth-card'
import { safeResource } from '../safe-url'
import { TextLink } from '../text-link'

export function LoggedOutScreen({ view, t }: { view: LoggedOutView; t: Translate }) {
  return (
    <AuthCard title={t('logged_out.title')} lead={t('logged_out.body')}>
      <TextLink href={view.returnUrl} look="secondary">
        {t('logged_out.return')}
      </TextLink>
      {view.frames?.map((address) => (
        <iframe key={address} src={safeResource(address)} title={t('logged_out.title')} hidden />
      ))}
    </AuthCard>
  )
}
