// Explains why the server or a command cannot continue, in a sentence that says what to do. Undefined for an unexpected error:
// that is a defect and keeps its stack trace.
import { DatabaseError } from 'pg'
import { EmbeddedError } from '../../adapters/embedded-postgres/error'
import { MigrationError } from '../../adapters/store/migrate'
import { OtherSecretError } from '../../crypto/keys/keyring'
import { TenantFileError } from '../../management/tenant-file/model'
import { EnvError } from '../../settings/env'

/** A request by the operator that cannot be fulfilled. */
export class UsageError extends Error {}

/** Errors whose messages are sentences for the operator. */
const SAYS_IT_ITSELF = [EmbeddedError, MigrationError, OtherSecretError, UsageError]

type Where = { port?: number; host?: string; databaseUrl?: string | undefined }

export function explainFailure(error: unknown, where: Where = {}): string | undefined {
  if (error instanceof EnvError) return ['The settings cannot be used:', ...error.problems.map(indent)].join('\n')
  if (error instanceof TenantFileError) return `Nothing of the tenant file was applied.\n${indent(error.message)}`
  if (SAYS_IT_ITSELF.some((kind) => error instanceof kind)) return (error as Error).message
  const code = codeOf(error)
  return (
    explainListening(code, error, where) ??
    explainDisk(code) ??
    explainFolder(code, error) ??
    explainDatabase(code, error, where)
  )
}

function explainListening(code: string | undefined, error: unknown, { port, host }: Where): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: stop what listens there, or choose another with PORT, such as PORT=${Number(port) + 1}.`
  if (code === 'EACCES') return `Port ${port} needs more rights than this account has: choose one above 1023 with PORT.`
  return `The server cannot listen on ${host} (${code}): correct LATCHKEY_HOST.`
}

const explainDisk = (code: string | undefined): string | undefined =>
  code === 'ENOSPC' || code === '53100' ? 'The disk is full: free some space and start again.' : undefined

const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS'])

/** All files written at a start are in the data folder. */
function explainFolder(code: string | undefined, error: unknown): string | undefined {
  if (!(code && CLOSED.has(code) && error instanceof Error && 'path' in error)) return undefined
  return `${error.path} cannot be read or written (${code}): give this account the right to it, or choose another data folder with LATCHKEY_DATA_DIR.`
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ECONNRESET',
])

function explainDatabase(code: string | undefined, error: unknown, { databaseUrl }: Where): string | undefined {
  const at = databaseUrl ? ` at ${new URL(databaseUrl).host}` : ''
  const message = error instanceof Error ? error.message : ''
  if ((code && UNREACHABLE.has(code)) || /timeout exceeded when trying to connect|Connection terminated/.test(message))
    return `The database${at} cannot be reached (${code ?? 'no answer'}): start it, or correct DATABASE_URL.`
  const tls = explainTls(code, message, at)
  if (tls) return tls
  if (!(error instanceof DatabaseError)) return undefined
  if (code === '28000' && /no encryption|SSL off/.test(message))
    return `The database${at} takes no connection without TLS: add sslmode=require to DATABASE_URL.`
  if (code === '08P01' && /startup parameter/.test(message))
    return `A connection pooler stands before the database${at}: set LATCHKEY_DATABASE_POOLED=1, or name the database itself in DATABASE_URL.`
  if (code === '28P01' || code === '28000')
    return `The database${at} refuses the login: correct user and password in DATABASE_URL.`
  if (code === '42P01') return `The database${at} lacks a table of this version (${message}): run \`npm run migrate\`.`
  if (code === '3D000') return `${message} on the server${at}: create it, or correct DATABASE_URL.`
  if (code === '42501')
    return `The database user${at} lacks a right (${message}): grant it, or use the database's owner.`
  if (code === '53300')
    return `The database${at} has no connection left: raise its max_connections, or lower LATCHKEY_DATABASE_POOL.`
  if (code?.startsWith('57P')) return `The database${at} is starting or stopping: try again in a moment.`
  return undefined
}

const CERTIFICATE = /CERT|UNABLE_TO_|SELF_SIGNED|^ERR_(TLS|SSL|OSSL)|EPROTO/

/** The driver's own errors about TLS have no code. */
function explainTls(code: string | undefined, message: string, at: string): string | undefined {
  if (/server does not support SSL/i.test(message))
    return `The database${at} has no TLS, which sslmode in DATABASE_URL demands: switch it on there (ssl = on), or set sslmode=disable if the network is your own.`
  if (/requires specifying a CA/.test(message))
    return `sslmode=verify-ca in DATABASE_URL needs the authority's certificate: name its file with sslrootcert.`
  return code && CERTIFICATE.test(code)
    ? `The certificate of the database${at} is not accepted (${code}): name its authority with sslrootcert in DATABASE_URL, and the host as the certificate does. sslmode=no-verify accepts every certificate.`
    : undefined
}

/** The code of the error itself, or of the first of several addresses that were tried. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const indent = (text: string): string => text.replace(/^/gm, '  ')
