// Signing keys without a database, for pure tests. Generating a key is slow, so a test file generates its keys once.

import type { SigningKeyRecord } from '../crypto/keys/key'
import { ensureKeys, type Keyring, openKeyring, type SigningKeyPort } from '../crypto/keys/keyring'
import { type FixedClock, fixedClock } from '../kernel/clock'
import { type Random, systemRandom } from '../kernel/random'
import { createVault, type Vault } from '../kernel/secret'
import { TEST_SECRET } from './database'

export type KeyShelf = {
  port: SigningKeyPort
  clock: FixedClock
  deps: { clock: FixedClock; random: Random; vault: Vault; host: string }
  records(): SigningKeyRecord[]
  keyring(): Promise<Keyring>
}

/** A current and a next key in memory, with the transitions of the store. */
export async function keyShelf(): Promise<KeyShelf> {
  let stored: SigningKeyRecord[] = []
  const clock = fixedClock()
  const vault = createVault(TEST_SECRET)
  const port: SigningKeyPort = {
    list: async () => stored,
    change: async (decide) => {
      for (const change of decide(stored)) {
        stored =
          'add' in change
            ? [...stored, change.add]
            : stored.map((key) => (key.kid === change.kid ? { ...key, ...change.set } : key))
      }
    },
  }
  const deps = { clock, random: systemRandom, vault, host: 'id.test' }
  await ensureKeys(port, deps)
  return {
    port,
    clock,
    deps,
    records: () => stored,
    keyring: () => openKeyring(stored, port, deps),
  }
}
