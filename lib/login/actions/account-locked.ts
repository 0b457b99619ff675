// Mails the link that ends the block of an account once more. The response is the same for every name, and does not wait for the mail
// (threat-model.md RL1). The owner gets at most three a day.
import { canonical, guessedOf } from '../../data/users/user'
import type { LoginDeps } from '../deps'
import { databasesFor } from '../steps/database'
import type { LoginState } from '../steps/requirements'
import type { FormAction } from './action'

export const mailUnblockLink: FormAction = {
  name: 'mail-unblock',
  on: ['account-locked'],
  run(state, _input, { ip }, deps) {
    const { identifier = '' } = state.decisions
    deps.afterwards(notifyIfBlocked(state, canonical(identifier), ip, deps))
    return { kind: 'again', notice: 'unblock_sent', decisions: state.decisions }
  },
}

async function notifyIfBlocked(state: LoginState, name: string, ip: string, deps: LoginDeps): Promise<void> {
  const { client, organization } = state
  for (const { id: connectionId } of databasesFor(state)) {
    const account = await deps.users.findAccount(connectionId, name)
    if (!account) continue
    const blocks = await deps.attempts.blocksOf([{ connectionId, identifier: guessedOf(account) }])
    const block = blocks.find((each) => each.ip === ip) ?? blocks[0]
    if (block) deps.notifyBlocked(account, block.ip ?? ip, { clientId: client.clientId, organization })
  }
}
