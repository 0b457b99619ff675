// The page of a blocked account mails the link that ends the block of an account once more. The response is the same for every name, and does not wait for the mail
// (threat-model.md RL1). The owner gets at most three a day.
import { canonical, guessedOf } from '../../data/users/user'
import type { LoginDeps } from '../deps'
import { databasesFor } from '../flow/database'
import type { FormAction } from '../forms/action'
import type { LoginState } from '../login-state'
import type { LoginPage } from '../steps/step'
import { offersReset } from './due-screens'

const mailUnblockLink: FormAction = {
  name: 'mail-unblock',
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

export const accountLockedPage: LoginPage<'account-locked'> = {
  screen: 'account-locked',
  view: ({ state, shared: { client: _, notice, ...form }, urlOf, deps }) => ({
    ...form,
    screen: 'account-locked',
    ...(notice === undefined || notice === 'too_many_attempts' ? {} : { notice }),
    ...(state.identifierFirst ? { identifierFirst: true as const } : {}),
    identifier: state.decisions.identifier ?? '',
    mails: deps.settings.attackProtection.bruteForceProtection.shields.includes('user_notification'),
    loginUrl: urlOf('login'),
    ...(offersReset(state) ? { resetUrl: urlOf('forgot-password') } : {}),
  }),
  actions: [mailUnblockLink],
}
