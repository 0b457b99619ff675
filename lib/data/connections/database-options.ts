// The options of a database connection, under the vendor's names where it has one.
import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { passwordOptions } from '../users/password-options'
import { signUpField } from '../users/sign-up-fields'
import { commonOptions } from './common-options'
import { customDatabaseOptions } from './custom-database'
import { passkeyOptions } from './passkey-options'

const usernameLength = z
  .object({
    min: z
      .number()
      .int()
      .min(1)
      .max(128)
      .default(1)
      .meta({ title: 'Shortest username', group: 'accounts', order: 103 }),
    max: z
      .number()
      .int()
      .min(1)
      .max(128)
      .default(15)
      .meta({ title: 'Longest username', group: 'accounts', order: 104 }),
  })
  .prefault({})

export const databaseOptions = z.object({
  ...commonOptions,
  /** No page and no endpoint mails a link to set a password; the tickets of managers remain. */
  disable_self_service_change_password: z.boolean().default(false).meta({
    title: 'No links for a new password',
    help: 'No page sends one. Links that administrators make remain.',
    group: 'accounts',
    order: 108,
  }),
  requires_username: z
    .boolean()
    .default(false)
    .meta({ title: 'A username is required', group: 'accounts', order: 102 }),
  /** Ours: no login before the address is verified. */
  require_verified_email: z.boolean().default(false).meta({
    title: 'Verified address',
    help: 'No login before the address is verified.',
    group: 'accounts',
    order: 105,
  }),
  /** Ours: sign-up gives the same response for a taken address, and no login is possible before the address is verified. */
  hide_existing_accounts: z.boolean().default(false).meta({
    title: 'Hide which addresses are taken',
    help: 'Signing up answers the same for a taken address, and no login is possible before the address is verified.',
    group: 'accounts',
    order: 106,
  }),
  /** How a person proves an address. `otp`: the mail for a new password has a code beside the link, for the page that asked. */
  attributes: z
    .object({
      email: z
        .object({
          verification_method: z
            .enum(['link', 'otp'])
            .nullish()
            .meta({
              title: 'How an address is verified',
              standard: 'link',
              options: { link: 'By a link', otp: 'By a link or a code' },
              group: 'accounts',
              order: 107,
            }),
        })
        .nullish(),
    })
    .nullish(),
  validation: z.object({ username: usernameLength }).prefault({}),
  /** Ours: further fields of the sign-up page; the values become `user_metadata`. */
  signup_fields: z.array(signUpField).max(10).default([]).meta({
    title: 'Further fields of the sign-up page',
    help: 'Their values are stored in the user metadata under the name.',
    group: 'signup',
    order: 121,
  }),
  /** Ours: links on the sign-up page. */
  signup_terms: z
    .object({
      terms_url: webUrl.optional().meta({
        title: 'Terms of use',
        help: 'Linked on the sign-up page.',
        format: 'address',
        group: 'signup',
        order: 122,
      }),
      privacy_url: webUrl.optional().meta({
        title: 'Privacy policy',
        help: 'Linked on the sign-up page.',
        format: 'address',
        group: 'signup',
        order: 123,
      }),
    })
    .prefault({}),
  ...customDatabaseOptions,
  ...passwordOptions,
  ...passkeyOptions,
})

/** The vendor's strategy name of database connections; also the provider part of their subjects. */
export const DATABASE = 'auth0'
