// The mail to the owner when a second factor or passkey changes, or a recovery code is used (threat-model.md MF10). It goes to the
// verified address alone: another one may be a stranger's.
import type { Trail } from '../audit/trail'
import type { MailBrand } from '../outbox/message'
import type { OutboxRow } from '../outbox/outbox'
import type { User } from '../users/user'
import { type AccountMailer, type FactorChange, mailableAddress } from './account-mail'

export type FactorMailDeps = { mailer: Pick<AccountMailer, 'compose' | 'wake'>; trail: Pick<Trail, 'source'> }

/** What is known of the login in which the factor changes. */
type FactorMailContext = { locale?: string | undefined; brand?: MailBrand | undefined }

/** To be written in the transaction of the change; null without a verified address. */
export const composeFactorMail = (
  user: User,
  change: FactorChange,
  { mailer, trail: { source } }: FactorMailDeps,
  { locale, brand }: FactorMailContext = {},
): Promise<OutboxRow | null> =>
  compose(user, change, mailer, {
    by: 'owner',
    ip: source?.ip ?? '',
    userAgent: source?.userAgent ?? null,
    locale,
    acceptLanguage: source?.language,
    brand,
  })

/** The owner learns that an administrator changed it, and nothing about the administrator. */
export const composeFactorMailOfAdministrator = (
  user: User,
  change: FactorChange,
  { mailer }: Pick<FactorMailDeps, 'mailer'>,
): Promise<OutboxRow | null> =>
  compose(user, change, mailer, { by: 'administrator', ip: '', userAgent: null, locale: undefined })

type Cause = {
  by: 'owner' | 'administrator'
  ip: string
  userAgent: string | null
  locale: string | undefined
  acceptLanguage?: string | undefined
  brand?: MailBrand | undefined
}

async function compose(user: User, change: FactorChange, mailer: FactorMailDeps['mailer'], cause: Cause) {
  const to = user.emailVerified ? mailableAddress(user) : null
  if (to === null || change.factors.length === 0) return null
  const about = { to, user, clientId: null, connectionId: '', page: '/account/activity' }
  return mailer.compose({ kind: 'factor_changed', change, ...about, ...cause })
}
