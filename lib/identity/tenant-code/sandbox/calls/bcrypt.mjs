// bcrypt for actions: in the interpreter it would take seconds.
import { randomBytes } from 'node:crypto'
import { compareSync, hashSync } from '@node-rs/bcrypt'
import { bytesOf, refuse, text, whole } from './bounds.mjs'

/** Each round more doubles the time; this takes about half a second. */
const ROUNDS = { min: 4, max: 13 }
const SALT = /^\$2([aby])\$(\d\d)\$([./A-Za-z0-9]{22})/
const DIGITS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function parsed(salt) {
  const match = SALT.exec(text(salt, 'salt'))
  if (!match) throw new Error(`Invalid salt: ${salt.slice(0, 60)}`)
  return { version: match[1], rounds: whole(Number(match[2]), 'rounds', ROUNDS), digits: match[3] }
}

export const bcrypt = {
  'bcrypt.salt': ({ rounds }) => {
    const padded = String(whole(rounds, 'rounds', ROUNDS)).padStart(2, '0')
    const digits = [...randomBytes(16).toString('base64').slice(0, 22)]
    return `$2b$${padded}$${digits.map((digit) => DIGITS[STANDARD.indexOf(digit)]).join('')}`
  },
  'bcrypt.hash': ({ password, salt }) => {
    const { version, rounds, digits } = parsed(salt)
    const bytes = Buffer.from([...digits].map((digit) => STANDARD[DIGITS.indexOf(digit)]).join(''), 'base64')
    const made = hashSync(bytesOf(password, 'password'), rounds, bytes.subarray(0, 16))
    return made.replace(/^\$2[aby]/, `$2${version}`)
  },
  'bcrypt.compare': ({ password, hash }) => {
    if (text(hash, 'hash').length !== 60) return false
    parsed(hash)
    if (hash.includes('\0')) refuse('a hash has no NUL')
    return compareSync(bytesOf(password, 'password'), hash)
  },
}
