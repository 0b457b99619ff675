// Structured logs: JSON lines on standard output. Fields are chosen where they are logged; as a second fence, names
// that hold secrets are cut out wherever they appear (threat-model.md SC1). A log that cannot be written never ends a request.
import pino from 'pino'
import type { LogLevel } from './env'

export type Logger = Record<
  'debug' | 'info' | 'warn' | 'error' | 'fatal',
  (fields: Record<string, unknown>, sentence: string) => void
>

const SECRETS = ['password', 'client_secret', 'code', 'token', 'access_token', 'refresh_token', 'id_token', 'cookie']

export const createLogger = (level: LogLevel, stream: pino.DestinationStream = destination()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutValues },
      redact: { paths: SECRETS.flatMap((name) => [`*.${name}`]), remove: true },
    },
    stream,
  )

/** What went wrong and where, without the fields in which drivers repeat values of the row. */
const withoutValues = (error: unknown) =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        code: 'code' in error ? String(error.code) : undefined,
        stack: error.stack,
      }
    : String(error)

function destination(): pino.DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true })
  stream.on('error', () => {})
  return stream
}
