// `npm run messages`: shows the mails, text messages, calls and logout notices that wait or were given up, without their content.
import { type WaitingMessage, waitingMessages } from '../../../adapters/store/sql/waiting-messages'
import { UsageError } from '../failure'
import { type Command, withPool } from './command'

const MOST = 100

export const messages: Command = async (args, context) => {
  if (args.length > 0) throw new UsageError('Usage: `npm run messages`.')
  await withPool(context, async ({ db }) => {
    const found = await waitingMessages(db.pool, MOST)
    if (found.length === 0) context.say('Every message was sent.')
    for (const message of found.reverse()) context.say(lineOf(message))
    if (found.length === MOST) context.say(`These are the newest ${MOST}.`)
  })
}

/** Without control characters, which a terminal would interpret. */
function lineOf({
  tenantId,
  channel,
  recipient,
  attempts,
  createdAt,
  nextAttemptAt,
  lastError,
}: WaitingMessage): string {
  const state = nextAttemptAt === null ? 'given up' : `next attempt ${nextAttemptAt.toISOString()}`
  const error = lastError === null ? '' : `  ${lastError}`
  const text = `${createdAt.toISOString()}  ${tenantId}  ${channel}  ${recipient}  attempts ${attempts}, ${state}${error}`
  return text.replace(/\p{Cc}/gu, ' ')
}
