// The password options of a database connection, under the vendor's names. An absent option has our default, not the vendor's;
// password-policy.ts defines it.
import * as z from 'zod'

export const PASSWORD_LEVELS = ['none', 'low', 'fair', 'good', 'excellent'] as const
export type PasswordLevel = (typeof PASSWORD_LEVELS)[number]

/** The vendor's maximum. */
const MAX_HISTORY = 24

export const passwordOptions = {
  passwordPolicy: z.enum(PASSWORD_LEVELS).optional(),
  password_complexity_options: z.object({ min_length: z.number().int().min(1).max(128).optional() }).optional(),
  password_history: z
    .object({ enable: z.boolean().default(false), size: z.number().int().min(1).max(MAX_HISTORY).default(5) })
    .optional(),
  password_dictionary: z
    .object({
      enable: z.boolean().default(false),
      /** Refused in addition to the common passwords. */
      dictionary: z.array(z.string().max(50)).max(2000).default([]),
    })
    .optional(),
  password_no_personal_info: z.object({ enable: z.boolean().default(false) }).optional(),
}

const passwordOptionsSchema = z.object(passwordOptions)

export type PasswordOptions = z.output<typeof passwordOptionsSchema>
