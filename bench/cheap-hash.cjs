// Removes the cost of argon2id from a server that the benchmark started with `node --require` and this file. Both servers call
// the same copy of @node-rs/argon2. The wrapped functions compute with the smallest parameters of the algorithm, while the hash
// string still names the real ones. The server under test is therefore unmodified: it parses, compares, queues and decides as
// in production, and only the hash is missing from its CPU time.
const argon2 = require('@node-rs/argon2')

const { hash, hashSync, verify, verifySync } = argon2

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const COST = /\$m=\d+,t=\d+,p=\d+\$/

const costOf = ({ memoryCost = 19456, timeCost = 2, parallelism = 1 } = {}) =>
  `$m=${memoryCost},t=${timeCost},p=${parallelism}$`
const cheap = (encoded) => String(encoded).replace(COST, costOf(CHEAP))

argon2.hash = async (password, options, signal) =>
  (await hash(password, { ...options, ...CHEAP }, signal)).replace(COST, costOf(options))
argon2.hashSync = (password, options) => hashSync(password, { ...options, ...CHEAP }).replace(COST, costOf(options))
argon2.verify = (encoded, password, options, signal) => verify(cheap(encoded), password, options, signal)
argon2.verifySync = (encoded, password, options) => verifySync(cheap(encoded), password, options)
