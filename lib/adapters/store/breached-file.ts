// A local copy of Pwned Passwords (docs/breached-passwords.md), in either layout of its downloader:
// - One file of lines in ascending order. A line is the SHA-1 of a password in hexadecimal digits and, after a colon, a count that
//   is ignored. Binary search: about thirty small reads in 40 GB, nothing kept in memory.
// - A folder with one file for each prefix of five digits, `0018A.txt`, whose lines contain the remaining digits (the k-anonymity
//   ranges). One read.
// Lines may be truncated to ten digits or more, as in the small file that ships.
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BreachedPasswords } from '../../data/users/breached-passwords'
import { sha1Hex } from '../../kernel/secret'

/** Fewer digits would cause too many false positives. */
const FEWEST_DIGITS = 10
const PREFIX_DIGITS = 5
const MAX_LINE_LENGTH = 64

/** Throws if there is no such file or folder. */
export async function openBreachedFile(path: string): Promise<BreachedPasswords> {
  const isFolder = (await stat(path)).isDirectory()
  const lookUp = isFolder ? inFolder : inFile
  return { includes: (password) => lookUp(path, sha1Hex(password)) }
}

async function inFolder(path: string, hash: string): Promise<boolean> {
  const file = join(path, `${hash.slice(0, PREFIX_DIGITS)}.txt`)
  const lines = (await readFile(file, 'latin1').catch(none)).split('\n')
  const rest = hash.slice(PREFIX_DIGITS)
  return lines.some((line) => isPrefix(digitsOf(line), rest, FEWEST_DIGITS - PREFIX_DIGITS))
}

/** A prefix without any known password. */
function none(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

async function inFile(path: string, hash: string): Promise<boolean> {
  const file = await open(path)
  try {
    return await search(file, (await file.stat()).size, hash)
  } finally {
    await file.close()
  }
}

/** Invariant: the first line that is not below the hash begins in [low, high). A truncated line sorts by its digits. */
async function search(file: FileHandle, size: number, hash: string): Promise<boolean> {
  let low = 0
  let high = size
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const line = await lineFrom(file, middle, size)
    const digits = digitsOf(line.text)
    if (isPrefix(digits, hash, FEWEST_DIGITS)) return true
    if (line.start < high && digits !== '' && digits < hash) low = line.end
    else high = middle
  }
  return false
}

/** The first line that begins at `from` or later. */
async function lineFrom(
  file: FileHandle,
  from: number,
  size: number,
): Promise<{ text: string; start: number; end: number }> {
  const begin = Math.max(from - 1, 0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * MAX_LINE_LENGTH), 0, 2 * MAX_LINE_LENGTH, begin)
  const text = buffer.toString('latin1', 0, bytesRead)
  const skipped = from === 0 ? 0 : text.indexOf('\n') + 1
  if (from > 0 && skipped === 0) return { text: '', start: size, end: size }
  const newline = text.indexOf('\n', skipped)
  const end = newline === -1 ? text.length : newline + 1
  return { text: text.slice(skipped, end), start: begin + skipped, end: begin + end }
}

const digitsOf = (line: string): string => line.split(':', 1)[0]?.trim().toUpperCase() ?? ''

const isPrefix = (digits: string, hash: string, fewest: number): boolean =>
  digits.length >= fewest && hash.startsWith(digits)
