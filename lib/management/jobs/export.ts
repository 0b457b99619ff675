// Exports users in pieces. Each piece is a gzip member of its own, and members one after another are one gzip file (RFC 1952 2.2), so
// a piece is written once, with the progress of the job.
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { type Json, type JsonObject, keysOf, valueAt } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { type Ending, type Job, type JobStore, PART_PURPOSE, type Step } from './job'

const gzip = promisify(gzipCallback)

export type ExportDeps = { store: JobStore; vault: Vault; random: Random }

export type ExportField = { name: string; export_as?: string | undefined }

export type ExportSettings = { format: 'json' | 'csv'; fields: ExportField[] }

/** The vendor's columns where a request names none. */
export const DEFAULT_FIELDS: readonly ExportField[] = [
  ...['user_id', 'email', 'email_verified', 'username', 'phone_number', 'phone_verified', 'name', 'given_name'],
  ...['family_name', 'nickname', 'picture', 'blocked', 'identities', 'user_metadata', 'app_metadata', 'created_at'],
  ...['updated_at', 'last_login', 'last_ip', 'logins_count'],
].map((name) => ({ name }))

export const HASH_FIELD = 'password_hash'

const USERS_IN_PART = 500

/** Works until the end of the job, or until `isOver`. */
export async function runExport(
  job: Job,
  { store, vault, random }: ExportDeps,
  step: () => Step,
  isOver: () => boolean,
): Promise<Ending> {
  const { format, fields } = job.settings as ExportSettings
  const withHashes = fields.some(({ name }) => name === HASH_FIELD)
  const current = { ...job }
  for (;;) {
    if (isOver()) return 'paused'
    const limit = Math.min(USERS_IN_PART, (current.total ?? Number.POSITIVE_INFINITY) - current.done)
    const users = limit > 0 ? await store.usersToExport(current, limit, withHashes) : []
    const last = users.at(-1)
    // A file without users has its header line, and is a gzip file.
    if (!last && current.done > 0) return 'completed'
    const head = format === 'csv' && current.done === 0 ? [headLine(fields)] : []
    const lines = users.map((user) => lineOf(user.fields, format, fields))
    const text = [...head, ...lines].map((line) => `${line}\n`).join('')
    const part = {
      number: Math.floor(current.done / USERS_IN_PART),
      sealed: vault.seal(PART_PURPOSE, await gzip(text), random),
      users: users.length,
      cursor: last?.id ?? '',
    }
    if (!(await store.appendPart(current, part, step()))) return 'lost'
    current.done += users.length
    current.cursor = part.cursor
    if (users.length < limit || !last) return 'completed'
  }
}

const titleOf = ({ name, export_as }: ExportField): string => export_as ?? name

const headLine = (fields: readonly ExportField[]): string => fields.map((field) => quoted(titleOf(field))).join(',')

function lineOf(user: JsonObject, format: 'json' | 'csv', fields: readonly ExportField[]): string {
  const values = fields.map((field) => [titleOf(field), valueAt(user, keysOf(field.name))] as const)
  if (format === 'csv') return values.map(([, value]) => cell(value)).join(',')
  return JSON.stringify(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
}

function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return quoted(typeof value === 'string' ? harmless(value) : JSON.stringify(value))
}

/** A spreadsheet would run it as a formula, and people choose their own names. Telephone numbers begin with + and a digit. */
const harmless = (value: string): string =>
  /^[=@\t\r]|^[+-](?!\d)|^[+-].*[^\d\s().-]/.test(value) ? `'${value}` : value

/** RFC 4180. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
