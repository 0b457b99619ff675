// The password options of a database connection, under the vendor's names. An absent option has our default, not the vendor's;
// password-policy.ts defines it.
import * as z from 'zod'

export const PASSWORD_LEVELS = ['none', 'low', 'fair', 'good', 'excellent'] as const
export type PasswordLevel = (typeof PASSWORD_LEVELS)[number]

/** The vendor's maximum. */
const MAX_HISTORY = 24

/** The characters of a password, where no strength is chosen. */
export const SHORTEST = 8

export const passwordOptions = {
  passwordPolicy: z
    .enum(PASSWORD_LEVELS)
    .optional()
    .meta({
      title: 'Strength',
      help: 'At good and excellent, passwords need several kinds of characters.',
      unset: `at least ${SHORTEST} characters, no common password, nothing personal, unless the settings below say otherwise`,
      options: { none: 'None', low: 'Low', fair: 'Fair', good: 'Good', excellent: 'Excellent' },
      group: 'passwords',
      order: 141,
    }),
  password_complexity_options: z
    .object({
      min_length: z
        .number()
        .int()
        .min(1)
        .max(128)
        .optional()
        .meta({ title: 'Shortest password', unset: 'what the strength asks for', group: 'passwords', order: 142 }),
    })
    .optional(),
  password_history: z
    .object({
      enable: z.boolean().default(false).meta({
        title: 'No password again',
        help: 'One that was used before is refused.',
        group: 'passwords',
        order: 143,
      }),
      size: z
        .number()
        .int()
        .min(1)
        .max(MAX_HISTORY)
        .default(5)
        .meta({ title: 'How many are remembered', group: 'passwords', order: 144 }),
    })
    .optional(),
  password_dictionary: z
    .object({
      enable: z
        .boolean()
        .default(false)
        .meta({ title: 'Own list of refused passwords', group: 'passwords', order: 145 }),
      /** Refused in addition to the common passwords. */
      dictionary: z.array(z.string().max(50)).max(2000).default([]).meta({
        title: 'Refused passwords',
        help: 'In addition to the common ones, which are always refused.',
        group: 'passwords',
        order: 146,
      }),
    })
    .optional(),
  password_no_personal_info: z
    .object({
      enable: z.boolean().default(false).meta({
        title: 'No personal information',
        help: 'A password must not contain the name or the address.',
        group: 'passwords',
        order: 147,
      }),
    })
    .optional(),
}

const passwordOptionsSchema = z.object(passwordOptions)

export type PasswordOptions = z.output<typeof passwordOptionsSchema>
