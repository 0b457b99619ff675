// The stored password of every account: argon2id with real parameters or, for the run without hash cost, a hash with the same
// format that servers under cheap-hash.cjs verify.
import { hash } from '@node-rs/argon2'
import { ARGON2, PASSWORD } from './definition.mjs'

const label = ({ memoryCost, timeCost, parallelism }) => `$m=${memoryCost},t=${timeCost},p=${parallelism}$`
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const storedPassword = async ({ cheap }) =>
  cheap ? (await hash(PASSWORD, CHEAP)).replace(label(CHEAP), label(ARGON2)) : hash(PASSWORD, ARGON2)
