// Options with one meaning at connections of several strategies, under the vendor's names.
import * as z from 'zod'
import { withoutEffect } from '../../kernel/schema'

export const commonOptions = {
  /** The tenant's protection holds for every connection, so one cannot be without it. */
  brute_force_protection: withoutEffect(z.boolean(), (value) => value === false).default(true),
  disable_signup: z.boolean().default(false).meta({
    title: 'No sign-ups',
    help: 'Only people who have an account already can sign in.',
    group: 'accounts',
    order: 101,
  }),
}
