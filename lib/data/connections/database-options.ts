// The options of a database connection, under the vendor's names where it has one.
import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { passwordOptions } from '../users/password-options'
import { signUpField } from '../users/sign-up-fields'
import { commonOptions } from './common-options'
import { customDatabaseOptions } from './custom-database'
import { passkeyOptions } from './passkey-options'

const usernameLength = z
  .object({ min: z.number().int().min(1).max(128).default(1), max: z.number().int().min(1).max(128).default(15) })
  .prefault({})

export const databaseOptions = z.object({
  ...commonOptions,
  /** No page and no endpoint mails a link to set a password; the tickets of managers remain. */
  disable_self_service_change_password: z.boolean().default(false),
  requires_username: z.boolean().default(false),
  /** Ours: no login before the address is verified. */
  require_verified_email: z.boolean().default(false),
  /** Ours: sign-up gives the same response for a taken address, and no login is possible before the address is verified. */
  hide_existing_accounts: z.boolean().default(false),
  /** How a person proves an address. `otp`: the mail for a new password has a code beside the link, for the page that asked. */
  attributes: z
    .object({ email: z.object({ verification_method: z.enum(['link', 'otp']).nullish() }).nullish() })
    .nullish(),
  validation: z.object({ username: usernameLength }).prefault({}),
  /** Ours: further fields of the sign-up page; the values become `user_metadata`. */
  signup_fields: z.array(signUpField).max(10).default([]),
  /** Ours: links on the sign-up page. */
  signup_terms: z.object({ terms_url: webUrl.optional(), privacy_url: webUrl.optional() }).prefault({}),
  ...customDatabaseOptions,
  ...passwordOptions,
  ...passkeyOptions,
})

/** The vendor's strategy name of database connections; also the provider part of their subjects. */
export const DATABASE = 'auth0'
