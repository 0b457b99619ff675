// argon2id with OWASP's first recommendation (19 MiB, two passes, one lane), the only form in which passwords are stored.
// It runs on libuv's thread pool, never on the event loop. The native module takes the salt from the operating system's
// generator. Passwords are not truncated, neither at 72 bytes nor at NUL. Secrets are text: the module verifies no other bytes.

import { lazy } from '../../kernel/lazy'

/** A native module, loaded on first use. */
const load = lazy(() => import('@node-rs/argon2'))

export type Argon2Cost = { memoryCost: number; timeCost: number; parallelism: number }

const STORED_COST: Argon2Cost = { memoryCost: 19456, timeCost: 2, parallelism: 1 }

export type Argon2 = {
  hash(secret: string): Promise<string>
  verify(stored: string, secret: string): Promise<boolean>
  /** Does the work of one verification when there is no hash to verify against. */
  burn(): Promise<void>
  isCurrent(stored: string): Promise<boolean>
}

export function createArgon2(cost: Argon2Cost = STORED_COST): Argon2 {
  const decoyHash = unmatchable(cost)
  return {
    hash: async (secret) => (await load()).hash(secret, cost),
    verify: async (stored, secret) => (await load()).verify(stored, secret),
    async burn() {
      await (await load()).verify(decoyHash, '')
    },
    isCurrent: async (stored) =>
      stored.startsWith('$argon2id$v=19$') && sameCost((await load()).parseOptions(stored), cost),
  }
}

/** A well-formed hash whose salt and digest are all zero bits: no known password has it. */
const unmatchable = ({ memoryCost, timeCost, parallelism }: Argon2Cost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

const sameCost = (used: Argon2Cost, wanted: Argon2Cost): boolean =>
  used.memoryCost === wanted.memoryCost && used.timeCost === wanted.timeCost && used.parallelism === wanted.parallelism
