import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen } from '../define-screen'
import { safeResource } from '../safe-url'
import { TextLink } from '../text-link'

type LoggedOutView = {
  /** A proven return URL, where there is one. */
  returnUrl?: string
  /** Front-channel logout addresses of the applications in the session. */
  frames?: string[]
}

function LoggedOutScreen({ view, t }: { view: LoggedOutView; t: Translate }) {
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

export const screen = defineScreen<LoggedOutView>({
  title: (_view, t) => t('logged_out.title'),
  component: LoggedOutScreen,
  door: 'shut',
  frames: ({ frames = [] }) => frames,
  samples: [{}, { returnUrl: 'myapp://home' }],
})
