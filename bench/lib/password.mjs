// The stored password of every account: argon2id at its real cost, or for the run without it, the same-looking hash
// that servers under cheap-hash.cjs verify (see there).
import { hash } from '@node-rs/argon2'
import { ARGON2, PASSWORD } from './definition.mjs'

const label = ({ memoryCost, timeCost, parallelism }) => `$m=${memoryCost},t=${timeCost},p=${parallelism}$`
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const storedPassword = async ({ cheap }) =>
  cheap ? (await hash(PASSWORD, CHEAP)).replace(label(CHEAP), label(ARGON2)) : hash(PASSWORD, ARGON2)
