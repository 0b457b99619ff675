// The public keys of second factors (WebAuthn): the model and the port. A key belongs to one authenticator, whose id it has, and ends
// with it. It signs in to nothing: lib/data/users/passkey.ts does not find it.
import type { UnownedPasskey, Use, Used } from '../../data/users/passkey'

export type FactorKey = UnownedPasskey

export type FactorKeyPort = {
  /** The keys of all of the user's authenticators, waiting ones too, oldest first. */
  list(userId: string): Promise<FactorKey[]>
  /**
   * Gives the key and its name to a waiting authenticator of the user. False if there is none, it has a key, or the credential is
   * known already.
   */
  insert(userId: string, key: FactorKey): Promise<boolean>
  use(id: string, use: Use): Promise<Used>
}
