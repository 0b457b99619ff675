// The attributes of a person in another system's token, as an action names them at a custom token exchange.
import * as z from 'zod'

/** Strict: an attribute that has no effect here must not look as if it had one. */
export const exchangedAttributes = z.strictObject({
  user_id: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: z.boolean().optional(),
  username: z.string().max(128).optional(),
  phone_number: z.string().max(30).optional(),
  phone_verified: z.boolean().optional(),
  name: z.string().max(300).optional(),
  given_name: z.string().max(150).optional(),
  family_name: z.string().max(150).optional(),
  nickname: z.string().max(300).optional(),
  picture: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  verify_email: z.boolean().optional(),
})

export type ExchangedAttributes = z.output<typeof exchangedAttributes>
