// The passkey options of a database connection, under the vendor's names where it has one.
import * as z from 'zod'

export const passkeyOptions = {
  authentication_methods: z
    .object({
      /** A person who lost every passkey needs a password or a reset of it, so it cannot be disabled. */
      password: z.object({ enabled: z.literal(true, 'passwords cannot be disabled').default(true) }).prefault({}),
      passkey: z
        .object({ enabled: z.boolean().default(false).meta({ title: 'Passkeys', group: 'passkeys', order: 161 }) })
        .prefault({}),
    })
    .prefault({}),
  passkey_options: z
    .object({
      /** How the login page offers passkeys: among the suggestions of the first field, by a button, or both. */
      challenge_ui: z
        .enum(['both', 'autofill', 'button'])
        .default('both')
        .meta({
          title: 'How passkeys are offered',
          options: {
            both: 'Among the suggestions of the first field, and by a button',
            autofill: 'Among the suggestions',
            button: 'By a button',
          },
          group: 'passkeys',
          order: 162,
        }),
      /** Offers to create a passkey after a login with a password. */
      progressive_enrollment_enabled: z
        .boolean()
        .default(true)
        .meta({ title: 'Offer one after a login with a password', group: 'passkeys', order: 163 }),
      /** Offers to create one on this device after a login with a passkey of another. */
      local_enrollment_enabled: z.boolean().default(true).meta({
        title: 'Offer one for this device',
        help: 'After a login with a passkey of another device.',
        group: 'passkeys',
        order: 164,
      }),
      /** Ours: whether a passkey needs user verification. Without it a passkey is one factor, which may be a whole login. */
      user_verification: z
        .enum(['preferred', 'required'])
        .default('preferred')
        .meta({
          title: 'Proof that it is the person',
          help: 'By a fingerprint, a face or a PIN.',
          options: { preferred: 'Where the device can', required: 'Required' },
          group: 'passkeys',
          order: 165,
        }),
      /** Ours: a passkey with user verification counts as two factors. */
      counts_as_mfa: z
        .boolean()
        .default(true)
        .meta({ title: 'Counts as two factors', help: 'With that proof.', group: 'passkeys', order: 166 }),
      /** Ours: the models of authenticators whose passkeys may be added; absent: all. */
      allowed_aaguids: z.array(z.guid().toLowerCase()).max(200).optional().meta({
        title: 'Allowed models of authenticators',
        help: 'Their AAGUIDs. Empty: all.',
        group: 'passkeys',
        order: 167,
      }),
    })
    .prefault({}),
}
