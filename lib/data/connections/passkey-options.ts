// The passkey options of a database connection, under the vendor's names where it has one.
import * as z from 'zod'

export const passkeyOptions = {
  authentication_methods: z
    .object({
      /** A person who lost every passkey needs a password or a reset of it, so it cannot be disabled. */
      password: z.object({ enabled: z.literal(true, 'passwords cannot be disabled').default(true) }).prefault({}),
      passkey: z.object({ enabled: z.boolean().default(false) }).prefault({}),
    })
    .prefault({}),
  passkey_options: z
    .object({
      /** How the login page offers passkeys: among the suggestions of the first field, by a button, or both. */
      challenge_ui: z.enum(['both', 'autofill', 'button']).default('both'),
      /** Offers to create a passkey after a login with a password. */
      progressive_enrollment_enabled: z.boolean().default(true),
      /** Offers to create one on this device after a login with a passkey of another. */
      local_enrollment_enabled: z.boolean().default(true),
      /** Ours: whether a passkey needs user verification. Without it a passkey is one factor, which may be a whole login. */
      user_verification: z.enum(['preferred', 'required']).default('preferred'),
      /** Ours: a passkey with user verification counts as two factors. */
      counts_as_mfa: z.boolean().default(true),
      /** Ours: the models of authenticators whose passkeys may be added; absent: all. */
      allowed_aaguids: z.array(z.guid().toLowerCase()).max(200).optional(),
    })
    .prefault({}),
}
