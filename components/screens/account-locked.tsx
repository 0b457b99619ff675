import type { NoticeCode } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { AuthCard } from '../auth-card'
import { defineScreen, SAMPLE_FORM } from '../define-screen'
import { Notice } from '../notice'
import { SubmitButton } from '../submit-button'
import { TextLink } from '../text-link'
import { TransactionForm } from '../transaction-form'

/** Says why no password is checked for a while. The same for every name, so it reveals no account. Posts: state, action=mail-unblock. */
type AccountLockedView = {
  action: string
  state: string
  /** The tenant's logins ask for the identifier first. */
  identifierFirst?: true
  /** What was typed. */
  identifier: string
  notice?: NoticeCode
  /** The owner is sent a link that ends the block. */
  mails: boolean
  loginUrl: string
  resetUrl?: string
}

type Action = 'mail-unblock'

const MAIL: Action = 'mail-unblock'

function AccountLockedScreen({ view, t }: { view: AccountLockedView; t: Translate }) {
  return (
    <AuthCard title={t('locked.title')} lead={t(view.mails ? 'notice.too_many_attempts' : 'locked.lead')}>
      <Notice notice={view.notice} t={t} />
      <p className="recipient">
        <bdi>{view.identifier}</bdi>
      </p>
      <p>{t('locked.why')}</p>
      <ul className="steps">
        {view.mails && <li>{t('locked.mail')}</li>}
        {view.resetUrl && <li>{t('locked.reset')}</li>}
        <li>{t('locked.wait')}</li>
      </ul>
      <div className="form-actions">
        {view.mails && (
          <TransactionForm action={view.action} fields={{ state: view.state }}>
            <SubmitButton value={MAIL}>{t('locked.send')}</SubmitButton>
          </TransactionForm>
        )}
        <TextLink href={view.resetUrl} look="secondary">
          {t('login.forgot')}
        </TextLink>
        <TextLink href={view.loginUrl} look="secondary">
          {t('locked.back')}
        </TextLink>
      </div>
    </AuthCard>
  )
}

const SAMPLE: AccountLockedView = {
  ...SAMPLE_FORM,
  identifier: 'ada@example.com',
  mails: true,
  loginUrl: '/u/login?state=the-state',
  resetUrl: '/u/forgot-password?state=the-state',
}

export const screen = defineScreen<AccountLockedView>({
  title: (_view, t) => t('locked.title'),
  component: AccountLockedScreen,
  door: 'shut',
  samples: [SAMPLE, { ...SAMPLE, notice: 'unblock_sent' }, { ...SAMPLE, mails: false }],
})
