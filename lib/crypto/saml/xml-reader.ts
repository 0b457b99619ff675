// Reads XML of other parties on threads (threat-model.md BF13): the event loop decodes, parses and verifies none of it. The
// threads start with the first message.
import { DomainError, temporarilyUnavailable } from '../../kernel/errors'
import type { ThreadResult } from '../../kernel/thread'
import { createThreadPool } from '../../kernel/thread-pool'
import { withChecks } from './check-list'
import { StatusError } from './status-error'
import type { XmlAnswer, XmlJob, XmlJobs } from './xml-jobs'

/**
 * Rejects as the job itself would: with `invalid_request` for a document that is refused, with a StatusError for a refusal of the
 * provider; and with 503 where the queue is full or the time limit is over.
 */
export type XmlReader = <Name extends keyof XmlJobs>(
  name: Name,
  input: Parameters<XmlJobs[Name]>[0],
) => Promise<ReturnType<XmlJobs[Name]>>

export type XmlThreads = {
  run(job: XmlJob, tenantId: string): Promise<ThreadResult<XmlAnswer>>
  close(): void
}

type XmlThreadOptions = { file: string | URL; threads: number; queueLimit: number; milliseconds: number }

const BUSY = 'The server is busy reading messages, try again shortly'
/** The heap of a thread is a multiple of what the largest document within limits.ts takes. */
const RESOURCES = { stackSizeMb: 4, maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

export function openXmlThreads({ milliseconds, ...options }: XmlThreadOptions): XmlThreads {
  const pool = createThreadPool<XmlJob, XmlAnswer>({ ...options, name: 'xml', resources: RESOURCES, whenFull: BUSY })
  return { run: (job, owner) => pool.run(job, { owner, milliseconds }), close: pool.close }
}

export const createXmlReader =
  (threads: XmlThreads, tenantId: string): XmlReader =>
  async (name, input) => {
    const ended = await threads.run({ name, input } as XmlJob, tenantId)
    if (ended.kind === 'answered') return resultOf(ended.answer) as never
    if (ended.kind === 'overrun') throw unread('the time limit of a thread is over')
    throw unread('a thread ended before its answer', ended.cause)
  }

const unread = (detail: string, cause?: unknown): DomainError =>
  temporarilyUnavailable('The message could not be read, try again shortly', { retryAfter: 1, detail, cause })

function resultOf(answer: XmlAnswer): unknown {
  switch (answer.kind) {
    case 'read':
      return answer.value
    case 'refused':
      throw withChecks(
        new DomainError(answer.code, answer.description, {
          reason: answer.reason,
          redirectable: answer.redirectable,
          ...(answer.page ? { page: answer.page } : {}),
        }),
        answer.checks,
      )
    case 'status':
      throw new StatusError(answer.message)
    case 'failed':
      throw Object.assign(new Error(answer.message), { stack: answer.stack })
  }
}
