import type { ProviderView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { Picture } from './picture'
import type { LoginAction, LoginView } from './screens/login'
import { TransactionForm } from './transaction-form'

const FEDERATED: LoginAction = 'federated'

type Props = {
  view: Pick<LoginView, 'action' | 'state' | 'asks' | 'providers'>
  /** Whether they come before the other ways to sign in. */
  first?: boolean
  t: Translate
}

/** One native form for each provider. The tenant chooses the picture; without one the first letter of the name is shown. */
export function ProviderButtons({ view, first = false, t }: Props) {
  if (!view.providers) return null
  const divider = view.asks !== 'nothing' && <p className="divider">{t('login.or')}</p>
  return (
    <div className="providers">
      {!first && divider}
      {view.providers.map((provider) => (
        <TransactionForm
          key={provider.connection}
          action={view.action}
          fields={{ state: view.state, connection: provider.connection }}
        >
          <button type="submit" name="action" value={FEDERATED} className="button button-secondary button-provider">
            <ProviderMark provider={provider} />
            {t('login.with', { provider: provider.name })}
            {provider.lastUsed && <LastUsed t={t} />}
          </button>
        </TransactionForm>
      ))}
      {first && divider}
    </div>
  )
}

export const LastUsed = ({ t }: { t: Translate }) => <span className="last-used">{t('login.last_used')}</span>

const ProviderMark = ({ provider: { iconUrl, initial } }: { provider: ProviderView }) =>
  iconUrl ? (
    <Picture className="provider-mark" src={iconUrl} width={20} height={20} />
  ) : (
    <span className="provider-mark provider-initial" aria-hidden="true">
      {initial}
    </span>
  )
