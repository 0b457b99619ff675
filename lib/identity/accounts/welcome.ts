// The mail that welcomes a person, as the vendor sends it: once the address of the account is first verified, or at once where a sign-up is
// mailed nothing to verify. It exists only where the tenant has a template for it.
import type { DatabaseConnection } from '../../data/connections/connection'
import type { OutboxRow } from '../../data/outbox/outbox'
import type { AccountMailer, MailAbout } from './account-mail'

type WelcomeDeps = { mailer: Pick<AccountMailer, 'welcomes' | 'verifiesSignUps' | 'compose'> }

/** Where an account is of no use before its address is verified, its sign-up is always mailed the link. */
export const verifiesSignUps = ({ settings }: DatabaseConnection, { mailer }: WelcomeDeps): boolean =>
  mailer.verifiesSignUps || settings.options.require_verified_email || settings.options.hide_existing_accounts

export const welcomeMail = async (about: MailAbout, { mailer }: WelcomeDeps): Promise<OutboxRow | null> =>
  mailer.welcomes ? mailer.compose({ ...about, kind: 'welcome' }) : null
