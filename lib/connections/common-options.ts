// Options with one meaning at connections of several strategies, under the vendor's names.
import * as z from 'zod'

export const commonOptions = {
  brute_force_protection: z.boolean().default(true),
  disable_signup: z.boolean().default(false),
}
