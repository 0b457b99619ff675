// What the forms of the provider of mail derive from: the credentials of each kind.
import type * as z from 'zod'
import { MAIL_KINDS, MAIL_PROVIDERS, type MailProviderName } from '../../../data/outbox/mail-providers'
import { newEmailProvider } from '../../../management/resources/email-provider'

export { MAIL_PROVIDERS, type MailProviderName }

/** The body that sets a provider of this kind. */
export const schemaOf = (kind: MailProviderName): z.ZodObject =>
  newEmailProvider.extend({ credentials: MAIL_KINDS[kind].credentials })
