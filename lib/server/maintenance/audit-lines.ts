// Writes the audit log as JSON lines to standard output or to a file, which is reopened after log rotation. A line has the members of the
// vendor's log streams, `log_id` and `data`, and those of every line of the server's own log, `level`, `time` and `msg`.
// - A line is passed to the operating system at once, one write at a time, and requests never wait for it. While writes fail or
//   block (a full disk, a reader that is gone or stuck), up to 8 MB are buffered and retried every second; lines beyond that are
//   dropped. Each state is logged once (threat-model.md RE10).
import { write } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { LineSink } from '../../data/audit/log'
import { presentRecord } from '../../data/audit/record'
import { ageHere, type Clock } from '../../kernel/clock'
import type { Logger } from './log'

/** Writes some or all of the bytes; resolves to the number written. */
type Target = { write(bytes: Buffer): Promise<number>; close(): Promise<void> }

const MAX_WAITING = 8 * 1024 * 1024
const RETRY_MS = 1000

/** `where` is `stdout` or the path of a file. */
export function openAuditLines(where: string, { log, clock }: { log: Logger; clock: Clock }): LineSink {
  const target = where === 'stdout' ? standardOutput : openFile(where, clock)
  let waiting: Buffer[] = []
  let size = 0
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  const trouble = sayOnce(log)

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      let rest = Buffer.concat(waiting)
      waiting = []
      try {
        while (rest.length > 0) rest = rest.subarray(await target.write(rest))
        trouble.over()
      } catch (error) {
        waiting.unshift(rest)
        size = waiting.reduce((sum, { length }) => sum + length, 0)
        trouble.is(error)
        return
      }
      size = waiting.reduce((sum, { length }) => sum + length, 0)
    }
  }

  function begin(): void {
    clearTimeout(retry)
    retry = undefined
    writing ??= drain().finally(() => {
      writing = undefined
      if (waiting.length > 0) retry = setTimeout(begin, RETRY_MS).unref()
    })
  }

  return {
    write(tenantId, record) {
      const data = presentRecord(record)
      const line = Buffer.from(
        `${JSON.stringify({ level: 'info', time: data.date, msg: data.description, log_id: record.logId, tenant: tenantId, data })}\n`,
      )
      if (size + line.length > MAX_WAITING) return trouble.is(new Error('too many lines wait'))
      waiting.push(line)
      size += line.length
      if (!retry) begin()
    },
    async close() {
      begin()
      await Promise.race([writing, patience()])
      clearTimeout(retry)
      await target.close()
    },
  }
}

/** Bounds the wait at shutdown, so that a full disk does not delay it. */
const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())

function sayOnce(log: Logger) {
  let isFailing = false
  return {
    is(error: unknown) {
      if (!isFailing) log.error({ err: error }, 'The lines of the audit log cannot be written.')
      isFailing = true
    },
    over() {
      if (isFailing) log.warn({}, 'The lines of the audit log are written again.')
      isFailing = false
    },
  }
}

const writeTo = promisify(write)

const standardOutput: Target = {
  write: async (bytes) => (await writeTo(1, bytes)).bytesWritten,
  close: async () => {},
}

const LOOK_EVERY_SECONDS = 1

/** Opens the file on first use, and again after log rotation has moved it. */
function openFile(path: string, clock: Clock): Target {
  let file: FileHandle | undefined
  let looked: Date | undefined

  async function current(): Promise<FileHandle> {
    const now = clock.now()
    if (file && looked && ageHere(looked, now) < LOOK_EVERY_SECONDS) return file
    looked = now
    if (file && (await isAt(file, path))) return file
    await file?.close()
    file = undefined
    await mkdir(dirname(path), { recursive: true })
    file = await open(path, 'a', 0o640)
    return file
  }

  return {
    write: async (bytes) => (await (await current()).write(bytes)).bytesWritten,
    close: async () => file?.close(),
  }
}

async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const [{ ino }, there] = await Promise.all([file.stat(), stat(path).catch(() => null)])
  return there?.ino === ino
}
