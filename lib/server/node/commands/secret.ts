// `npm run secret`: rotates LATCHKEY_SECRET without downtime: add the new secret, restart the servers with it one by one, retire
// the old one. At no time do two servers fail to read each other's data.

import { addSecret, listSecrets, retireOthers } from '../../../adapters/store/root-secret'
import { systemRandom } from '../../../kernel/random'
import { UsageError } from '../failure'
import { type Command, type CommandContext, type CommandDatabase, withDatabase } from './command'

export const secret: Command = async ([verb, ...rest], context) => {
  const run = verb === undefined ? show : VERBS[verb]
  if (!run || rest.length > 0)
    throw new UsageError('Usage: `npm run secret`, `npm run secret -- add` or `npm run secret -- retire`.')
  await withDatabase(context, (opened) => run(opened, context))
}

type Work = (opened: CommandDatabase, context: CommandContext) => Promise<void>

async function show({ db, secret }: CommandDatabase, { say }: CommandContext): Promise<void> {
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
        ? 'Both secrets are valid for this database now. Restart the servers with the new one as LATCHKEY_SECRET, then run `npm run secret -- retire` with it.'
        : 'This secret is already valid for this database.',
    )
  },
  async retire({ db, secret }, { say }) {
    const retired = await retireOthers(db.pool, secret)
    say(
      retired > 0
        ? 'LATCHKEY_SECRET is now the only valid secret of this database.'
        : 'No other secret is valid for this database.',
    )
  },
}
