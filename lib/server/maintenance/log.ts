// Structured logs: JSON lines on standard output. Callers choose the fields; as a second safeguard, fields that are named as
// secrets are removed, at the top level and inside objects (threat-model.md SC1). A log that cannot be written never fails a
// request.
import pino from 'pino'
import type { LogLevel } from '../../settings/env'

export type Logger = Record<
  'debug' | 'info' | 'warn' | 'error' | 'fatal',
  (fields: Record<string, unknown>, sentence: string) => void
>

const SECRETS = [
  'password',
  'client_secret',
  'client_assertion',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'cookie',
]
/** A line's own `code` is the code of a refusal and is kept. */
const HIDDEN = [...SECRETS, ...SECRETS.map((name) => `*.${name}`), '*.code']

export const createLogger = (level: LogLevel, stream: pino.DestinationStream = destination()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutValues },
      redact: { paths: HIDDEN, remove: true },
    },
    stream,
  )

/** The error without the fields in which drivers repeat values of the row. */
const withoutValues = (error: unknown) =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        // Not named `code`, which would be removed.
        reason: 'code' in error ? String(error.code) : undefined,
        stack: error.stack,
      }
    : String(error)

function destination(): pino.DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true })
  stream.on('error', () => {})
  return stream
}
