// Everything that this process writes as records of the log, one JSON object a line, so that a program can read its output: what packages
// write by `console`, the warnings of Node.js, and the error that ends the process. On a terminal they stay as they are.
import { format, stripVTControlCharacters } from 'node:util'
import type { Logger } from './log'

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/** Next marks its lines. */
const MARK = /^[⨯⚠○▲✓\s]+/

export function writeAsLines(log: Logger): void {
  for (const [method, level] of Object.entries(LEVELS))
    Reflect.set(console, method, (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error)
      const words = stripVTControlCharacters(format(...parts.filter((part) => part !== err)))
      log[level](err ? { err } : {}, words.replace(MARK, '').trim() || err?.message || '')
    })
  process.removeAllListeners('warning')
  process.on('warning', (err) => log.warn({ err }, err.message))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'The process ends, because of an error that nothing handled.')
    process.exit(1)
  })
}
