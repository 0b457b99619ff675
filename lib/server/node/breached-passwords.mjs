// Writes data/breached-passwords.txt, the small breach file that ships: the common passwords of @zxcvbn-ts/language-common as
// SHA-1, truncated to ten digits, sorted. Run it after an update of that package: node lib/server/node/breached-passwords.mjs
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dictionary } from '@zxcvbn-ts/language-common'

const DIGITS = 10

const cut = (password) => createHash('sha1').update(password).digest('hex').toUpperCase().slice(0, DIGITS)
const lines = [...new Set(dictionary['passwords-common'].map(cut))].sort()
const path = fileURLToPath(new URL('../../../data/breached-passwords.txt', import.meta.url))
await writeFile(path, `${lines.join('\n')}\n`)
