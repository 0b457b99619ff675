// The packages `bcryptjs` and `bcrypt`, by the host: in the interpreter a hash would take seconds.
import { bufferFrom, callingBack } from './bytes.js'

const ROUNDS = 10

export function bcryptOf(sys) {
  const passwordOf = (value) => {
    if (typeof value !== 'string' && !ArrayBuffer.isView(value)) throw Error(`Illegal arguments: ${typeof value}`)
    return bufferFrom(value, 'utf8').toString('base64')
  }
  const genSaltSync = (rounds = ROUNDS) => sys.call('bcrypt.salt', { rounds })
  function hashSync(password, salt = ROUNDS) {
    const used = typeof salt === 'number' ? genSaltSync(salt) : salt
    if (typeof used !== 'string') throw Error(`Illegal arguments: ${typeof password}, ${typeof salt}`)
    return sys.call('bcrypt.hash', { password: passwordOf(password), salt: used })
  }
  function compareSync(password, hash) {
    if (typeof hash !== 'string') throw Error(`Illegal arguments: ${typeof password}, ${typeof hash}`)
    return sys.call('bcrypt.compare', { password: passwordOf(password), hash })
  }
  /** A promise, or a callback as the last argument. */
  const both = (sync) => {
    const called = callingBack(sync)
    return (...args) => (typeof args.at(-1) === 'function' ? called(...args) : (async () => sync(...args))())
  }
  return {
    genSaltSync,
    hashSync,
    compareSync,
    genSalt: both(genSaltSync),
    hash: both(hashSync),
    compare: both(compareSync),
    getRounds: (hash) => Number.parseInt(hash.split('$')[2], 10),
    getSalt: (hash) => hash.slice(0, 29),
    truncates: (password) => bufferFrom(password, 'utf8').length > 72,
  }
}
