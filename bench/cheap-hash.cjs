// Takes the cost out of argon2id, in a server that the benchmark started with `node --require` this file, and
// nowhere else. Both sides call the same copy of @node-rs/argon2; here its functions are wrapped so that they run
// with the smallest parameters the algorithm allows while the hash string keeps naming the real ones. The server
// under test is therefore unaltered: it parses, compares, queues and decides exactly as in production, and what is
// missing from its CPU time is the hash and nothing else.
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
