// `npm run secret`: rotates LATCHKEY_SECRET without downtime: add the new secret, restart the servers with it one by one, retire
// the old one. At no time do two servers fail to read each other's data.
import { systemRandom } from '../../kernel/random'
import { addSecret, listSecrets, retireOthers } from '../../store/root-secret'
import { UsageError } from '../failure'
import { type Command, type CommandContext, type Opened, withDatabase } from './command'

export const secret: Command = async ([verb, ...rest], context) => {
  const run = verb === undefined ? show : VERBS[verb]
  if (!run || rest.length > 0)
    throw new UsageError('Say `npm run secret`, `npm run secret -- add` or `npm run secret -- retire`.')
  await withDatabase(context, (opened) => run(opened, context))
}

type Work = (opened: Opened, context: CommandContext) => Promise<void>

async function show({ db, secret }: Opened, { say }: CommandContext): Promise<void> {
  for (const { addedAt, present } of await listSecrets(db.pool, secret))
    say(`added ${addedAt.toISOString()}${present ? '  LATCHKEY_SECRET' : ''}`)
}

const VERBS: Readonly<Record<string, Work>> = {
  async add({ env, db, secret }, { say }) {
    if (env.newSecret === undefined)
      throw new UsageError(
        'LATCHKEY_NEW_SECRET is missing: set it to 32 or more random characters, such as the output of `openssl rand -base64 32`.',
      )
    const added = await addSecret(db.pool, secret, env.newSecret, systemRandom)
    say(
      added
        ? 'Both secrets open this database now. Restart the servers with the new one as LATCHKEY_SECRET, then say `npm run secret -- retire` with it.'
        : 'That secret opens this database already.',
    )
  },
  async retire({ db, secret }, { say }) {
    const retired = await retireOthers(db.pool, secret)
    say(retired > 0 ? 'LATCHKEY_SECRET alone opens this database now.' : 'No other secret opens this database.')
  },
}
